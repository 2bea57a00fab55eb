"""Data in NumPy's .npz files."""

from __future__ import annotations

import io
import zipfile

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.data.dataset import Data


def read(path: str, raw: bytes) -> Data:
    """The data of a .npz file with arrays x and y, and optionally features and classes, the names.

    >>> file = io.BytesIO(); np.savez(file, x=[[0], [1]], y=[0, 1])
    >>> read("coat.npz", file.getvalue()).classes
    ('class0', 'class1')
    """
    try:
        with np.load(io.BytesIO(raw), allow_pickle=False) as arrays:
            stored = {name: arrays[name] for name in arrays.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as wrong:
        raise DbhwError(f"data file {path} must be a complete .npz file without Python objects: {wrong}") from wrong
    if "x" not in stored or "y" not in stored:
        raise DbhwError(f"data file {path} must hold arrays x and y, not {sorted(stored)}")
    names = {what: _names(path, what, stored[what]) for what in ("features", "classes") if what in stored}
    return Data.of(stored["x"], stored["y"], name=path, features=names.get("features"), classes=names.get("classes"))


def _names(path: str, what: str, found: np.ndarray) -> list[str]:
    if found.ndim != 1:
        raise DbhwError(f"data file {path} must hold {what} as a list of names, not of shape {list(found.shape)}")
    return [str(name) for name in found]
