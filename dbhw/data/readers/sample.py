"""Rows kept while a file is read: all of them, or a uniform random sample of those of a large file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dbhw.data.tables.table import Table

MOST_CELLS = 40_000_000  # 320 megabytes of numbers
_SLACK = 1.25  # the sample is cut only when it has grown by so much, since cutting copies it


class Sample:
    """Collects the rows of a file, part by part, and keeps at most so many cells.

    Each row gets a random number, and those with the smallest stay: every row is as likely as any other.

    >>> sample = Sample("big.csv", ["a", "b"], cells=6)
    >>> for start in range(0, 100, 10):
    ...     sample.add(np.arange(start, start + 10), [np.arange(10.0), np.arange(10.0)])
    >>> table = sample.table()
    >>> len(table), table.seen, table.notes
    (3, 100, ('big.csv has 100 rows; a random sample of 3 is used',))
    """

    def __init__(self, name: str, names: list[str], cells: int | None = None) -> None:
        self._name, self._names = name, names
        self._most = max((cells or MOST_CELLS) // max(len(names), 1), 1)
        self._random = np.random.default_rng(0)
        self._rows: list[np.ndarray] = []
        self._keys: list[np.ndarray] = []
        self._parts: list[list[np.ndarray]] = [[] for _ in names]
        self._below = np.inf
        self._seen = self._kept = 0

    def add(self, rows: np.ndarray, columns: list[np.ndarray]) -> None:
        """Adds rows by their numbers in the file and the values of their columns."""
        keys = self._random.random(len(rows))
        self._seen += len(rows)
        chosen = keys < self._below
        if not chosen.all():
            rows, keys, columns = rows[chosen], keys[chosen], [values[chosen] for values in columns]
        self._append(rows, keys, columns)
        if self._kept > self._most * _SLACK:
            self._cut()

    def table(self) -> Table:
        """The table of the rows that were kept, in the order of the file."""
        if self._kept > self._most:
            self._cut()
        columns = {name: _joined(parts) for name, parts in zip(self._names, self._parts, strict=True)}
        rows = np.concatenate(self._rows) if self._rows else np.zeros(0, np.int64)
        table = replace(Table.of(self._name, columns), rows=rows, seen=self._seen)
        if self._seen == len(rows):
            return table
        return table.noted(f"{self._name} has {self._seen} rows; a random sample of {len(rows)} is used")

    def _append(self, rows: np.ndarray, keys: np.ndarray, columns: list[np.ndarray]) -> None:
        self._rows.append(rows)
        self._keys.append(keys)
        self._kept += len(rows)
        for parts, values in zip(self._parts, columns, strict=True):
            parts.append(values)

    def _cut(self) -> None:
        keys = np.concatenate(self._keys)
        self._below = float(np.partition(keys, self._most)[self._most])
        chosen = keys < self._below
        self._rows, self._keys = [np.concatenate(self._rows)[chosen]], [keys[chosen]]
        for parts in self._parts:  # column by column, so that only one is held twice
            kept = _joined(parts)[chosen]
            parts[:] = [kept]
        self._kept = len(self._keys[0])


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    """The parts of a column as one; where some hold words, the others are empty cells."""
    if not parts:
        return np.zeros(0)
    if any(part.dtype.kind == "O" for part in parts):
        parts = [part if part.dtype.kind == "O" else np.full(len(part), "", object) for part in parts]
    return np.concatenate(parts)
