"""Tables in Parquet files, where pyarrow or pandas is installed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.data.readers import arrays
from dbhw.data.readers.sample import Sample
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.table import Table

_ROWS_AT_A_TIME = 1 << 16


def read(path: str | Path, options: TableOptions, cells_kept: int | None = None) -> Table:
    """The table of a Parquet file.

    >>> read("/no/such.parquet", TableOptions())
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file /no/such.parquet must be readable: No such file or directory
    """
    try:
        open(path, "rb").close()
    except OSError as wrong:
        raise DbhwError(f"file {path} must be readable: {wrong.strerror}") from wrong
    sample: Sample | None = None
    row = 1
    for part in _parts(path, options):
        sample = sample or Sample(str(path), list(part), cells_kept)
        length = len(next(iter(part.values())))
        sample.add(np.arange(row, row + length), list(part.values()))
        row += length
    table = sample.table() if sample else None
    if table is None or not table.seen:
        raise DbhwError(f"data file {path} must have at least one row of values, but it has none")
    return table


def _parts(path: str | Path, options: TableOptions) -> Iterator[dict[str, np.ndarray]]:
    try:
        for part in _frames(path):
            yield {n: v for n, v in arrays.of_frame(part).columns.items() if n not in options.drop}
    except DbhwError:
        raise
    except Exception as wrong:  # the libraries raise their own kinds
        raise DbhwError(f"data file {path} must be a complete Parquet file: {' '.join(str(wrong).split())}") from wrong


def _frames(path: str | Path) -> Iterator[Any]:
    """The file as frames or mappings of columns, part by part."""
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        yield _pandas(path)
        return
    for batch in parquet.ParquetFile(path).iter_batches(batch_size=_ROWS_AT_A_TIME):
        yield {n: batch.column(i).to_numpy(zero_copy_only=False) for i, n in enumerate(batch.schema.names)}


def _pandas(path: str | Path) -> Any:
    try:
        return import_module("pandas").read_parquet(path)
    except ImportError as wrong:
        raise DbhwError(f"data file {path} needs pyarrow: pip install pyarrow, or save it as .csv") from wrong
