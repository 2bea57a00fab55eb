"""The plot of accuracy against area for a report, from what `dbhw pareto --json` printed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dbhw.base import records
from dbhw.base.errors import DbhwError
from dbhw.report.charts import Mark, accuracy_against_luts


@dataclass(frozen=True)
class _Net:
    luts: int
    depth: int
    validation_accuracy: float
    test_accuracy: float | None
    best: bool


@dataclass(frozen=True)
class Run:
    """A run of pareto: the data, the target, and the nets that were trained."""

    data: str
    target: str
    points: tuple[_Net, ...]


def read(path: str | Path) -> Run:
    """The run in a JSON file.

    >>> read("/no/such/pareto.json")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file /no/such/pareto.json must be readable: No such file or directory
    """
    found = records.read(Run, path, "what dbhw pareto --json prints")
    if not found.points:
        raise DbhwError(f"file {path} must have at least one net, but it has none")
    return found


def plot(run: Run, own: tuple[int, float] | None = None) -> str:
    """The run as a picture; `own` is the size and the accuracy of the net that a report is about.

    >>> "this net" in plot(Run("beans", "ice40", (_Net(80, 3, 0.9, 0.95, True),)), (70, 0.94))
    True
    """
    marks = [_mark(net) for net in run.points]
    if own is not None:
        luts, accuracy = own
        marks.append(Mark(luts, accuracy, "other", "this net", f"this net: {luts:,} LUTs, {accuracy:.2%}"))
    shown = "test rows" if run.points[0].test_accuracy is not None else "validation rows"
    caption = f"Accuracy on {shown}; the line joins the nets that are best for their size on validation rows."
    return accuracy_against_luts(f"{Path(run.data).name}: accuracy against LUTs on {run.target}", caption, marks)


def _mark(net: _Net) -> Mark:
    accuracy = net.validation_accuracy if net.test_accuracy is None else net.test_accuracy
    words = f"{net.luts:,} LUTs, depth {net.depth}, {accuracy:.2%}"
    return Mark(net.luts, accuracy, "best" if net.best else "other", f"{accuracy:.1%}, {net.luts:,} LUTs", words)
