"""The best net within a number of look-up tables, after real synthesis."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.data.dataset import Data
from dbhw.data.tables.split import split
from dbhw.model.model import Model
from dbhw.report.area import of_model
from dbhw.tabular.choice import with_votes
from dbhw.tabular.fit import fit_table

_TRIES = 5
_NEAR = 0.9  # the part of the budget from which on a net is large enough


@dataclass(frozen=True)
class Try:
    """A net that was trained: its size, its look-up tables after synthesis, and its accuracy on validation rows."""

    votes: int
    luts: int
    accuracy: float


@dataclass(frozen=True)
class Found:
    """The best model within the budget, and everything that was tried."""

    model: Model
    best: Try
    tried: tuple[Try, ...]

    def one_more(self) -> float | None:
        """The accuracy that one more look-up table would bring, by the next larger net; None if none was tried."""
        larger = [t for t in self.tried if t.luts > self.best.luts]
        if not larger:
            return None
        nearest = min(larger, key=lambda t: t.luts)
        return (nearest.accuracy - self.best.accuracy) / (nearest.luts - self.best.luts)


def within(data: Data, max_luts: int, target: str, seed: int = 0, validation: Data | None = None) -> Found:
    """The net with the best accuracy on validation rows that takes at most `max_luts` look-up tables on a target.

    Without validation rows a part of the data is kept for that; the best size is then trained again on all of it, if
    it still fits.
    """
    whole("max luts", max_luts, 1)
    train, checked = (data, validation) if validation is not None else _parts(data)
    tried: dict[int, tuple[Try, Model]] = {}
    classes = len(data.classes)
    votes = _first_guess(max_luts, classes)
    for _ in range(_TRIES):
        if votes in tried:
            break
        model = fit_table(train, with_votes(votes, len(train.y), classes, seed), f"training {votes * classes} tables")
        luts = of_model(model, target).luts
        tried[votes] = Try(votes, luts, float((model.predict(checked.x) == checked.y).mean())), model
        votes = _next(votes, luts, max_luts)
    fitting = [each for each in tried.values() if each[0].luts <= max_luts]
    if not fitting:
        least = min(t.luts for t, _ in tried.values())
        raise DbhwError(f"max luts must be enough for a net on {target}, but the smallest tried takes {least}")
    best, model = max(fitting, key=lambda each: (each[0].accuracy, -each[0].luts))
    found = Found(model, best, tuple(t for t, _ in tried.values()))
    return found if validation is not None else _on_all(found, data, max_luts, target, seed)


def _on_all(found: Found, data: Data, max_luts: int, target: str, seed: int) -> Found:
    choice = with_votes(found.best.votes, len(data.y), len(data.classes), seed)
    model = fit_table(data, choice, "training on all rows")
    luts = of_model(model, target).luts
    if luts > max_luts:
        return found
    return replace(found, model=model, best=replace(found.best, luts=luts))


def _first_guess(max_luts: int, classes: int) -> int:
    """About 3 look-up tables for each vote: its table, its count, its thresholds."""
    return max(1, max_luts // (3 * classes))


def _next(votes: int, luts: int, max_luts: int) -> int:
    """The size that comes nearest to the budget if area grows in proportion; the same size where it is near already."""
    if _NEAR * max_luts <= luts <= max_luts:
        return votes
    wanted = int(votes * max_luts * 0.97 / luts)
    return max(1, min(wanted, 4 * votes)) if luts < max_luts else max(1, min(wanted, votes - 1))


def _parts(data: Data) -> tuple[Data, Data]:
    parts = split(data.y, validation=0.2, test=0.0)
    return _rows(data, parts.train), _rows(data, parts.validation)


def _rows(data: Data, index: np.ndarray) -> Data:
    return replace(data, x=data.x[index], y=data.y[index])
