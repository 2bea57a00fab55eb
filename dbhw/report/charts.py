"""Accuracy against look-up tables as a picture: one SVG file that needs nothing else, for light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from pathlib import Path
from typing import Literal

from dbhw.base import records
from dbhw.base.errors import DbhwError

_WIDTH, _HEIGHT = 840, 560
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 816, 84, 460
_RADIUS = 5.0
_LETTER, _LINE = 7.0, 15.0  # about the width and height of the labels' letters
_FAR = 10  # a figure of others that is that many times as large as the largest of ours is named, not drawn

Kind = Literal["best", "other", "whole", "part"]
LEGEND: dict[Kind, str] = {
    "best": "dbhw, best for its size",
    "other": "dbhw",
    "whole": "published, everything counted",
    "part": "published, counts less or unclear",
}
_SHAPES = """
text { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif }
.title { font-size: 17px; font-weight: 600 } .grid { stroke-width: 1 } .front { stroke-width: 2; fill: none }
.label { font-size: 12px; paint-order: stroke; stroke-width: 3px; stroke-linejoin: round }
.best, .other { stroke-width: 2 } .whole, .part { stroke-width: 1.5 }
"""
# Written out for each scheme: not every viewer knows CSS variables.
_LIGHT = {"page": "#ffffff", "ink": "#1f2328", "faint": "#59636e", "grid": "#d8dee4", "ours": "#0b5fc2"}
_LIGHT |= {"theirs": "#a84800"}
_DARK = {"page": "#0d1117", "ink": "#e6edf3", "faint": "#9da7b1", "grid": "#30363d", "ours": "#6cb2ff"}
_DARK |= {"theirs": "#f5a15d"}


@dataclass(frozen=True)
class Mark:
    """A point: its label beside it, and the words that are shown when the pointer rests on it."""

    luts: int
    accuracy: float
    kind: Kind
    label: str
    words: str


@dataclass(frozen=True)
class _Frame:
    """From look-up tables (a logarithmic axis) and per cent to places in the picture."""

    luts: tuple[float, float]
    per_cent: tuple[float, float]

    def x(self, luts: float) -> float:
        low, high = self.luts
        return _LEFT + (_RIGHT - _LEFT) * log10(luts / low) / log10(high / low)

    def y(self, per_cent: float) -> float:
        low, high = self.per_cent
        return _BOTTOM - (_BOTTOM - _TOP) * (per_cent - low) / (high - low)

    def place(self, mark: Mark) -> tuple[float, float]:
        return self.x(max(mark.luts, 1)), self.y(100 * mark.accuracy)


def _colours(of: dict[str, str]) -> str:
    return f"""text {{ fill: {of["ink"]} }} .faint {{ fill: {of["faint"]} }} .page {{ fill: {of["page"]} }}
