"""A table as it was read: named columns of numbers or words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dbhw.base.errors import DbhwError

_SHOWN = 12  # so many names are listed in an error


@dataclass(frozen=True)
class Table:
    """Columns of equal length: float64 with NaN for an empty cell, or words (objects) with "" for one.

    `rows` are the numbers of the rows in the file, for errors. `seen` is how many rows the file has, more than the
    table's if they are a sample. `named` is false where the file has no column names. `notes` say what was found out.

    >>> table = Table.of("beans", {"weight": np.array([1.5, np.nan]), "kind": np.array(["red", "white"], object)})
    >>> len(table), table.first_row, table.take(np.array([1])).columns["kind"].tolist()
    (2, 1, ['white'])
    """

    name: str
    columns: dict[str, np.ndarray]
    rows: np.ndarray
    seen: int
    named: bool = True
    label: str | None = None  # the label's column, where the file says so
    classes: tuple[str, ...] = ()  # in the order that the file gives, if it does
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, columns: dict[str, np.ndarray], first_row: int = 1) -> Table:
        """A table of all rows, numbered from `first_row`."""
        length = len(next(iter(columns.values()), ()))
        for column, values in columns.items():
            if len(values) != length:
                raise DbhwError(f"column {column} of {name} must have {length} rows like the others, not {len(values)}")
        return cls(name, columns, np.arange(first_row, first_row + length), length)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def first_row(self) -> int:
        """The number of the first row in the file."""
        return int(self.rows[0]) if len(self.rows) else 1

    def column(self, name: str, option: str) -> np.ndarray:
        """A column that an option names, or an error that lists the columns there are."""
        if name not in self.columns:
            raise unknown_column(self.name, name, option, list(self.columns))
        return self.columns[name]

    def take(self, index: np.ndarray) -> Table:
        """The table of some rows, by index or by a mask."""
        columns = {name: values[index] for name, values in self.columns.items()}
        return replace(self, columns=columns, rows=self.rows[index])

    def noted(self, *notes: str) -> Table:
        """The table with further notes."""
        return replace(self, notes=(*self.notes, *notes))


def empty_cells(values: np.ndarray) -> np.ndarray:
    """Which cells of a column are empty.

    >>> empty_cells(np.array([1, np.nan])).tolist(), empty_cells(np.array(["", "a"], object)).tolist()
    ([False, True], [True, False])
    """
    return np.isnan(values) if values.dtype.kind == "f" else np.asarray(values == "", bool)


def unknown_column(table: str, name: str, option: str, names: Sequence[str]) -> DbhwError:
    """The error for a column that a table lacks.

    >>> print(unknown_column("beans.csv", "size", "--label", ["weight", "kind"]))
    column of --label must be one of weight, kind in beans.csv, not 'size'
    """
    shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    return DbhwError(f"column of {option} must be one of {shown} in {table}, not {name!r}")
