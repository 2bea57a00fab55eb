"""Whatever goes wrong with compiler or cache folder, the answers are right, and one line says which engine ran."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from dbhw.model import engines
from dbhw.software import cache, compiler
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.nets import NETS

X = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(bool)


@pytest.fixture
def model(monkeypatch, tmp_path):
    """A model that was never compiled, as far as this process and the cache folder know."""
    monkeypatch.setattr(engines, "_LOADED", {})
    monkeypatch.setenv("DBHW_COMPILED", str(tmp_path / "compiled"))
    return samples.random_model(NETS[2], np.random.default_rng(7))


def answered(model):
    """The line that says which engine ran, after a check of the answers."""
    found = model.answers(X, engine="c")
    expected = model.answers(X, engine="numpy")
    assert (found.labels == expected.labels).all()
    assert (found.outputs == expected.outputs).all()
    return found.engine


def again(model, monkeypatch):
    """The same as a new process would see it."""
    monkeypatch.setattr(engines, "_LOADED", {})
    return answered(model)


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def alive(group):
    """The processes of a group that still run; one that was ended may wait to be collected."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, own_group = path.read_text().rpartition(")")[2].split()[:3]
            found += [path.parent.name] if int(own_group) == group and state != "Z" else []
    return found


def test_a_net_is_compiled_once(model, monkeypatch):
    assert answered(model).startswith("c, compiled in ")
    assert again(model, monkeypatch) == "c, compiled before"


def test_no_compiler(model, monkeypatch, tmp_path):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert answered(model) == "numpy, because no C compiler is found"
    monkeypatch.setenv("CC", "no-such-cc -v")
    assert answered(model) == "numpy, because the C compiler CC=no-such-cc is not found"
    assert model.answers(X).engine == "numpy"


def test_a_compiler_that_fails(model, monkeypatch, tmp_path):
    monkeypatch.setenv("CC", script(tmp_path / "cc", "echo no licence >&2; exit 1"))
    assert answered(model) == "numpy, because the C compiler failed: no licence"
    monkeypatch.setenv("CC", script(tmp_path / "cc", "exit 0"))
    assert answered(model).startswith("numpy, because the C compiler cannot be run: ")
    assert not list((tmp_path).glob("compiled/*"))


def test_a_compiler_that_hangs_is_ended_with_all_it_started(model, monkeypatch, tmp_path):
    monkeypatch.setenv("CC", script(tmp_path / "cc", f"echo $$ > {tmp_path}/pid; sleep 1000 & sleep 1000"))
    monkeypatch.setattr(compiler, "SECONDS", 0.5)
    started = time.monotonic()
    assert answered(model) == "numpy, because the C compiler takes more than 0.5 s"
    assert time.monotonic() - started < 30
    assert alive(int((tmp_path / "pid").read_text())) == []


def test_a_compiler_that_makes_no_library(model, monkeypatch, tmp_path):
    junk = 'for last; do :; done; echo junk > "$last"'
    monkeypatch.setenv("CC", script(tmp_path / "cc", junk))
    assert answered(model).startswith("numpy, because the compiled net cannot be loaded: ")


def test_a_compiler_that_makes_another_net(model, monkeypatch, tmp_path):
    changed = "if [ -f net.c ]; then sed -i 's/ & / | /' net.c; fi"
    monkeypatch.setenv("CC", script(tmp_path / "cc", f'{changed}; exec {" ".join(compiler.find())} "$@"'))
    assert answered(model) == "numpy, because the compiled net answers wrongly"


@pytest.mark.parametrize("place", ["/dev/null/compiled", "/proc/compiled"])
def test_a_cache_folder_that_cannot_be_made(model, monkeypatch, place):
    monkeypatch.setenv("DBHW_COMPILED", place)
    line = answered(model)
    assert line.startswith("c, compiled in ")
    assert f", but not kept: folder {place} cannot be written: " in line


def test_a_cache_folder_that_others_can_write_to_is_not_used(model, monkeypatch, tmp_path):
    assert answered(model).startswith("c, compiled in ")
    (tmp_path / "compiled").chmod(0o777)
    line = again(model, monkeypatch)
    assert line.startswith("c, compiled in ")
    assert line.endswith(f", but not kept: folder {tmp_path / 'compiled'} is not only the user's own")