.label {{ stroke: {of["page"]} }} .grid {{ stroke: {of["grid"]} }} .front, .best, .other {{ stroke: {of["ours"]} }}
.best {{ fill: {of["ours"]} }} .other, .part {{ fill: {of["page"]} }}
.whole, .part {{ stroke: {of["theirs"]} }} .whole {{ fill: {of["theirs"]} }}
"""


def accuracy_against_luts(title: str, caption: str, marks: Sequence[Mark]) -> str:
    """The picture of some points; a line joins those of the kind `best`.

    >>> picture = accuracy_against_luts("beans", "LUTs on ice40", [Mark(80, 0.95, "best", "95.0 %", "80 LUTs")])
    >>> picture.startswith("<svg"), "<title>80 LUTs</title>" in picture
    (True, True)
    """
    drawn, outside = _in_reach(marks)
    frame = _frame(drawn)
    lines = [caption]
    if outside:
        lines.append(f"Not drawn, far larger: {'; '.join(f'{m.label} at {m.luts:,} LUTs' for m in outside)}")
    body = [
        *_axes(frame),
        *_front(frame, drawn),
        *(_symbol(mark.kind, *frame.place(mark), mark.words) for mark in reversed(_in_order(drawn))),
        *_labels(frame, drawn),
        *_legend({mark.kind for mark in drawn}),
        *(_text(_LEFT, _HEIGHT - 32 + 18 * i, line, "faint") for i, line in enumerate(lines)),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">'
    dark = f"@media (prefers-color-scheme: dark) {{\n{_colours(_DARK)}}}\n"
    top = [head, f"<title>{escape(title)}</title>", f"<style>{_SHAPES}{_colours(_LIGHT)}{dark}</style>"]
    page = f'<rect class="page" width="{_WIDTH}" height="{_HEIGHT}"/>'
    return "\n".join([*top, page, _text(_LEFT, 30, title, "title"), *body, "</svg>\n"])


def _in_reach(marks: Sequence[Mark]) -> tuple[list[Mark], list[Mark]]:
    ours = max((mark.luts for mark in marks if mark.kind in ("best", "other")), default=0)
    drawn = [mark for mark in marks if mark.kind in ("best", "other") or mark.luts <= _FAR * ours]
    return drawn, [mark for mark in marks if mark not in drawn]


def _frame(marks: Sequence[Mark]) -> _Frame:
    luts = [max(mark.luts, 1) for mark in marks]
    per_cent = [100 * mark.accuracy for mark in marks]
    margin = max(0.1 * (max(per_cent) - min(per_cent)), 0.5)
    return _Frame(
        (min(luts) / 1.4, max(luts) * 1.6), (max(min(per_cent) - margin, 0), min(max(per_cent) + margin, 100))
    )


def _axes(frame: _Frame) -> Iterator[str]:
    for value in ticks_of_ten(*frame.luts):
        x = frame.x(value)
        yield f'<line class="grid" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{_BOTTOM}"/>'
        yield _text(x, _BOTTOM + 18, f"{value:,}", "faint", "middle")
    for share in even_ticks(*frame.per_cent):
        y = frame.y(share)
        yield f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{_RIGHT}" y2="{y:.1f}"/>'
        yield _text(_LEFT - 8, y + 4, f"{share:g} %", "faint", "end")
    yield _text((_LEFT + _RIGHT) / 2, _BOTTOM + 38, "look-up tables (logarithmic)", "", "middle")
    yield f'<text transform="translate(20 {(_TOP + _BOTTOM) / 2:.0f}) rotate(-90)" text-anchor="middle">accuracy</text>'


def ticks_of_ten(low: float, high: float) -> list[int]:
    """Whole numbers 1, 2 and 5 times a power of ten within a range.

    >>> ticks_of_ten(80, 1100)
    [100, 200, 500, 1000]
    """
    powers = range(max(floor(log10(low)), 0), floor(log10(high)) + 1)
    return [n * 10**power for power in powers for n in (1, 2, 5) if low <= n * 10**power <= high]


def even_ticks(low: float, high: float) -> list[float]:
    """At most eight numbers within a range, at equal distances of 1, 2 or 5 times a power of ten.

    >>> even_ticks(91.3, 98.9)
    [92.0, 93.0, 94.0, 95.0, 96.0, 97.0, 98.0]
    """
    steps = (n * 10.0**power for power in range(-3, 3) for n in (1, 2, 5))
    step = next((each for each in steps if (high - low) / each <= 8), 100.0)
    first, last = -floor(-low / step), floor(high / step)
    return [round(i * step, 6) for i in range(first, last + 1)]


def _in_order(marks: Sequence[Mark]) -> list[Mark]:
    """Ours first: they get their labels first, and lie on top."""
    return sorted(marks, key=lambda mark: (list(LEGEND).index(mark.kind), mark.luts))


def _front(frame: _Frame, marks: Sequence[Mark]) -> Iterator[str]:
    best = [frame.place(mark) for mark in _in_order(marks) if mark.kind == "best"]
    if len(best) > 1:
        yield f'<polyline class="front" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in best)}"/>'


def _symbol(kind: Kind, x: float, y: float, words: str) -> str:
    """Circles are ours and squares the others', so that nobody has to tell colours apart."""
    if kind in ("best", "other"):
        shape = f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS:g}">'
        return f"{shape}<title>{escape(words)}</title></circle>"
    side = 1.7 * _RADIUS
    shape = f'<rect class="{kind}" x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:g}" height="{side:g}">'
    return f"{shape}<title>{escape(words)}</title></rect>"


