"""Data in comma-separated text."""

from __future__ import annotations

import csv

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.data.dataset import Data


def read(path: str, raw: bytes) -> Data:
    """The data of comma-separated text: feature columns, then the label; `path` is named in errors.

    >>> read("coat.csv", b"cold,outside,coat\\n0,0,0\\n1,1,1\\n").features
    ('cold', 'outside')
    """
    try:
        rows = [row for row in csv.reader(raw.decode("utf-8-sig").splitlines()) if row]
    except (UnicodeDecodeError, csv.Error) as wrong:
        raise DbhwError(f"data file {path} must be comma-separated text: {wrong}") from wrong
    header: list[str] | None = None
    if rows and not all(_is_number(cell) for cell in rows[0]):
        header = [cell.strip() for cell in rows.pop(0)]
    if not rows:
        raise DbhwError(f"data file {path} must have at least one example and one feature, but it has none")
    width = len(header or rows[0])
    for number, row in enumerate(rows, 2 if header else 1):
        if len(row) != width:
            raise DbhwError(f"data file {path} must have {width} columns in line {number}, not {len(row)}")
        if not all(_is_number(cell) for cell in row):
            found = next(cell for cell in row if not _is_number(cell))
            raise DbhwError(f"data file {path} must have numbers in line {number}, not {found!r}")
    values = np.array(rows, float)
    return Data.of(values[:, :-1], values[:, -1], name=path, features=header[:-1] if header else None)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
