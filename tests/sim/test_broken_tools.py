"""Tools that are missing, killed, hang or print rubbish: one line that says so, exit code 2 or 3, and never a pass."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from dbhw.rtl.verilog.emit import emit
from dbhw.sim import simulators
from dbhw.tools import abc, process, yosys
from tests.kit.command_line import run
from tests.kit.nets import the_model

RUBBISH = "head -c 3000 /dev/urandom"
BROKEN = {
    "missing": "",
    "killed": "kill -9 $$",
    "hanging": "sleep 60",
    "rubbish": RUBBISH,
    "rubbish and a failure": f"{RUBBISH}; exit 7",
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a model and an empty cache, and one for programs before all others on the PATH."""
    the_model().save(tmp_path / "a.dbnet")
    monkeypatch.setenv("DBHW_COMPILED", str(tmp_path / "compiled"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(folder, name, script):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def told(capsys, *words):
    """The one line that a command says when it fails."""
    code, out, err = run(capsys, *words)
    assert code in (2, 3), (code, out, err)
    assert out == ""
    assert err.startswith("dbhw: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_compiler(capsys, place, monkeypatch, how):
    """Verilator runs; the C++ compiler after it does not. A program that a compiler did not write is no program."""
    monkeypatch.setenv("CXX", put(place, "broken", BROKEN[how]) if BROKEN[how] else "/no/such/compiler")
    err = told(capsys, "sim", "a.dbnet", "--vectors", "4", "--seconds", "2")
    said = {
        "missing": "but /no/such/compiler is not found",
        "killed": "the C++ compiler failed: it was ended by SIGKILL",
        "hanging": "verilator must end within 2 s, but it did not",
    }
    assert said.get(how, "dbhw: ") in err
    assert not list((place / "compiled").glob("*"))


@pytest.mark.parametrize("how", ["killed", "hanging", "rubbish", "rubbish and a failure"])
@pytest.mark.parametrize("tool", ["iverilog", "vvp"])
def test_a_broken_icarus(capsys, place, monkeypatch, how, tool):
    """One of its two programs is broken, the other does nothing but end well: nothing must pass."""
    monkeypatch.setattr(sys, "executable", str(place / "python"))
    monkeypatch.setenv("PATH", os.pathsep.join([str(place), os.environ["PATH"]]))
    put(place, "iverilog", "touch net.vvp")
    put(place, "vvp", "true")
    put(place, tool, BROKEN[how])
    err = told(capsys, "sim", "a.dbnet", "--simulator", "icarus", "--vectors", "4", "--seconds", "2")
    assert {"killed": "ended by SIGKILL", "hanging": "must end within 2 s"}.get(how, "icarus") in err


def test_a_simulation_that_writes_rubbish_is_no_pass(capsys, place, monkeypatch):
    """As many lines as there must be, but not of bits: a mismatch in every vector."""
    monkeypatch.setattr(sys, "executable", str(place / "python"))
    monkeypatch.setenv("PATH", os.pathsep.join([str(place), os.environ["PATH"]]))
    put(place, "iverilog", "touch net.vvp")
    bits = emit(the_model()).manifest.answer_bits
    put(place, "vvp", f"for i in 1 2 3 4; do printf '%{bits}s\\n' z; done > out.bin; touch waves.vcd")
    code, out, err = run(capsys, "sim", "a.dbnet", "--simulator", "icarus", "--vectors", "4", "--json")
    assert (code, json.loads(out)["mismatches"]) == (1, 4)
    assert err.startswith("first mismatch: ")


@pytest.mark.parametrize("how", ["missing", "killed", "rubbish"])
def test_a_broken_abc(capsys, place, monkeypatch, how):
    program = put(place, "abc", BROKEN[how]) if BROKEN[how] else str(place / "none")
    monkeypatch.setattr(abc, "program", lambda: program)
    err = told(capsys, "prove", "a.dbnet")
    assert {"killed": "abc failed: it was ended by SIGKILL", "missing": "abc cannot be run"}.get(how, "dbhw: ") in err


def test_yosys_of_another_version(capsys, place, monkeypatch):
    """A Yosys that does not know a command says so and fails."""
    monkeypatch.setattr(yosys, "FLATTEN", ("no_such_command",))
    err = told(capsys, "sim", "a.dbnet", "--level", "netlist", "--target", "ice40", "--vectors", "4")
    assert "no_such_command" in err


@pytest.mark.parametrize("folder", ["/proc/none", "/dev/full"])
def test_no_folder_for_temporary_files(capsys, place, monkeypatch, folder):
    monkeypatch.setattr(tempfile, "tempdir", folder)
    assert "folder" in told(capsys, "sim", "a.dbnet", "--vectors", "4")


def test_a_full_disk(capsys, place):
    """Files may not grow beyond a kilobyte: the compiler's and the simulator's cannot be written."""
    command = f'ulimit -f 1; exec "{sys.executable}" -m dbhw sim a.dbnet --vectors 4'
    with pytest.raises(process.ToolError) as failed:
        process.run("dbhw", ["sh", "-c", command], place, seconds=120)
    assert "Traceback" not in failed.value.output
    assert "mismatches" not in failed.value.output


def test_the_limit_must_be_a_time(capsys, place):
    assert told(capsys, "sim", "a.dbnet", "--seconds", "0") == "dbhw: seconds must be more than 0, not 0\n"
    assert simulators.SECONDS > 0


def test_a_command_that_is_ended_ends_its_tools(place):
    """Yosys and ABC run in sessions of their own, and would go on for hours."""
    code = "from dbhw import cli\nimport argparse\nfrom dbhw.tools import process\n"
    code += "def run(args): process.run('sleep', ['sleep', '60'], '.', seconds=50)\n"
    code += "class Parser:\n    parse_args = lambda self, a: argparse.Namespace(run=run, quiet=True)\n"
    code += "cli.parser = Parser\nraise SystemExit(cli.main())\n"
    command = subprocess.Popen([sys.executable, "-c", code])
    children = Path(f"/proc/{command.pid}/task/{command.pid}/children")
    while not (found := children.read_text().split()):
        time.sleep(0.05)
    command.send_signal(signal.SIGTERM)
    assert command.wait(30) == 143
    gone = time.monotonic() + 30
    while Path(f"/proc/{found[0]}").exists():  # until the system has taken note of its end
        assert time.monotonic() < gone
        time.sleep(0.05)
