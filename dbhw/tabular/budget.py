"""The best net within a number of look-up tables, after real synthesis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.data.dataset import Data
from dbhw.data.tables.split import split
from dbhw.fpga import families
from dbhw.model.model import Model
from dbhw.report.area import of_model
from dbhw.tabular import choice
from dbhw.tabular.choice import Choice
from dbhw.tabular.fit import fit_table

_TRIES = 5
_NEAR = 0.9  # the part of the budget from which on a net is large enough
_SAFE = 0.96  # aims a little lower than the budget, since no two nets of one size take the same area


@dataclass(frozen=True)
class Try:
    """A net that was trained: the look-up tables that the estimate was asked for, those after synthesis, its accuracy.

    The accuracy is that on validation rows.
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


def within(
    data: Data, max_luts: int, target: str, *, balance: float = 0.0, seed: int = 0, validation: Data | None = None
) -> Found:
    """The net with the best accuracy on validation rows that takes at most `max_luts` look-up tables on a target.

    Without validation rows a part of the data is kept for that; the best size is then trained again on all of it, and
    that net is taken if it fits too.

    >>> from dbhw.data.tables.column import Column
    >>> x = np.arange(16)[:, None] >> np.arange(4) & 1
    >>> data = Data.of(x, np.arange(16) >= 6, columns=(Column("a", "integer", 4),))
    >>> within(data, 2, "ice40", validation=data).best.luts <= 2
    True
    """
    whole("max luts", max_luts, 1)
    train, checked = (data, validation) if validation is not None else _parts(data)
    lut_inputs = families.find(target).lut_inputs

    def sized(luts: int, examples: int) -> Choice:
        classes = len(data.classes)
        said: dict[str, Any] = {"balance": balance, "seed": seed}
        try:
            return choice.within(luts, examples, classes, len(data.columns), lut_inputs=lut_inputs, **said)
        except DbhwError:  # by the estimate nothing fits; synthesis may find that the smallest net does
            return choice.with_votes(choice.FEWEST_VOTES, examples, classes, 1, fan_in=lut_inputs, **said)

    tried: list[tuple[Try, Model]] = []
    asked = max_luts
    for number in range(1, _TRIES + 1):
        chosen = sized(asked, len(train.y))
        model = fit_table(train, chosen, f"training, size {number} of at most {_TRIES}")
        accuracy = float((model.predict(checked.x) == checked.y).mean())
        tried.append((Try(asked, of_model(model, target).luts, accuracy), model))
        following = _next([each for each, _ in tried], max_luts)
        if following == asked or sized(max(following, 1), len(train.y)) == chosen:
            break
        asked = following
    found = _best(tried, max_luts, target)
    return found if validation is not None else _on_all(found, data, sized(found.best.asked, len(data.y)), target)


def _best(tried: Sequence[tuple[Try, Model]], max_luts: int, target: str) -> Found:
    fitting = [each for each in tried if each[0].luts <= max_luts]
    if not fitting:
        least = min(each.luts for each, _ in tried)
        raise DbhwError(f"max luts must be enough for a net on {target}, but the smallest tried takes {least}")
    best, model = max(fitting, key=lambda each: (each[0].accuracy, -each[0].luts))
    return Found(model, best, tuple(each for each, _ in tried), max_luts)


def _on_all(found: Found, data: Data, chosen: Choice, target: str) -> Found:
    model = fit_table(data, chosen, "training on all rows")
    luts = of_model(model, target).luts
    return replace(found, model=model, best=replace(found.best, luts=luts)) if luts <= found.max_luts else found


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


def _parts(data: Data) -> tuple[Data, Data]:
    parts = split(data.y, validation=0.2, test=0.0)
    return _rows(data, parts.train), _rows(data, parts.validation)


def _rows(data: Data, index: np.ndarray) -> Data:
    return replace(data, x=data.x[index], y=data.y[index])
