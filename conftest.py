"""Tests that read published data are left out, and say so, on a machine that does not have it at hand.

What is compiled, by C compilers and by JAX, is kept in a folder of the run's own, which its processes share. XLA leaves
out most optimisations, which take more time than they save here, and fuses operations by its older means, which compile
twice as fast; but not in tests that ask for it (`tests/kit/compiling.py`).
"""

import os
import shutil
import tempfile

import pytest

from dbhw.data import download
from tests.kit.icarus import icarus_is_found

NOT_AT_HAND = "is not at hand; set DBHW_DATA"

# XLA ends the process where a release of it does not know one of these: then take it out.
QUICKLY = "--xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1"


def pytest_configure(config):
    download._fetch = only_files(download._fetch)
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
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if NOT_AT_HAND in str(report.longrepr)]
    if skipped:
        terminalreporter.write_line(f"NO DATA: {len(skipped)} tests read data that {NOT_AT_HAND}", red=True)
    if not icarus_is_found():
        terminalreporter.write_line("NO ICARUS: nothing was simulated in it. sim/install_icarus.sh .venv", red=True)


def only_files(fetch):
    """A test that would download published data is skipped instead."""

    def fetch_a_file(source):
        if not source.url.startswith("file:"):
            pytest.skip(f"{source.path} {NOT_AT_HAND}")
        return fetch(source)

    return fetch_a_file


def is_worker(config):
    """True in a process that pytest-xdist has started: it inherits the environment of the first."""
    return hasattr(config, "workerinput")
