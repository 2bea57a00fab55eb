"""Whether the first row of a text file holds names, and which."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dbhw.base.errors import DbhwError
from dbhw.base.names import default_names
from dbhw.data.readers import cells


def has_names(path: str | Path, rows: Sequence[Sequence[str]], decimal: str) -> bool:
    """Whether the first row is names; an error where it could as well be an example with a wrong or an empty cell.

    A name stands over numbers, or is a word that its column has nowhere below. A number, or a word that its column has
    below too, is a value.

    >>> has_names("a.csv", [["weight", "kind"], ["1.5", "red"]], "."), has_names("a.csv", [["1", "2"], ["3", "4"]], ".")
    (True, False)
    >>> has_names("a.csv", [["1", "2x"], ["3", "4"]], ".")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: row 1 of a.csv must be names or values, but it has both: '2x' in column 2 stands...
    """
    width = len(rows[0]) if rows else 0
    below = [[row[i] for row in rows[1:] if len(row) == width] for i in range(width)]
    marks = [_mark(cell, column, decimal) for cell, column in zip(rows[0] if rows else [], below, strict=True)]
    odd = next((mark for mark in ("name over numbers", "empty over numbers") if mark in marks), None)
    if "value" in marks:
        if odd is not None:
            raise _unclear(path, rows[0], marks.index(odd))
        return False
    named = [cell.strip() for cell, mark in zip(rows[0] if rows else [], marks, strict=True) if "name" in mark]
    if "name over numbers" in marks and not any(name[0].isalpha() or name[0] in "_#%$\"'(" for name in named):
        raise _unclear(path, rows[0], marks.index("name over numbers"))
    return bool(named)


def _mark(cell: str, below: list[str], decimal: str) -> str:
    value, over_numbers = cells.number(cell, decimal), cells.mostly_numbers(below, decimal)
    if value is None:
        if over_numbers:
            return "name over numbers"
        return "value" if cell in below else "name"
    if value == value:
        return "value"
    often_empty = any(cells.number(other, decimal) != cells.number(other, decimal) for other in below)
    return "empty over numbers" if over_numbers and not often_empty else "empty"


def _unclear(path: str | Path, row: Sequence[str], column: int) -> DbhwError:
    found = cells.shown(row[column]) if row[column] else "the empty cell"
    where = f"{found} in column {column + 1} stands over numbers"
    return DbhwError(
        f"row 1 of {path} must be names or values, but it has both: {where}; say --header yes or --header no"
    )


def names(path: str | Path, row: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names of columns, and notes about those that have none.

    >>> names("a.csv", ["a", ""])
    (['a', 'column2'], ['column 2 of a.csv has no name; it is called column2'])
    """
    made: list[str] = []
    notes: list[str] = []
    for number, cell in enumerate(row, 1):
        name = " ".join(cell.split())
        if not name:
            name = f"column{number}"
            notes.append(f"column {number} of {path} has no name; it is called {name}")
        if name in made:
            raise DbhwError(
                f"names of columns of {path} must differ, but columns {made.index(name) + 1} and {number} are both "
                f"called {name!r}; rename one of them"
            )
        made.append(name)
    return made, notes


def default(width: int) -> list[str]:
    """Names for the columns of a file that has none.

    >>> default(2)
    ['x0', 'x1']
    """
    return list(default_names("x", width))
