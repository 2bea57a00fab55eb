"""Tables in NumPy's .npz files: arrays x and y with optional names, or an array for each column."""

from __future__ import annotations

import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.base.names import default_names
from dbhw.data.readers import arrays
from dbhw.data.readers.sample import Sample
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.table import Table

MOST_BYTES = 1 << 32
_NAMES = ("features", "classes")


def read(path: str | Path, options: TableOptions, cells_kept: int | None = None) -> Table:
    """The table of a .npz file: arrays x (rows, columns) and y, and optionally features and classes, the names.

    Without x, each array is a column.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "coat.npz"
    >>> np.savez(path, x=[[0.5], [1.5]], y=[0, 1], classes=["no", "yes"])
    >>> read(path, TableOptions()).columns["y"].tolist()
    ['no', 'yes']
    """
    stored = _stored(path)
    for name, array in stored.items():
        if not _is_unicode(array):
            raise DbhwError(f"data file {path} must have Unicode characters in {name}, but some are none")
    classes = tuple(_names(path, "classes", stored.pop("classes"))) if "classes" in stored else ()
    if "x" in stored and stored["x"].ndim == 2:
        columns, named = _features(path, stored)
    else:
        columns, named = stored, True
    if not columns:
        raise DbhwError(f"data file {path} must hold arrays x and y, or an array for each column, but it holds none")
    label = "y" if "y" in stored else None
    if label is not None:
        columns = {**{n: c for n, c in columns.items() if n != label}, label: _labels(path, stored[label], classes)}
    kept = {name: values for name, values in _checked(path, columns).items() if name not in options.drop}
    made = {name: arrays.column(name, values) for name, values in kept.items()}
    sample = Sample(str(path), list(made), cells_kept)
    table = Table.of(str(path), made)
    sample.add(table.rows, list(made.values()))
    return replace(sample.table(), named=named, label=label, classes=classes)


def _stored(path: str | Path) -> dict[str, np.ndarray]:
    complete = f"data file {path} must be a complete .npz file without Python objects"
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        if size > MOST_BYTES:
            raise DbhwError(f"data file {path} must hold at most {MOST_BYTES} bytes, not {size}; use .csv or .parquet")
        with np.load(path, allow_pickle=False) as found:
            return {name: found[name] for name in found.files}
    except (OSError, zipfile.BadZipFile) as wrong:
        if isinstance(wrong, OSError) and wrong.strerror:
            raise DbhwError(f"file {path} must be readable: {wrong.strerror}") from wrong
        raise DbhwError(f"{complete}: {_line(wrong)}") from wrong
    except DbhwError:
        raise
    except Exception as wrong:  # a damaged file makes NumPy raise almost anything
        raise DbhwError(f"{complete}: {_line(wrong)}") from wrong


def _is_unicode(array: np.ndarray) -> bool:
    """Whether all characters of words are such: NumPy takes any four bytes for one, of which Python fails later on."""
    if array.dtype.kind != "U" or not array.dtype.itemsize:
        return True
    codes = np.ascontiguousarray(array).reshape(-1).view(np.dtype(np.uint32).newbyteorder(array.dtype.byteorder))
    surrogates = (codes >= 0xD800) & (codes <= 0xDFFF)
    return not (surrogates | (codes > sys.maxunicode)).any()


def _line(wrong: Exception) -> str:
    return " ".join(str(wrong).split()) or type(wrong).__name__


def _features(path: str | Path, stored: dict[str, np.ndarray]) -> tuple[dict[str, np.ndarray], bool]:
    x = stored["x"]
    if "y" not in stored:
        raise DbhwError(f"data file {path} must hold arrays x and y, not {sorted(stored)}")
    names = list(default_names("x", x.shape[1]))
    if "features" in stored:
        names = _names(path, "features", stored["features"])
    if len(names) != x.shape[1]:
        raise DbhwError(f"features of {path} must be {x.shape[1]} names, one for each column, not {len(names)}")
    if len({*names, "y"}) != len(names) + 1:
        raise DbhwError(f"features of {path} must have different names, and none may be y")
    return {name: x[:, i] for i, name in enumerate(names)}, "features" in stored


def _names(path: str | Path, what: str, found: np.ndarray) -> list[str]:
    if found.ndim != 1:
        raise DbhwError(f"data file {path} must hold {what} as a list of names, not of shape {list(found.shape)}")
    return [str(name) for name in found]


def _labels(path: str | Path, y: np.ndarray, classes: tuple[str, ...]) -> np.ndarray:
    """The labels; where the file names its classes, they are indices of the names."""
    if not classes or y.dtype.kind not in "biuf" or y.ndim != 1:
        return y
    wrong = ~((y >= 0) & (y < len(classes)) & (y == np.floor(y)))
    if wrong.any():
        raise DbhwError(f"labels of {path} must be below the {len(classes)} classes, not {y[wrong][0]}")
    return np.array(classes, object)[y.astype(np.int64)]


def _checked(path: str | Path, columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    rows = len(next(iter(columns.values()))) if next(iter(columns.values())).ndim else 0
    for name, values in columns.items():
        if values.shape != (rows,) or not rows:
            raise DbhwError(
                f"data file {path} must hold arrays x (rows, columns) and y, or a list for each column, all of one "
                f"length of at least 1, but {name} has the shape {list(values.shape)}"
            )
    return columns
