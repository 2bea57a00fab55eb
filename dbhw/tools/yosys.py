"""Yosys, as the pyosys package has it: a library for Python, which here runs in a process of its own.

Yosys ends the process it runs in when a script fails, so it never runs in ours.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dbhw.tools import process

_RUN_SCRIPT = """
import sys
sys.path.append(sys.argv[1])
from pyosys import libyosys as ys
design = ys.Design()
for line in sys.stdin.read().splitlines():
    ys.run_pass(line, design)
"""

# Amaranth's script ends with a command that writes to standard output, where pyosys also writes its log.
_EXECUTABLE = """#!{python} -IS
import os, sys, tempfile
sys.path.append({packages!r})
from pyosys import libyosys as ys
if "-V" in sys.argv:
    sys.exit(print("Yosys 0.60"))
with tempfile.TemporaryDirectory() as folder:
    script, verilog = folder + "/script.ys", folder + "/top.v"
    with open(script, "w") as file:
        file.write(sys.stdin.read().rstrip() + " " + verilog)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    ys.run_pass("script " + script, ys.Design())
    with open(verilog, "rb") as file, out:
        out.write(file.read())
"""


# A module that synthesis keeps as it is (`keep_hierarchy`) is not flattened otherwise.
FLATTEN = ("setattr -mod -unset keep_hierarchy *", "flatten -noscopeinfo")

# A selection of the commonest operators on bits: `simplemap` makes gates of them much quicker than `techmap`, which can
# do all, would.
GATES = "t:$and t:$or t:$not t:$xor %u %u %u"


def run(script: list[str], folder: str | Path, seconds: float | None = None) -> str:
    """Runs Yosys commands in a folder and returns what Yosys printed.

    Where they take longer than `seconds` they are ended, and `subprocess.TimeoutExpired` is raised.

    >>> "hello" in run(["log hello"], ".")
    True
    """
    # Without the start-up of installed packages, which takes as long as loading Yosys.
    command = [sys.executable, "-I", "-S", "-c", _RUN_SCRIPT, _packages()]
    return process.run("yosys", command, folder, script="\n".join(script), seconds=seconds)


def _packages() -> str:
    """The folder that pyosys is installed in."""
    return str(Path(process.package("pyosys")).parent)


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


@contextmanager
def executable(folder: Path) -> Iterator[None]:
    """An executable for Amaranth, which calls one to write Verilog: pyosys has none. It is put into the folder.

    >>> with tempfile.TemporaryDirectory() as folder, executable(Path(folder)):
    ...     process.run("yosys", [os.environ["YOSYS"], "-V"], folder)
    'Yosys 0.60\\n'
    """
    path = folder / "yosys"
    path.write_text(_EXECUTABLE.format(python=sys.executable, packages=_packages()))
    path.chmod(0o755)
    before = os.environ.get("YOSYS")
    os.environ["YOSYS"] = str(path)
    try:
        yield
    finally:
        if before is None:
            del os.environ["YOSYS"]
        else:
            os.environ["YOSYS"] = before
