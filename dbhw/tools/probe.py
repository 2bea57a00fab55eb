"""Trying out a tool: it is really run, with a time limit, and what becomes of it is said in a few words."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from dbhw.tools import process

SECONDS = 60.0  # the first start of some tools takes long: they are translated for the machine then
WORKS, MISSING, FAILS, HANGS = "works", "missing", "fails", "hangs"
_NUMBER = re.compile(r"\d+\.\d[\w.+-]*")


@dataclass(frozen=True)
class Probe:
    """A tool, what it is for, how it is tried, and how to get it."""

    name: str
    purpose: str
    command: tuple[str, ...]  # a program beside Python's or on the PATH, and its words
    get: str
    required: bool = False
    package: str = ""  # the package whose version it is; else the first number that the tool prints
    shows_answer: bool = False  # what it prints is part of what is said
    any_exit: bool = False  # a tool that has no harmless command but its help, and then fails


@dataclass(frozen=True)
class Found:
    """What became of a probe: one of works, missing, fails and hangs, and then the reason or an answer."""

    name: str
    purpose: str
    required: bool
    state: str
    version: str = ""
    reason: str = ""
    get: str = ""  # empty where the tool works


def run(probe: Probe, seconds: float = SECONDS) -> Found:
    """Tries a tool out.

    >>> run(Probe("python", "runs dbhw", (sys.executable, "--version"), "")).state
    'works'
    >>> run(Probe("slow", "waits", ("sleep", "60"), "wait"), seconds=0.1).reason
    'no answer within 0.1 s'
    """
    program = probe.command[0]
    beside = Path(sys.executable).parent / program
    path = str(beside) if beside.exists() else shutil.which(program)
    if path is None:
        return _found(probe, MISSING, reason=f"{program} is not found")
    try:
        said = process.run(probe.name, [path, *probe.command[1:]], ".", seconds=seconds)
    except subprocess.TimeoutExpired:
        return _found(probe, HANGS, reason=f"no answer within {seconds:g} s")
    except OSError as wrong:
        return _found(probe, FAILS, reason=f"{program}: {wrong.strerror}")
    except process.ToolError as wrong:
        if not (probe.any_exit and wrong.output.strip()):
            return _found(probe, FAILS, reason=process.last_lines(wrong.output, 1)[:200] or f"{program} crashes")
        said = wrong.output
    answer = process.last_lines(said, 1) if probe.shows_answer else ""
    return _found(probe, WORKS, _version(probe.package, said), answer)


def package(name: str, module: str, purpose: str, get: str, required: bool = False) -> Probe:
    """The probe of a Python package: its module is imported, in a process of its own.

    >>> run(package("numpy", "numpy", "counts", "pip install numpy")).state
    'works'
    >>> run(package("nothing", "no_such_module", "nothing", "")).reason
    "ModuleNotFoundError: No module named 'no_such_module'"
    """
    return Probe(name, purpose, (sys.executable, "-c", f"import {module}"), get, required, name)


def _found(probe: Probe, state: str, number: str = "", reason: str = "") -> Found:
    if reason.startswith("ModuleNotFoundError"):
        state = MISSING
    get = "" if state == WORKS else probe.get
    return Found(probe.name, probe.purpose, probe.required, state, number, reason, get)


def _version(package: str, said: str) -> str:
    if package:
        try:
            return version(package)
        except PackageNotFoundError:
            return ""
    number = _NUMBER.search(said)
    return number[0] if number else ""