def test_a_full_disk(model, tmp_path):
    """A limit on the size of files stands for a full disk: the write fails half-way."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY)); "
    code = "from dbhw.software import cache; print(cache.keep('key', bytes(5000)), '|', cache.fetch('key'))"
    done = subprocess.run([sys.executable, "-c", limit + code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("must be a place that can be written: File too large | None")
    assert list((tmp_path / "compiled").iterdir()) == []


@pytest.mark.parametrize("length", [0, 31, 32, 5000, -1])
def test_a_cache_file_that_is_cut_short_is_made_again(model, monkeypatch, tmp_path, length):
    answered(model)
    (path,) = (tmp_path / "compiled").iterdir()
    path.write_bytes(path.read_bytes()[:length])
    assert again(model, monkeypatch).startswith("c, compiled in ")
    assert again(model, monkeypatch) == "c, compiled before"


def test_a_cache_file_that_is_changed_or_swapped_is_made_again(model, monkeypatch, tmp_path):
    answered(model)
    (path,) = (tmp_path / "compiled").iterdir()
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert again(model, monkeypatch).startswith("c, compiled in ")
    other = samples.random_model(NETS[2], np.random.default_rng(8))
    answered(other)
    (theirs,) = set((tmp_path / "compiled").iterdir()) - {path}
    path.write_bytes(theirs.read_bytes())
    assert again(model, monkeypatch).startswith("c, compiled in ")


def test_the_cache_does_not_grow_without_end(monkeypatch, tmp_path):
    monkeypatch.setenv("DBHW_COMPILED", str(tmp_path / "compiled"))
    monkeypatch.setattr(cache, "_MOST_BYTES", 3000)
    for i in range(4):
        assert cache.keep(f"net {i}", bytes(1000)) == ""
        os.utime(cache.path(f"net {i}"), (i, i))
    assert [cache.fetch(f"net {i}") is not None for i in range(4)] == [False, False, True, True]


def test_two_processes_at_once(model, tmp_path):
    path = tmp_path / "a.dbnet"
    model.save(path)
    code = (
        "import sys, numpy as np; from dbhw import load; model = load(sys.argv[1]);"
        "x = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(bool); found = model.answers(x, engine='c');"
        "assert (found.labels == model.predict(x, engine='numpy')).all(); print(found.engine)"
    )
    command = [sys.executable, "-c", code, str(path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    lines = [process.communicate()[0].strip() for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert all(line.startswith("c, compiled ") for line in lines)
    assert [p.suffix for p in (tmp_path / "compiled").iterdir()] == [".so"]
    assert answered(model) == "c, compiled before"


@pytest.mark.parametrize(("engine", "line"), [("c", "c, compiled in "), ("numpy", "numpy"), ("auto", "numpy")])
def test_eval_says_which_engine_ran(model, capsys, tmp_path, engine, line):
    model.save(tmp_path / "a.dbnet")
    np.savez(tmp_path / "data.npz", x=X, y=model.predict(X))
    command = ["eval", tmp_path / "a.dbnet", "--data", tmp_path / "data.npz", "--engine", engine, "--threads", 2]
    code, out, _ = run(capsys, *command)
    assert code == 0
    (said,) = [text for text in out.splitlines() if text.startswith("engine")]
    assert said.removeprefix("engine").strip().startswith(line)


def test_eval_without_a_compiler_still_answers(model, capsys, tmp_path, monkeypatch):
    model.save(tmp_path / "a.dbnet")
    np.savez(tmp_path / "data.npz", x=X, y=model.predict(X))
    monkeypatch.setenv("CC", "no-such-cc")
    code, out, _ = run(capsys, "eval", tmp_path / "a.dbnet", "--data", tmp_path / "data.npz", "--engine", "c")
    assert code == 0
    assert "numpy, because the C compiler CC=no-such-cc is not found" in out
    code, _, err = run(capsys, "eval", tmp_path / "a.dbnet", "--data", tmp_path / "data.npz", "--engine", "gpu")
    assert (code, err) == (2, "dbhw: engine must be one of auto, numpy, c, not 'gpu'\n")
