"""The C compiler of this machine, and what its processor has."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from dbhw.base import files
from dbhw.tools import process

SECONDS = 60.0  # then a compiler is taken to hang
_NAMES = ["cc", "gcc", "clang"]
# By a flag of an x86 processor: the bytes of its vectors, and the compiler's options for them. The first one counts.
_VECTORS = {"avx512bw": (64, ["-mavx512f", "-mavx512bw", "-mprefer-vector-width=512"]), "avx2": (32, ["-mavx2"])}


class UnavailableError(Exception):
    """Why there is no compiled net, in a few words."""


def find() -> list[str]:
    """The command of the C compiler: CC of the environment, or the first of cc, gcc and clang that is installed.

    >>> isinstance(find(), list)
    True
    """
    named = shlex.split(os.environ.get("CC", ""))
    if named:
        if shutil.which(named[0]) is None:
            raise UnavailableError(f"the C compiler CC={named[0]} is not found")
        return named
    found = next((path for path in map(shutil.which, _NAMES) if path), None)
    if found is None:
        raise UnavailableError("no C compiler is found")
    return [found]


def identity() -> str:
    """What tells this compiler and processor from others, as far as what they make differs.

    >>> identity() == identity()
    True
    """
    command = find()
    program = Path(shutil.which(command[0]) or command[0]).resolve()
    state = program.stat()
    return f"{command} {program} {state.st_size} {state.st_mtime_ns} {platform.machine()} {vectors()}"


@cache
def vectors() -> tuple[int, list[str]]:
    """The bytes of the processor's vectors, and the compiler's options for them.

    >>> vectors()[0] in (16, 32, 64)
    True
    """
    try:
        words = set(Path("/proc/cpuinfo").read_text().split())
    except OSError:
        words = set()
    return next((found for flag, found in _VECTORS.items() if flag in words), (16, []))


def library(sources: Mapping[str, str | bytes], options: Sequence[str], levels: Mapping[str, str]) -> bytes:
    """A shared library of C sources; `levels` has the level of optimisation of each that is compiled.

    >>> library({"a.c": "int f(void) { return 1; }"}, [], {"a.c": "-O1"})[1:4]
    b'ELF'
    """
    compiler = find()
    try:
        with tempfile.TemporaryDirectory(prefix="dbhw-") as folder:
            files.write_all(folder, sources)
            for name, level in levels.items():
                _run([*compiler, level, *options, "-fPIC", "-c", name, "-o", f"{name}.o"], folder)
            _run([*compiler, "-shared", *(f"{name}.o" for name in levels), "-o", "net.so"], folder)
            return (Path(folder) / "net.so").read_bytes()
    except subprocess.TimeoutExpired as wrong:
        raise UnavailableError(f"the C compiler takes more than {SECONDS:g} s") from wrong
    except process.ToolError as wrong:
        raise UnavailableError(str(wrong)) from wrong
    except (OSError, ValueError) as wrong:  # a DbhwError is a ValueError: the folder for temporary files is full
        raise UnavailableError(f"the C compiler cannot be run: {wrong}") from wrong


def _run(command: list[str], folder: str) -> None:
    process.run("the C compiler", command, folder, seconds=SECONDS)
