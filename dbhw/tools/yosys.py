"""Yosys and ABC out of the pyosys wheel, each run as a process of its own.

Yosys ends the process it runs in when a script fails, so it never runs in ours.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

_RUN_SCRIPT = """
import sys
from pyosys import libyosys as ys
design = ys.Design()
for line in sys.stdin.read().splitlines():
    ys.run_pass(line, design)
"""


class ToolError(RuntimeError):
    """A tool failed on something we made: a bug here, not a wrong input."""


def run(script: list[str], folder: str | Path) -> str:
    """Runs Yosys commands in a folder and returns what Yosys printed.

    >>> "hello" in run(["log hello"], ".")
    True
    """
    return _run("yosys", [sys.executable, "-c", _RUN_SCRIPT], folder, "\n".join(script))


def abc(script: list[str], folder: str | Path, seconds: float | None = None) -> str:
    """Runs ABC commands in a folder and returns what ABC printed, or nothing where they take longer than they may.

    >>> "hello" in abc(["echo hello"], ".")
    True
    """
    try:
        return _run("abc", [str(_package() / "yosys-abc"), "-c", "; ".join(script)], folder, seconds=seconds)
    except subprocess.TimeoutExpired:
        return ""


def verilog_from_rtlil(il: str) -> str:
    """RTLIL as Verilog, by Yosys.

    >>> "module empty" in verilog_from_rtlil("module \\\\empty\\nend\\n")
    True
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "net.il").write_text(il)
        run(["read_rtlil net.il", "write_verilog -norename -noattr net.v"], folder)
        return (Path(folder) / "net.v").read_text()


def rtlil_from_verilog(verilog: str) -> str:
    """Verilog as RTLIL, by Yosys.

    >>> "module \\\\empty" in rtlil_from_verilog("module empty; endmodule")
    True
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "net.v").write_text(verilog)
        run(["read_verilog net.v", "proc", "write_rtlil net.il"], folder)
        return (Path(folder) / "net.il").read_text()


def _run(tool: str, command: list[str], folder: str | Path, script: str = "", seconds: float | None = None) -> str:
    done = subprocess.run(
        command, input=script, cwd=folder, capture_output=True, text=True, check=False, timeout=seconds
    )
    if done.returncode:
        raise ToolError(f"{tool} failed: {_last_lines(done.stdout + done.stderr)}")
    return done.stdout


def _package() -> Path:
    found = importlib.util.find_spec("pyosys")
    if found is None or found.origin is None:
        raise ToolError("the pyosys package is missing: install dbhw again")
    return Path(found.origin).parent


def _last_lines(text: str) -> str:
    return " / ".join(text.strip().splitlines()[-3:])