Box = tuple[float, float, float, float]  # left, top, right, bottom


def _labels(frame: _Frame, marks: Sequence[Mark]) -> Iterator[str]:
    """A label beside each point, on the first side that is free; without a free side the words of the point say it."""
    reach = _RADIUS + 1
    taken: list[Box] = []
    for mark in marks:
        x, y = frame.place(mark)
        taken.append((x - reach, y - reach, x + reach, y + reach))
    for mark in _in_order(marks):
        free = next((box for box in _sides(mark, *frame.place(mark)) if _is_free(box, taken)), None)
        if free:
            taken.append(free)
            yield _text(free[0], free[3] - 4, mark.label, "label")


def _sides(mark: Mark, x: float, y: float) -> Iterator[Box]:
    width, gap = _LETTER * len(mark.label), _RADIUS + 3
    corners = [(x + gap, y + 2), (x + gap, y - _LINE / 2), (x - gap - width, y - _LINE - 2), (x - width / 2, y + gap)]
    corners += [(x - width / 2, y - gap - _LINE), (x - gap - width, y - _LINE / 2), (x - gap - width, y + 2)]
    for left, top in corners:
        yield left, top, left + width, top + _LINE


def _is_free(box: Box, taken: Sequence[Box]) -> bool:
    left, top, right, bottom = box
    inside = left >= _LEFT and right <= _RIGHT + 20 and top >= _TOP - 12 and bottom <= _BOTTOM
    return inside and all(
        right <= start or left >= end or bottom <= high or top >= low for start, high, end, low in taken
    )


def _legend(kinds: set[Kind]) -> Iterator[str]:
    x = float(_LEFT + 6)
    for kind, words in LEGEND.items():
        if kind in kinds:
            yield _symbol(kind, x, 53, words)
            yield _text(x + 12, 57, words, "faint")
            x += 36 + 7.1 * len(words)


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


@dataclass(frozen=True)
class _Net:
    luts: int
    depth: int
    validation_accuracy: float
    test_accuracy: float | None
    best: bool


@dataclass(frozen=True)
class Run:
    """What `dbhw pareto --json` printed: the data, the target, and the nets that were trained."""

    data: str
    target: str
    points: tuple[_Net, ...]


def read_run(path: str | Path) -> Run:
    """The run in a JSON file.

    >>> read_run("/no/such/pareto.json")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file /no/such/pareto.json must be readable: No such file or directory
    """
    found = records.read(Run, path, "what dbhw pareto --json prints")
    if not found.points:
        raise DbhwError(f"file {path} must have at least one net, but it has none")
    return found


def plot_run(run: Run, own: tuple[int, float] | None = None) -> str:
    """The run as a picture; `own` is the size and the accuracy of the net that a report is about.

    >>> "this net" in plot_run(Run("beans", "ice40", (_Net(80, 3, 0.9, 0.95, True),)), (70, 0.94))
    True
    """
    marks = [_mark_of(net) for net in run.points]
    if own is not None:
        luts, accuracy = own
        marks.append(Mark(luts, accuracy, "other", "this net", f"this net: {luts:,} LUTs, {accuracy:.2%}"))
    shown = "test rows" if run.points[0].test_accuracy is not None else "validation rows"
    caption = f"Accuracy on {shown}; the line joins the nets that are best for their size on validation rows."
    return accuracy_against_luts(f"{Path(run.data).name}: accuracy against LUTs on {run.target}", caption, marks)


def _mark_of(net: _Net) -> Mark:
    accuracy = net.validation_accuracy if net.test_accuracy is None else net.test_accuracy
    words = f"{net.luts:,} LUTs, depth {net.depth}, {accuracy:.2%}"
    return Mark(net.luts, accuracy, "best" if net.best else "other", f"{accuracy:.1%}, {net.luts:,} LUTs", words)
