"""The best net within a number of look-up tables, after real synthesis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import mean
from typing import Any

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.data.dataset import Data
from dbhw.fpga import families
from dbhw.model.model import Model
from dbhw.report.area import of_model
from dbhw.tabular import choice
from dbhw.tabular.choice import Choice
from dbhw.tabular.fit import fit_table

_TRIES = 5
_FOLDS, _DEALS, _MANY_ROWS = 5, 3, 5000  # of cross-validation; of many rows, one fold is enough
_NEAR = 0.9  # the part of the budget from which on a net is large enough
_SAFE = 0.96  # aims a little lower than the budget, since no two nets of one size take the same area


@dataclass(frozen=True)
class Try:
    """A net that was trained: the look-up tables that the estimate was asked for, those after synthesis, its accuracy.

    The accuracy is that on rows that were left out of training.
    """

    asked: int
    luts: int
    accuracy: float


@dataclass(frozen=True)
class Found:
    """The best model within the budget, and everything that was tried."""

    model: Model
    best: Try
    tried: tuple[Try, ...]
    max_luts: int

    def one_more(self) -> float | None:
        """The accuracy that one more look-up table would bring, by the next larger net; None if none was tried."""
        larger = [t for t in self.tried if t.luts > self.best.luts]
        if not larger:
            return None
        nearest = min(larger, key=lambda t: t.luts)
        return (nearest.accuracy - self.best.accuracy) / (nearest.luts - self.best.luts)


def within(data: Data, max_luts: int, target: str, *, balance: float = 0.0, seed: int = 0) -> Found:
    """The most accurate net that takes at most `max_luts` look-up tables on a target; it is trained on all of the data.

    The number of thresholds is chosen first, for nets of the size that the estimate expects to fit. Then the size is
    fitted to what synthesis says. Nets are compared by cross-validation, or on a fifth of the rows if there are many.

    >>> from dbhw.data.tables.column import Column
    >>> x = np.arange(16)[:, None] >> np.arange(4) & 1
    >>> data = Data.of(x, np.arange(16) >= 6, columns=(Column("a", "integer", 4),))
    >>> within(data, 2, "ice40").best.luts <= 2
    True
    """
    whole("max luts", max_luts, 1)
    sized = partial(_sized, data, families.find(target).lut_inputs, balance, seed)
    thresholds = _best_thresholds(data, sized, max_luts)
    tried: list[tuple[Try, Model]] = []
    asked = max_luts
    for number in range(1, _TRIES + 1):
        chosen = sized(asked, thresholds)
        label = f"training, size {number} of at most {_TRIES}"
        model = fit_table(data, chosen, label)
        tried.append((Try(asked, of_model(model, target).luts, _validated(data, chosen, label)), model))
        following = _next([each for each, _ in tried], max_luts)
        if following == asked or sized(max(following, 1), thresholds) == chosen:
            break
        asked = following
    return _best(tried, max_luts, target)


def _sized(data: Data, lut_inputs: int, balance: float, seed: int, luts: int, thresholds: int | None) -> Choice:
    """The net for so many look-up tables by the estimate; the smallest where it says that nothing fits."""
    examples, classes = len(data.y), len(data.classes)
    said: dict[str, Any] = {"balance": balance, "seed": seed}
    try:
        sizes = (luts, examples, classes, len(data.columns))
        return choice.within(*sizes, thresholds=thresholds, lut_inputs=lut_inputs, **said)
    except DbhwError:  # synthesis may find that it fits all the same
        return choice.with_votes(choice.FEWEST_VOTES, examples, classes, 1, fan_in=lut_inputs, **said)


def _best_thresholds(data: Data, sized: Callable[[int, int | None], Choice], luts: int) -> int:
    """The most accurate number of thresholds of a column."""
    chosen = list(dict.fromkeys(sized(luts, number) for number in choice.NUMBERS_OF_THRESHOLDS))
    if len(chosen) == 1 or all(column.width == 1 for column in data.columns):
        return sized(luts, None).thresholds
    label = "training, number of thresholds"
    return max(chosen, key=lambda each: (_validated(data, each, label), each.thresholds)).thresholds


def _validated(data: Data, chosen: Choice, label: str) -> float:
    """The accuracy of such a net on rows that it was not trained on."""
    folds = _folds(data.y)
    found = []
    for number, fold in enumerate(folds, 1):
        model = fit_table(_rows(data, ~fold), chosen, f"{label}, fold {number} of {len(folds)}")
        checked = _rows(data, fold)
        found.append(float((model.predict(checked.x) == checked.y).mean()))
    return mean(found)


def _folds(y: np.ndarray) -> list[np.ndarray]:
    """Which rows are in each fold: all folds have the same size, so that training is compiled once, and about the same
    share of each class. Few rows are dealt several times, since chance decides more there.
    """
    number = min(_FOLDS, len(y))
    dealt = [_dealt(y, number, seed) for seed in range(_DEALS)]
    folds = [deal == i for deal in dealt for i in range(number)]
    return folds[:1] if len(y) >= _MANY_ROWS else folds


def _dealt(y: np.ndarray, folds: int, seed: int) -> np.ndarray:
    """The fold of each row; what is left over is in none."""
    order = np.random.default_rng(seed).permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    place = np.empty(len(y), np.int64)
    place[order] = np.arange(len(y))
    return np.where(place < len(y) // folds * folds, place % folds, -1)


def _best(tried: Sequence[tuple[Try, Model]], max_luts: int, target: str) -> Found:
    fitting = [each for each in tried if each[0].luts <= max_luts]
    if not fitting:
        least = min(each.luts for each, _ in tried)
        raise DbhwError(f"max luts must be enough for a net on {target}, but the smallest tried takes {least}")
    best, model = max(fitting, key=lambda each: (each[0].accuracy, -each[0].luts))
    return Found(model, best, tuple(each for each, _ in tried), max_luts)


def _next(tried: Sequence[Try], max_luts: int) -> int:
    """What to ask of the estimate so that the net comes nearest to the budget; the same where it is near already.

    In proportion at first; between the largest that fits and the smallest that does not, once there are both.
    """
    last = tried[-1]
    if _NEAR * max_luts <= last.luts <= max_luts:
        return last.asked
    fitting = [each.asked for each in tried if each.luts <= max_luts]
    larger = [each.asked for each in tried if each.luts > max_luts]
    if fitting and larger and max(fitting) < min(larger):
        return (max(fitting) + min(larger)) // 2
    return int(last.asked * max_luts * _SAFE / max(last.luts, 1))


def _rows(data: Data, index: np.ndarray) -> Data:
    return replace(data, x=data.x[index], y=data.y[index])
