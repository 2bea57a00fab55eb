"""Tables from Python: a pandas frame, a mapping of columns, or arrays; and any array as a column of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.base.names import default_names
from dbhw.data.readers import cells
from dbhw.data.tables.table import Table

_NOTHING = ("NoneType", "NAType", "NaTType")  # None, and what pandas puts into empty cells


def of_frame(x: Any, y: Any = None, name: str = "data") -> Table:
    """The table of a frame, a mapping from names to columns, or an array (rows, columns); with `y`, the label's column.

    >>> of_frame({"a": [1, None], "b": ["x", "y"]}).columns["a"].tolist()
    [1.0, nan]
    >>> of_frame([[0, 1], [1, 1]], y=["no", "yes"]).label
    'y'
    """
    if isinstance(x, Table):
        return x
    columns, named = _columns(x, name)
    label = None
    if y is not None:
        label = str(getattr(y, "name", None) or "y")
        if label in columns:
            raise DbhwError(f"label must have a name that no column has, not {label!r}")
        columns[label] = column(label, _one_dimensional(label, y))
    return replace(Table.of(name, columns), label=label, named=named)


def column(name: str, values: np.ndarray) -> np.ndarray:
    """An array as a column of a table: numbers with NaN, or words with "".

    >>> column("a", np.array([True, False])).tolist(), column("a", np.array(["x", None], object)).tolist()
    ([1.0, 0.0], ['x', ''])
    """
    kind = values.dtype.kind
    if kind in "biuf":
        made = values.astype(np.float64)
    elif kind in "US":
        return cells.words([_text(value) for value in values.tolist()])
    elif kind == "M":
        raise dates(name, str(values[0]) if len(values) else "")
    elif kind == "O":
        made = _objects(values.tolist())
    else:
        raise DbhwError(f"column {name} must have numbers or words, not {values.dtype}")
    if made.dtype.kind == "f" and np.isinf(made).any():
        row = int(np.argmax(np.isinf(made)))
        raise DbhwError(f"column {name} must have finite numbers, but row {row + 1} has {made[row]}")
    return made


def dates(name: str, example: str) -> DbhwError:
    """The error for a column of dates.

    >>> print(dates("when", "2024-01-05"))  # doctest: +ELLIPSIS
    column when must be numbers or words, not dates such as '2024-01-05': leave it out with --drop when, or...
    """
    return DbhwError(
        f"column {name} must be numbers or words, not dates such as {cells.shown(example)}: leave it out with "
        f"--drop {name}, or turn it into a number such as the hour or the days since a day"
    )


def _columns(x: Any, name: str) -> tuple[dict[str, np.ndarray], bool]:
    if isinstance(x, Mapping) or (hasattr(x, "columns") and hasattr(x, "__getitem__")):
        keys = list(x) if isinstance(x, Mapping) else list(x.columns)
        names = [str(key) for key in keys]
        if len(set(names)) != len(names):
            twice = next(each for each in names if names.count(each) > 1)
            raise DbhwError(f"names of columns of {name} must differ, but two are called {twice!r}")
        return {n: column(n, _one_dimensional(n, x[key])) for n, key in zip(names, keys, strict=True)}, True
    x = np.asarray(x)
    if x.ndim != 2:
        raise DbhwError(f"{name} must be a table of rows and columns, not of shape {list(x.shape)}")
    names = list(default_names("x", x.shape[1]))
    return {n: column(n, x[:, i]) for i, n in enumerate(names)}, False


def _one_dimensional(name: str, values: Any) -> np.ndarray:
    made = np.asarray(values)
    if made.ndim != 1:
        raise DbhwError(f"column {name} must have one value for each row, not shape {list(made.shape)}")
    return made


def _objects(values: list[Any]) -> np.ndarray:
    empty = [type(value).__name__ in _NOTHING or (isinstance(value, float) and value != value) for value in values]
    try:
        if not any(isinstance(value, str | bytes) for value in values):
            return np.array([np.nan if no else float(value) for value, no in zip(values, empty, strict=True)], float)
    except (TypeError, ValueError):
        pass
    return cells.words(["" if no else _text(value) for value, no in zip(values, empty, strict=True)])


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
