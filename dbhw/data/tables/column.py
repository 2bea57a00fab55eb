"""A column of a user's table as an integer input of the hardware, and how its values become integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from dbhw.base.errors import DbhwError, one_of, whole

KINDS = ["bit", "integer", "real", "category", "missing"]
_SHOWN = 20  # so many words are listed in an error
MOST_BITS = 24  # more than that, no comparison in the soft net is exact


@dataclass(frozen=True)
class Column:
    """An integer input of `width` bits.

    A number x becomes the integer nearest to (x - offset) / scale; what lies outside the range becomes its nearest end.
    A word becomes its index in `categories`. A column of the kind `missing` is 1 where the cell of `source` is empty.
    An empty cell becomes `fill`; without one it is an error.

    >>> celsius = Column("celsius", "real", width=8, scale=0.5, offset=-40)
    >>> celsius.integers(np.array([-40.0, 20.3, 500.0])).tolist()
    [0, 121, 255]
    >>> celsius.integers(np.array([1.0, np.nan]), first_row=2)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: column celsius must have a number in row 3, but the cell is empty
    """

    name: str
    kind: str
    width: int
    signed: bool = False
    scale: float = 1.0
    offset: float = 0.0
    categories: tuple[str, ...] = ()
    fill: int | None = None
    source: str | None = None  # the table's column, if its name is another

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise one_of(f"kind of column {self.name}", self.kind, KINDS)
        whole(f"bits of column {self.name}", self.width, 1)
        if self.width > MOST_BITS:
            raise DbhwError(f"bits of column {self.name} must be at most {MOST_BITS}, not {self.width}")
        if not (isfinite(self.scale) and self.scale > 0 and isfinite(self.offset)):
            raise DbhwError(f"scale of column {self.name} must be above 0 and its offset a number, not {self.scale}")
        if self.fill is not None and not self.lowest <= self.fill <= self.highest:
            raise DbhwError(f"fill of column {self.name} must be within its {self.width} bits, not {self.fill}")

    @property
    def lowest(self) -> int:
        """The smallest integer of the input.

        >>> Column("a", "integer", 4, signed=True).lowest
        -8
        """
        return -(1 << self.width - 1) if self.signed else 0

    @property
    def highest(self) -> int:
        """The largest integer of the input.

        >>> Column("a", "integer", 4, signed=True).highest
        7
        """
        return self.lowest + (1 << self.width) - 1

    def integers(self, values: np.ndarray, first_row: int | np.ndarray = 1) -> np.ndarray:
        """The integers of a table's values: numbers with NaN for an empty cell, or words with "" for one.

        Errors count rows from `first_row`, or take their numbers from there.

        >>> Column("colour", "category", 2, categories=("blue", "red")).integers(np.array(["red", "blue"])).tolist()
        [1, 0]
        """
        empty = np.isnan(values) if values.dtype.kind == "f" else values == ""
        if self.kind == "missing":
            return empty.astype(np.int64)
        if self.fill is None and empty.any():
            what = "a word" if self.kind == "category" else "a number"
            row = _row(first_row, empty)
            raise DbhwError(f"column {self.name} must have {what} in row {row}, but the cell is empty")
        known = self._codes(values, empty, first_row) if self.kind == "category" else self._numbers(values, empty)
        return np.where(empty, 0 if self.fill is None else self.fill, known).astype(np.int64)

    def _codes(self, values: np.ndarray, empty: np.ndarray, first_row: int | np.ndarray) -> np.ndarray:
        codes = {word: code for code, word in enumerate(self.categories)}
        words = as_words(values)
        found = np.array([codes.get(word, -1) for word in words.tolist()], np.int64)
        unknown = (found < 0) & ~empty
        if unknown.any():
            where = f"column {self.name} in row {_row(first_row, unknown)}"
            raise one_of(where, words[int(np.argmax(unknown))], _some(self.categories))
        return found

    def _numbers(self, values: np.ndarray, empty: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):  # what overflows lies outside the range, and becomes its end
            scaled = (np.where(empty, self.offset, values).astype(np.float64) - self.offset) / self.scale
        return np.clip(np.floor(scaled + 0.5), self.lowest, self.highest)

    def of_any(self, values: np.ndarray) -> np.ndarray:
        """The integers of values of any type that NumPy holds: numbers, words, or objects of both.

        >>> Column("a", "integer", 2).of_any(np.array(["3", 1], object)).tolist()
        [3, 1]
        """
        if self.kind == "category" or (self.kind == "missing" and values.dtype.kind not in "biuf"):
            known = ["" if value is None or value != value else str(value) for value in values.tolist()]
            return self.integers(values.astype(np.float64) if values.dtype.kind in "biuf" else np.array(known, object))
        try:
            return self.integers(values.astype(np.float64))
        except (TypeError, ValueError) as wrong:
            raise DbhwError(f"column {self.name} must have numbers: {wrong}") from wrong

    def bits(self, integers: np.ndarray) -> np.ndarray:
        """The bits of integers on the input, the lowest first; two's complement if the column is signed.

        >>> Column("a", "integer", 3, signed=True).bits(np.array([-1, 3])).astype(int).tolist()
        [[1, 1, 1], [1, 1, 0]]
        """
        integers = np.asarray(integers)
        bits = np.empty((len(integers), self.width), bool)
        for i in range(self.width):  # bit by bit: a table may have millions of rows
            bits[:, i] = integers >> i & 1
        return bits

    def value(self, integer: int) -> float | int | str:
        """A value that becomes this integer: the middle of those that do, or the word.

        >>> Column("celsius", "real", width=8, scale=0.5, offset=-40).value(121)
        20.5
        """
        if self.kind == "category":
            return self.shown(integer)
        found = self.offset + self.scale * integer
        return found if self.kind == "real" else int(found)

    def shown(self, integer: int) -> str:
        """The lowest value that becomes this integer, in the user's own terms.

        >>> Column("celsius", "real", width=8, scale=0.5, offset=-40).shown(121)
        '20.25'
        """
        if self.kind == "category":
            return self.categories[integer] if 0 <= integer < len(self.categories) else str(integer)
        if self.kind == "real":
            return f"{self.offset + self.scale * (integer - 0.5):.10g}"
        return f"{self.offset + self.scale * integer:.15g}"


def as_words(values: np.ndarray) -> np.ndarray:
    """Values of a table as words: numbers in their shortest form, and "" for an empty cell.

    >>> as_words(np.array([1.0, 0.5, np.nan])).tolist()
    ['1', '0.5', '']
    """
    if values.dtype.kind != "f":
        return values
    distinct, inverse = np.unique(values, return_inverse=True)
    words = ["" if value != value else f"{value:.15g}" for value in distinct.tolist()]
    return np.array(words or [""], object)[inverse]


def _row(first_row: int | np.ndarray, wrong: np.ndarray) -> int:
    """The number of the first row that is wrong."""
    index = int(np.argmax(wrong))
    return int(first_row[index]) if isinstance(first_row, np.ndarray) else first_row + index


def _some(words: Sequence[str]) -> list[str]:
    return [*words] if len(words) <= _SHOWN else [*words[:_SHOWN], f"{len(words) - _SHOWN} more"]


def to_bits(columns: Sequence[Column], integers: np.ndarray) -> np.ndarray:
    """The input bits (examples, bits) of integers (examples, columns); an integer out of range is an error.

    >>> to_bits([Column("a", "integer", 2), Column("b", "bit", 1)], np.array([[2, 1]])).astype(int).tolist()
    [[0, 1, 1]]
    """
    for column, values in zip(columns, integers.T, strict=True):
        wrong = (values < column.lowest) | (values > column.highest)
        if wrong.any():
            row, limits = int(np.argmax(wrong)), f"from {column.lowest} to {column.highest}"
            raise DbhwError(f"column {column.name} must be {limits} in row {row + 1}, not {values[row]}")
    return np.concatenate([c.bits(values) for c, values in zip(columns, integers.T, strict=True)], axis=1)


def of_bits(columns: Sequence[Column], bits: np.ndarray) -> np.ndarray:
    """The integers (examples, columns) of input bits (examples, bits).

    >>> of_bits([Column("a", "integer", 2, signed=True), Column("b", "bit", 1)], np.array([[1, 1, 0]], bool)).tolist()
    [[-1, 0]]
    """
    found, first = [], 0
    for column in columns:
        own = bits[:, first : first + column.width]
        found.append(own @ (1 << np.arange(column.width)) - (own[:, -1].astype(int) << column.width) * column.signed)
        first += column.width
    return np.stack(found, axis=1)


def values(columns: Sequence[Column], bits: np.ndarray) -> list[list[float | int | str]]:
    """The user's values of input bits (examples, bits), one row for each example.

    >>> values([Column("a", "real", 2, scale=0.5), Column("b", "bit", 1)], np.array([[1, 1, 0]], bool))
    [[1.5, 0]]
    """
    rows = of_bits(columns, bits).tolist()
    return [[column.value(integer) for column, integer in zip(columns, row, strict=True)] for row in rows]


def pins(columns: Sequence[Column]) -> tuple[str, ...]:
    """The names of all input bits of columns, side by side.

    >>> pins([Column("a", "integer", 2), Column("b", "bit", 1)])
    ('a[0]', 'a[1]', 'b')
    """
    return tuple(f"{c.name}[{i}]" if c.width > 1 else c.name for c in columns for i in range(c.width))
