"""Data as bits and class labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.base.names import default_names
from dbhw.data.tables.column import Column, pins

_MOST_CLASSES = 1 << 16  # a column of larger numbers, such as times or customer numbers, is no label


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
    columns: tuple[Column, ...] = ()  # the integers that the bits are, side by side, where a table was read

    @classmethod
    def of(
        cls,
        x: ArrayLike,
        y: ArrayLike,
        *,
        name: str = "data",
        features: Sequence[str] | None = None,
        classes: Sequence[str] | None = None,
        columns: Sequence[Column] = (),
    ) -> Data:
        """Data from what NumPy can turn into arrays, checked."""
        x, y = np.asarray(x), np.asarray(y)
        if x.ndim != 2 or not x.size:
            raise DbhwError(f"data {name} must have at least one example and one feature, not shape {list(x.shape)}")
        x = check_bits(x, x.shape[1])
        y = _check_labels(name, y, len(x))
        features = pins(columns) if columns else features
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
            tuple(columns),
        )

    def digest(self) -> str:
        return files.sha256(np.packbits(self.x).tobytes() + self.y.astype("<i8").tobytes())


@dataclass(frozen=True)
class Split:
    """The training and the test part of a data set.

    >>> data = Data.of([[0], [1]], [0, 1])
    >>> len(Split(train=data, test=data).train.y)
    2
    """

    train: Data
    test: Data


def check_bits(x: ArrayLike, inputs: int) -> np.ndarray:
    """The array as booleans (examples, inputs); a `DbhwError` if it has another shape or other values than 0 and 1.

    >>> check_bits(np.array([[0, 2]]), 2)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: data values must be bits 0 or 1, not 2
    """
    x = np.asarray(x)
    if x.ndim != 2 or x.shape[1] != inputs:
        raise DbhwError(f"data must have {inputs} columns of bits, not shape {list(x.shape)}")
    if x.dtype == bool:
        return x
    wrong = ~((x == 0) | (x == 1))
    if wrong.any():
        raise DbhwError(f"data values must be bits 0 or 1, not {x[wrong][0]}")
    return x.astype(bool)


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
