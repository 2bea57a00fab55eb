"""Finding a program and running it."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from dbhw.base.errors import DbhwError


class ToolError(RuntimeError):
    """A tool failed on something we made: a bug here, not a wrong input. `output` is all that the tool printed."""

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


def find(program: str, purpose: str) -> str:
    """The path of a program: beside Python's, where packages put theirs, or on the PATH.

    >>> find("no-such-program", "to build for a board")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: no-such-program must be installed to build for a board, but it is not found
    """
    beside = Path(sys.executable).parent / program
    found = str(beside) if beside.exists() else shutil.which(program)
    if found is None:
        raise DbhwError(f"{program} must be installed {purpose}, but it is not found")
    return found


def missing(packages: Iterable[str]) -> list[str]:
    """The Python packages that are not installed.

    >>> missing(["numpy", "no_such_package"])
    ['no_such_package']
    """
    return [package for package in packages if importlib.util.find_spec(package) is None]


def run(
    tool: str, command: Sequence[str], folder: str | Path, *, script: str = "", seconds: float | None = None
) -> str:
    """Runs a command in a folder, with a script on its standard input, and returns its standard output.

    After so many seconds it is ended, with all that it started, and `subprocess.TimeoutExpired` is raised.

    >>> run("python", [sys.executable, "-"], ".", script="print('hello')")
    'hello\\n'
    >>> run("python", [sys.executable, "-c", "raise SystemExit('no such option')"], ".")
    Traceback (most recent call last):
    ...
    dbhw.tools.process.ToolError: python failed: no such option
    """
    with subprocess.Popen(
        command,
        cwd=folder,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=seconds is not None,
    ) as running:
        try:
            output, errors = running.communicate(script, seconds)
        except BaseException:
            # What the tool started itself holds its pipes open, and would be waited for.
            with contextlib.suppress(ProcessLookupError):
                running.kill() if seconds is None else os.killpg(running.pid, signal.SIGKILL)
            raise
    if running.returncode:
        raise ToolError(f"{tool} failed: {last_lines(output + errors)}", output + errors)
    return output


def last_lines(text: str, count: int = 3) -> str:
    """The last lines of what a tool printed, as one line.

    >>> last_lines("reading\\nmapping\\nout of memory\\n", 2)
    'mapping / out of memory'
    """
    return " / ".join(text.strip().splitlines()[-count:])
