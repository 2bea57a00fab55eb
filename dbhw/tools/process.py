"""Finding a program and running it."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import FrameType

from dbhw.base import terminal
from dbhw.base.errors import DbhwError

_LOOK_SECONDS = 0.2  # between two calls of what watches a process


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


@cache
def package(name: str) -> str:
    """The folder of an installed package that a tool comes with.

    >>> Path(package("pyosys")).name
    'pyosys'
    >>> package("no_such_package")
    Traceback (most recent call last):
    ...
    dbhw.tools.process.ToolError: the no_such_package package is missing: install dbhw again
    """
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise ToolError(f"the {name} package is missing: install dbhw again")
    return str(Path(found.origin).parent)


def run(
    tool: str,
    command: Sequence[str],
    folder: str | Path,
    *,
    script: str = "",
    seconds: float | None = None,
    watch: Callable[[], None] | None = None,
) -> str:
    """Runs a command in a folder, with a script on its standard input, and returns its standard output.

    After so many seconds it is ended, with all that it started, and `subprocess.TimeoutExpired` is raised. `watch` is
    called now and then until the command ends.

    >>> run("python", [sys.executable, "-"], ".", script="print('hello')")
    'hello\\n'
    >>> run("python", [sys.executable, "-c", "raise SystemExit('no such option')"], ".")
    Traceback (most recent call last):
    ...
    dbhw.tools.process.ToolError: python failed: no such option
    >>> run("a tool", ["/no/such/tool"], ".")
    Traceback (most recent call last):
    ...
    dbhw.tools.process.ToolError: a tool cannot be run: No such file or directory
    """
    with terminal.working(tool), _started(tool, command, folder, seconds is not None) as (running, go_on):
        try:
            go_on()
            output, errors = _ended(running, script, seconds, watch)
        except BaseException:
            # What the tool started itself holds its pipes open, and would be waited for.
            with contextlib.suppress(ProcessLookupError):
                running.kill() if seconds is None else os.killpg(running.pid, signal.SIGKILL)
            raise
    if running.returncode:
        said = "" if running.returncode < 0 else last_lines(output + errors)
        raise ToolError(f"{tool} failed: {said or _ending(running.returncode)}", output + errors)
    return output


@contextlib.contextmanager
def _started(
    tool: str, command: Sequence[str], folder: str | Path, own_session: bool
) -> Iterator[tuple[subprocess.Popen[str], Callable[[], None]]]:
    """A process, and what lets SIGTERM act again, which waits while the process is started: it must be ended too."""
    pipe = subprocess.PIPE
    go_on = _hold_sigterm()
    try:
        running = subprocess.Popen(
            command,
            cwd=folder,
            text=True,
            errors="replace",
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            start_new_session=own_session,
        )
    except OSError as wrong:
        go_on()
        raise ToolError(f"{tool} cannot be run: {wrong.strerror}") from wrong
    with running:
        yield running, go_on


def _hold_sigterm() -> Callable[[], None]:
    """Makes SIGTERM wait, if Python code handles it; calling the result handles it, and whatever has come."""
    handler = signal.getsignal(signal.SIGTERM)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        return lambda: None
    come: list[tuple[int, FrameType | None]] = []

    def go_on() -> None:
        signal.signal(signal.SIGTERM, handler)
        for each in come[:1]:
            handler(*each)

    signal.signal(signal.SIGTERM, lambda number, frame: come.append((number, frame)))
    return go_on


def _ended(
    running: subprocess.Popen[str], script: str, seconds: float | None, watch: Callable[[], None] | None
) -> tuple[str, str]:
    """Waits for a process, and returns its output and its errors."""
    if watch is None:
        return running.communicate(script, seconds)
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        try:
            return running.communicate(script, _LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            if end is not None and time.monotonic() > end:
                raise
            watch()


def _ending(code: int) -> str:
    """How a process ended that was killed or printed nothing.

    >>> _ending(-9), _ending(4)
    ('it was ended by SIGKILL', 'it ended with code 4')
    """
    return f"it was ended by {signal.Signals(-code).name}" if code < 0 else f"it ended with code {code}"


def last_lines(text: str, count: int = 3) -> str:
    """The last lines of what a tool printed, as one line.

    >>> last_lines("reading\\nmapping\\nout of memory\\n", 2)
    'mapping / out of memory'
    """
    return " / ".join(text.strip().splitlines()[-count:])
