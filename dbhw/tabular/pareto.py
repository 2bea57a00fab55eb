"""Accuracy against look-up tables: nets of rising size for one table, each synthesised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.data.dataset import Data
from dbhw.data.tables.column import Column
from dbhw.fpga import families
from dbhw.report.area import of_model
from dbhw.tabular import choice
from dbhw.tabular.choice import Choice
from dbhw.tabular.fit import fit_table

_LEAST_VOTES = 3  # of a class, in the smallest net


@dataclass(frozen=True)
class Point:
    """A net that was trained: the look-up tables that were asked for, what it takes after synthesis, its accuracy.

    `best` says that no net of at most this size is as accurate on the validation rows.
    """

    asked: int
    luts: int
    depth: int
    validation_accuracy: float
    test_accuracy: float | None  # None without test rows
    best: bool = False


def sweep(train: Data, validation: Data, test: Data, luts: Sequence[int], target: str, seed: int = 0) -> list[Point]:
    """A net for each number of look-up tables; what it takes in the end is near that, by an estimate.

    A net that two numbers lead to is trained once.

    >>> data = Data.of([[0, 0], [1, 1]], [0, 1], columns=(Column("a", "integer", 2),))
    >>> sweep(data, data, data, [5], "ice40")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: LUTs must be at least 15 for 2 classes and 1 columns, not 5
    """
    if not len(validation.y):
        raise DbhwError("data must have validation rows to judge nets by: say --validation-share above 0")
    chosen = choices(train, luts, target, seed)
    points = []
    for number, (asked, each) in enumerate(chosen.items(), 1):
        model = fit_table(train, each, f"training, size {number} of {len(chosen)}")
        area = of_model(model, target)
        checked, tested = (
            float((model.predict(part.x) == part.y).mean()) if len(part.y) else None for part in (validation, test)
        )
        assert checked is not None
        points.append(Point(asked, area.luts, area.depth, checked, tested))
    best = front([(point.luts, point.validation_accuracy) for point in points])
    return [replace(point, best=i in best) for i, point in enumerate(points)]


def choices(train: Data, luts: Sequence[int], target: str, seed: int = 0) -> dict[int, Choice]:
    """The nets for these numbers of look-up tables, in rising order, each only under the first that leads to it.

    >>> data = Data.of([[0, 0], [1, 1]], [0, 1], columns=(Column("a", "integer", 2),))
    >>> list(choices(data, [2000, 1000, 30], "xilinx"))
    [30, 1000]
    """
    found: dict[int, Choice] = {}
    for asked in sorted(luts):
        each = choice.within(asked, *_shape(train), lut_inputs=families.find(target).lut_inputs, seed=seed)
        if each not in found.values():
            found[asked] = each
    return found


def sizes(number: int, train: Data, target: str) -> list[int]:
    """So many numbers of look-up tables, from a small net to the largest, each larger by the same factor.

    >>> data = Data.of([[0, 0], [1, 1]], [0, 1], columns=(Column("a", "integer", 2),))
    >>> sizes(3, data, "xilinx")
    [30, 70, 226]
    """
    whole("sizes", number, 1)
    fan_in = families.find(target).lut_inputs
    examples, classes, columns = _shape(train)
    votes = np.geomspace(_LEAST_VOTES, choice.most_votes(examples, fan_in), number).round().astype(int)
    return [choice.estimate(int(v), classes, columns * choice.THRESHOLDS, fan_in) for v in votes]


def front(found: Sequence[tuple[float, float]]) -> list[int]:
    """Which of these pairs of size and accuracy are best: none of at most its size is as accurate.

    >>> front([(10, 0.9), (20, 0.9), (5, 0.8), (30, 0.95), (30, 0.94)])
    [2, 0, 3]
    """
    best: list[int] = []
    for i in sorted(range(len(found)), key=lambda i: (found[i][0], -found[i][1])):
        if not best or found[i][1] > found[best[-1]][1]:
            best.append(i)
    return best


def with_columns(data: Data) -> Data:
    """Data of bits with a column for each of them, as the trainer of tables takes it.

    >>> with_columns(Data.of([[0, 1]], [0])).columns[1]  # doctest: +ELLIPSIS
    Column(name='x1', kind='bit', width=1, ...)
    """
    return data if data.columns else replace(data, columns=tuple(Column(name, "bit", 1) for name in data.features))


def _shape(train: Data) -> tuple[int, int, int]:
    """Examples, classes, and the columns that take comparators."""
    return len(train.y), len(train.classes), sum(column.width > 1 for column in train.columns)
