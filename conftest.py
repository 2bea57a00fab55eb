"""Examples that read published data are left out, and say so, on a machine that does not have it at hand.

What is compiled, by C compilers and by JAX, is kept in a folder of the run's own, which its processes share. XLA leaves
out most optimisations, which take more time than they save here, and fuses operations by its older means, which compile
twice as fast; but not in tests that ask for it (`tests/kit/compiling.py`).
"""

import os
import shutil
import tempfile

import pytest

from dbhw.data.download import at_hand
from tests.kit.icarus import icarus_is_found

READS = {
    "dbhw.data.published.images": "mnist/train-images-idx3-ubyte.gz",
    "dbhw.data.published.tsetlin": "tsetlin/NoisyXORTestData.txt",
    "dbhw.data.sets.binary_iris.load": "tsetlin/BinaryIrisData.txt",
    "dbhw.data.sets.fashion_mnist.load": "fashion-mnist/train-images-idx3-ubyte.gz",
    "dbhw.data.sets.mnist.load": "mnist/train-images-idx3-ubyte.gz",
    "dbhw.data.sets.noisy_xor_files.load": "tsetlin/NoisyXORTrainingData.txt",
    "dbhw.recipes.binary_iris.recipe": "tsetlin/BinaryIrisData.txt",
    "dbhw.recipes.binary_iris_votes.recipe": "tsetlin/BinaryIrisData.txt",
    "dbhw.recipes.mnist_votes.recipe": "mnist/train-images-idx3-ubyte.gz",
    "dbhw.recipes.mnist_paper.recipe": "mnist/train-images-idx3-ubyte.gz",
}


# XLA ends the process where a release of it does not know one of these: then take it out.
QUICKLY = "--xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1"


def pytest_collection_modifyitems(items):
    for item in items:
        if item.name in READS and at_hand(READS[item.name]) is None:
            item.add_marker(pytest.mark.skip(reason=f"{READS[item.name]} is not at hand; set DBHW_DATA"))


def pytest_configure(config):
    if not is_worker(config):
        folder = tempfile.mkdtemp(prefix="dbhw-compiled-")
        os.environ |= {
            "DBHW_COMPILED": folder,
            "JAX_COMPILATION_CACHE_DIR": f"{folder}/jax",
            "JAX_DISABLE_MOST_OPTIMIZATIONS": "1",
            "XLA_FLAGS": f"{os.environ.get('XLA_FLAGS', '')} {QUICKLY}".strip(),
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0.2",
        }


def pytest_unconfigure(config):
    if not is_worker(config):
        shutil.rmtree(os.environ.pop("DBHW_COMPILED"), ignore_errors=True)


@pytest.fixture
def compiled_as_usual():
    """XLA optimises as it does for users, for tests of the numbers that the soft net and its training come to."""
    from tests.kit.compiling import as_usual  # imports JAX, which takes a second

    with as_usual():
        yield


def pytest_terminal_summary(terminalreporter):
    if not icarus_is_found():
        terminalreporter.write_line("NO ICARUS: nothing was simulated in it. sim/install_icarus.sh .venv", red=True)


def is_worker(config):
    """True in a process that pytest-xdist has started: it inherits the environment of the first."""
    return hasattr(config, "workerinput")
