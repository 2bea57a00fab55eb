"""Results as JSON for programs or as aligned text for people, and progress bars, which only a terminal shows."""

from __future__ import annotations

import json
import shutil
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from tqdm import tqdm

_QUIET = ContextVar("quiet", default=False)
_TICK_SECONDS = 0.5  # between two looks at the time that progress shows


def result(values: Mapping[str, object], as_json: bool) -> None:
    """Prints a command's result as one JSON object, or as a line for each value.

    >>> result({"luts": 3, "mismatches": 0}, as_json=False)
    luts        3
    mismatches  0
    >>> result({"luts": 3, "mismatches": 0}, as_json=True)
    {"luts": 3, "mismatches": 0}
    """
    if as_json:
        print(json.dumps(values))
        return
    width = max(map(len, values))
    for name, value in values.items():
        print(f"{name.replace('_', ' '):{width}}  {_plain(value)}")


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as aligned columns, the first row underlined.

    >>> print(table([("step", "seconds"), ("train", "41")]))
    step   seconds
    ─────  ───────
    train  41
    """
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(f"{cell:{w}}" for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("─" * w for w in widths), *lines[1:]])


def bar(used: int, available: int, width: int = 20) -> str:
    """How much of a resource is used, as a bar and in numbers.

    >>> bar(320, 1280)
    '█████░░░░░░░░░░░░░░░ 320 of 1280, 25.0 %'
    """
    full = min(round(width * used / available), width)
    return f"{'█' * full}{'░' * (width - full)} {used} of {available}, {100 * used / available:.1f} %"


class Bar(Protocol):
    """What is used of a progress bar."""

    n: float

    def update(self, n: float = 1) -> None: ...

    def set_postfix(self, *, refresh: bool, **values: str) -> None: ...

    def set_postfix_str(self, s: str) -> None: ...


@contextmanager
def quiet(wanted: bool = True) -> Iterator[None]:
    """Within it there is no progress and there are no notes, as --quiet wants it.

    >>> with quiet():
    ...     note("not shown")
    """
    before = _QUIET.set(wanted)
    try:
        yield
    finally:
        _QUIET.reset(before)


def note(text: str) -> None:
    """Tells people something beside the result, on standard error.

    >>> note("5 rows were left out")
    """
    if not _QUIET.get():
        print(text, file=sys.stderr, flush=True)


@contextmanager
def progress(total: int, label: str) -> Iterator[Bar]:
    """A progress bar on a terminal; nothing in a pipe, or if quiet.

    >>> with progress(2, "counting") as bar:
    ...     _ = bar.update(1)
    """
    with tqdm(total=total, desc=label, disable=_hidden(), **_look()) as bar, _ticking(bar):
        yield bar


@contextmanager
def working(on: str) -> Iterator[None]:
    """Says on a terminal what runs now and for how long, if it takes more than a moment.

    >>> with working("yosys"):
    ...     pass
    """
    if _hidden():
        yield
        return
    with tqdm(desc=on, bar_format="{desc}, {elapsed}", delay=_TICK_SECONDS / 2, **_look()) as line, _ticking(line):
        yield


def _look() -> dict[str, Any]:
    """What all progress has in common. A terminal that says it has no columns and no lines gets the usual ones."""
    columns, lines = shutil.get_terminal_size()
    return {"ncols": columns, "nrows": lines, "leave": False, "miniters": 0}


def _hidden() -> bool:
    return _QUIET.get() or not sys.stderr.isatty()


@contextmanager
def _ticking(bar: tqdm[Any]) -> Iterator[None]:
    """Lets the time that is shown go on while nothing else happens."""
    if bar.disable:
        yield
        return
    ended = threading.Event()

    def tick() -> None:
        while not ended.wait(_TICK_SECONDS):
            bar.update(0)

    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    try:
        yield
    finally:
        ended.set()
        ticker.join()


def _plain(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
