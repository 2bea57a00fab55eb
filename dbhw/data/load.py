"""Data by name: a built-in data set, or a user's file of bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dbhw.base import terminal
from dbhw.base.errors import DbhwError, one_of
from dbhw.data import sets
from dbhw.data.dataset import Data, Split
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.read import READERS, is_table, read
from dbhw.data.tables.table import Table
from dbhw.data.tables.types import class_names, find_label

_FILES = f"a file ending in {', '.join(READERS)}"


@terminal.working("reading data")
def load_split(name: str) -> Split:
    """A built-in data set by its name, or a user's file of bits used for both training and test.

    >>> load_split("noisy-xor").test.classes
    ('even', 'odd')
    """
    if is_table(name):
        data = load_file(name)
        return Split(data, data)
    if name not in sets.names():
        raise one_of("data", name, [*sets.names(), _FILES])
    return sets.find(name)()


def load_file(path: str | Path) -> Data:
    """The data of a file whose columns are bits but the label: its classes as words, or as whole numbers from 0.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "coat.csv"
    >>> _ = path.write_text("cold,outside,coat\\n0,0,0\\n1,1,1\\n")
    >>> load_file(path).features
    ('cold', 'outside')
    """
    table = read(path)
    label = find_label(table, TableOptions())[0]
    features = {name: _bits(table, name) for name in table.columns if name != label}
    if not features:
        raise DbhwError(f"data file {path} must have a column of bits besides the label, but it has one column only")
    y, classes = _labels(table, label)
    x = np.stack(list(features.values()), axis=1)
    return Data.of(x, y, name=str(path), features=list(features), classes=classes)


def _bits(table: Table, name: str) -> np.ndarray:
    values = table.columns[name]
    wrong = ~np.isin(values, (0, 1)) if values.dtype.kind == "f" else np.ones(len(values), bool)
    if wrong.any():
        row = int(np.argmax(wrong))
        found = values[row] if values.dtype.kind != "f" else f"{values[row]:.15g}"
        found = "an empty cell" if found in ("nan", "") else found
        raise DbhwError(
            f"column {name} of {table.name} must be bits 0 or 1, but row {table.rows[row]} has {found}: "
            f"a net of bits was asked for; dbhw train {Path(table.name).name} makes one for numbers and words"
        )
    return values.astype(bool)


def _labels(table: Table, label: str) -> tuple[np.ndarray, tuple[str, ...] | None]:
    values = table.columns[label]
    if values.dtype.kind == "f":
        if np.isnan(values).any():
            row = table.rows[int(np.argmax(np.isnan(values)))]
            raise DbhwError(f"label {label} of {table.name} must be a class in row {row}, but the cell is empty")
        return values, None
    classes = table.classes or class_names(values)
    known = {name: i for i, name in enumerate(classes)}
    return np.array([known[word] for word in values.tolist()], np.int64), classes
