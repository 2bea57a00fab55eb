"""Cells of text as numbers or words."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np

EMPTY = frozenset(["", "na", "n/a", "#n/a", "nan", "null", "?", "-"])
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE | re.ASCII)


def number(cell: str, decimal: str, empty: Collection[str] = EMPTY) -> float | None:
    """The number in a cell, NaN for an empty cell, None for a word.

    >>> number("1,5", ","), number("NA", "."), number("1_000", ".")
    (1.5, nan, None)
    """
    cell = cell.strip()
    if cell.lower() in empty:
        return float("nan")
    if decimal == ",":
        cell = cell.replace(".", "_").replace(",", ".")
    return float(cell) if _NUMBER.fullmatch(cell) else None


def numbers(cells: Sequence[str], decimal: str, empty: Collection[str] = EMPTY) -> np.ndarray | None:
    """The numbers of a column, with NaN for empty cells, or None if some cell is a word.

    >>> numbers(["1", "", "2.5"], ".")
    array([1. , nan, 2.5])
    >>> numbers(["1", "x"], ".") is None
    True
    """
    plain = decimal == "." and not any(_NUMBER.fullmatch(word) for word in empty)
    if plain and "_" not in "\n".join(cells):  # Python reads 1_000 as a number
        try:
            return np.fromiter(map(float, cells), np.float64, len(cells))
        except ValueError:
            pass
    known = {cell: number(cell, decimal, empty) for cell in set(cells)}
    if any(value is None for value in known.values()):
        return None
    return np.array([known[cell] for cell in cells], np.float64)


def words(cells: Sequence[str], empty: Collection[str] = EMPTY) -> np.ndarray:
    """The words of a column, without white space around them, and with "" for empty cells.

    >>> words([" red", "NA"]).tolist()
    ['red', '']
    """
    longest = max(map(len, empty), default=0)
    known = {cell: cell.strip() for cell in set(cells)}  # equal words are one object
    known |= {cell: "" for cell, word in known.items() if len(word) <= longest and word.lower() in empty}
    return np.array([known[cell] for cell in cells] or [""], object)[: len(cells)]


def mostly_numbers(cells: Sequence[str], decimal: str, empty: Collection[str] = EMPTY) -> bool | None:
    """Whether at least half of a column's cells are numbers, empty cells aside; None if all are empty.

    >>> mostly_numbers(["1", "2", "x"], "."), mostly_numbers(["red", "1", "x"], "."), mostly_numbers(["", "NA"], ".")
    (True, False, None)
    """
    known = {cell: number(cell, decimal, empty) for cell in set(cells)}
    found = [known[cell] for cell in cells]
    filled = [value for value in found if value is None or value == value]
    return 2 * sum(value is not None for value in filled) >= len(filled) if filled else None


def shown(cell: str) -> str:
    """A cell in an error: quoted, in one line, and short.

    >>> shown("a\\nb")
    "'a\\\\nb'"
    """
    return repr(cell if len(cell) <= 40 else f"{cell[:40]}…")
