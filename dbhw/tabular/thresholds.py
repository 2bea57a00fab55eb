"""Choosing the thresholds of an encoder on training data, and the encoders of all columns of a table.

| way           | thresholds                                                                                    |
|---------------|-----------------------------------------------------------------------------------------------|
| `quantiles`   | as many examples lie between any two of them                                                  |
| `even`        | at equal distances between the least and the largest value                                    |
| `information` | those that say most about the class, one after the other, as a decision tree would split      |
| `powers`      | at multiples of a power of two: their comparators read only the upper bits                    |
| `learned`     | many, by quantiles; the wiring that is trained with the net chooses, and the others disappear |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dbhw.base.errors import one_of, whole
from dbhw.data.dataset import Data
from dbhw.data.tables.column import Column, of_bits
from dbhw.nn.encoders import Encoder
from dbhw.nn.encoders.bits import Bits
from dbhw.nn.encoders.one_hot import OneHot
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layers.encode import Encode

_LEARNED = 64  # candidates of a column


def choose(values: np.ndarray, labels: np.ndarray, most: int, way: str) -> tuple[int, ...]:
    """At most `most` thresholds for integers with class labels; every one of them splits the examples.

    >>> values, labels = np.array([1, 2, 3, 9, 10, 30]), np.array([0, 0, 0, 1, 1, 0])
    >>> choose(values, labels, 2, "quantiles"), choose(values, labels, 2, "even")
    ((3, 10), (10, 20))
    >>> choose(values, labels, 2, "information"), choose(values, labels, 2, "powers")
    ((9, 30), (16,))
    """
    whole("thresholds", most, 1)
    if way not in WAYS:
        raise one_of("way to choose thresholds", way, list(WAYS))
    low, high = int(values.min()), int(values.max())
    found = WAYS[way](values, labels, most)
    return tuple(sorted({int(t) for t in found if low < t <= high}))


def encoder(columns: Sequence[Column], data: Data, most: int, way: str) -> Encode:
    """The layer that encodes the columns of a table: bits as they are, categories one-hot, numbers by thresholds.

    >>> columns = (Column("a", "integer", 3), Column("b", "bit", 1))
    >>> data = Data.of([[0, 1, 0, 1], [1, 1, 1, 0]], [0, 1], columns=columns)
    >>> encoder(columns, data, 4, "quantiles").encoders
    (Thermometer(width=3, signed=False, thresholds=(7,)), Bits(width=1, signed=False))
    """
    integers = of_bits(columns, data.x)
    return Encode(tuple(_encoder(c, v, data.y, most, way) for c, v in zip(columns, integers.T, strict=True)))


def _encoder(column: Column, values: np.ndarray, labels: np.ndarray, most: int, way: str) -> Encoder:
    if column.kind == "category":
        return OneHot(column.width, column.signed, len(column.categories))
    if column.width == 1 and not column.signed:
        return Bits(1, False)
    return Thermometer(column.width, column.signed, choose(values, labels, most, way))


def _quantiles(values: np.ndarray, most: int) -> np.ndarray:
    return np.quantile(values, np.arange(1, most + 1) / (most + 1), method="higher")


def _even(values: np.ndarray, most: int) -> np.ndarray:
    low, high = int(values.min()), int(values.max())
    return low + (high - low) * np.arange(1, most + 1) // (most + 1)


def _powers(values: np.ndarray, most: int) -> np.ndarray:
    low, high = int(values.min()), int(values.max())
    step = 1
    while high // step - low // step > most:
        step *= 2
    return np.arange(low // step + 1, high // step + 1) * step


def _learned(values: np.ndarray, most: int) -> np.ndarray:
    return _quantiles(values, max(most, _LEARNED))


def _information(values: np.ndarray, labels: np.ndarray, most: int) -> list[int]:
    """Splits the part whose best threshold gains most, until there are enough thresholds or nothing is gained."""
    distinct, place = np.unique(values, return_inverse=True)
    counts = np.zeros((len(distinct), int(labels.max()) + 1))
    np.add.at(counts, (place, labels), 1)
    parts = [_best_split(counts, 0, len(distinct))]
    found: list[int] = []
    while parts and len(found) < most:
        gain, first, split, last = parts.pop(parts.index(max(parts)))
        if gain <= 1e-9:
            break
        found.append(int(distinct[split]))
        parts += [_best_split(counts, first, split), _best_split(counts, split, last)]
    return found


def _best_split(counts: np.ndarray, first: int, last: int) -> tuple[float, int, int, int]:
    """The most bits of information that a threshold within a part gains, and the part with that threshold."""
    below = counts[first:last].cumsum(axis=0)
    whole_part = below[-1]
    gains = _bits(whole_part) - _bits(below[:-1]) - _bits(whole_part - below[:-1])
    if not len(gains):
        return 0.0, first, first, last
    best = int(gains.argmax())
    return float(gains[best]), first, first + best + 1, last


def _bits(counts: np.ndarray) -> np.ndarray:
    """The entropy of class labels times their number, along the last axis."""
    total = counts.sum(axis=-1, keepdims=True)
    logarithms = np.log2(np.where(counts > 0, total / np.where(counts > 0, counts, 1), 1))
    return (counts * logarithms).sum(axis=-1)


WAYS: dict[str, Callable[[np.ndarray, np.ndarray, int], Sequence[int] | np.ndarray]] = {
    "quantiles": lambda values, _, most: _quantiles(values, most),
    "even": lambda values, _, most: _even(values, most),
    "information": _information,
    "powers": lambda values, _, most: _powers(values, most),
    "learned": lambda values, _, most: _learned(values, most),
}
