"""Data as bits and class labels, from Python or from a user's .npz and .csv files."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dbhw import files
from dbhw.errors import DbhwError, one_of
from dbhw.model import check_bits, default_names
from dbhw.net import Net

_MOST_CLASSES = 1 << 16  # a column of anything else, of times or numbers of customers, is no label


@dataclass(frozen=True)
class Data:
    """Examples as booleans (examples, features), their labels, and the names of features and classes.

    >>> Data.of([[0, 1]], [1]).classes
    ('class0', 'class1')
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    features: tuple[str, ...]
    classes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        x: Any,
        y: Any,
        *,
        name: str = "data",
        features: Sequence[str] | None = None,
        classes: Sequence[str] | None = None,
    ) -> Data:
        """Data from anything NumPy understands, checked."""
        x, y = np.asarray(x), np.asarray(y)
        if x.ndim != 2 or not x.size:
            raise DbhwError(f"data {name} must have at least one example and one feature, not shape {list(x.shape)}")
        x = check_bits(x, x.shape[1])
        y = _check_labels(name, y, len(x))
        if features is not None and len(features) != x.shape[1]:
            raise DbhwError(f"features of {name} must be {x.shape[1]} names, one for each column, not {len(features)}")
        wanted = len(classes) if classes else int(y.max()) + 1
        if y.max() >= wanted:
            raise DbhwError(f"labels of {name} must be below the {wanted} classes, not {y.max()}")
        return cls(
            name,
            x,
            y,
            tuple(features) if features else default_names("x", x.shape[1]),
            tuple(classes) if classes else default_names("class", wanted),
        )

    def check_for(self, net: Net) -> None:
        """Refuses data that a net cannot take."""
        if self.x.shape[1] != net.inputs:
            raise DbhwError(f"data {self.name} must have {net.inputs} features for this net, not {self.x.shape[1]}")
        if len(self.classes) > net.classes:
            raise DbhwError(
                f"data {self.name} must have at most the net's {net.classes} classes, not {len(self.classes)}"
            )

    def digest(self) -> str:
        return files.sha256(np.packbits(self.x).tobytes() + self.y.astype("<i8").tobytes())


@dataclass(frozen=True)
class Split:
    """Training and test data of one kind.

    >>> data = Data.of([[0], [1]], [0, 1])
    >>> len(Split(train=data, test=data).train.y)
    2
    """

    train: Data
    test: Data


def load_file(path: str | Path) -> Data:
    """The data of a .npz file (arrays x and y) or of a .csv file (feature columns, then the label).

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "coat.csv"
    >>> _ = path.write_text("cold,outside,coat\\n0,0,0\\n1,1,1\\n")
    >>> load_file(path).features
    ('cold', 'outside')
    """
    suffix = Path(path).suffix
    if suffix not in (".npz", ".csv"):
        raise one_of("data file", str(path), ["a .npz file", "a .csv file"])
    raw = files.read(path)
    return _from_npz(str(path), raw) if suffix == ".npz" else _from_csv(str(path), raw)


def _from_npz(path: str, raw: bytes) -> Data:
    try:
        with np.load(io.BytesIO(raw), allow_pickle=False) as arrays:
            stored = {name: arrays[name] for name in arrays.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as wrong:
        raise DbhwError(f"data file {path} must be a whole .npz file without objects: {wrong}") from wrong
    if "x" not in stored or "y" not in stored:
        raise DbhwError(f"data file {path} must hold arrays x and y, not {sorted(stored)}")
    names = {what: _names(path, what, stored[what]) for what in ("features", "classes") if what in stored}
    return Data.of(stored["x"], stored["y"], name=path, **names)


def _names(path: str, what: str, found: np.ndarray) -> list[str]:
    if found.ndim != 1:
        raise DbhwError(f"data file {path} must hold {what} as a list of names, not of shape {list(found.shape)}")
    return [str(name) for name in found]


def _from_csv(path: str, raw: bytes) -> Data:
    try:
        rows = [row for row in csv.reader(raw.decode("utf-8-sig").splitlines()) if row]
    except (UnicodeDecodeError, csv.Error) as wrong:
        raise DbhwError(f"data file {path} must be comma-separated text: {wrong}") from wrong
    header: list[str] | None = None
    if rows and not all(_is_number(cell) for cell in rows[0]):
        header = [cell.strip() for cell in rows.pop(0)]
    if not rows:
        raise DbhwError(f"data {path} must have at least one example and one feature, not none")
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


def _check_labels(name: str, y: np.ndarray, examples: int) -> np.ndarray:
    if y.shape != (examples,):
        raise DbhwError(f"labels of {name} must be one for each of the {examples} examples, not shape {list(y.shape)}")
    wanted = f"labels of {name} must be whole numbers from 0 to {_MOST_CLASSES - 1}"
    if y.dtype.kind not in "biuf":
        raise DbhwError(f"{wanted}, not {y.flat[0]!r}")
    wrong = ~((y >= 0) & (y < _MOST_CLASSES) & (y == np.floor(y)))
    if wrong.any():
        raise DbhwError(f"{wanted}, not {y[wrong][0]}")
    return y.astype(np.int64)
