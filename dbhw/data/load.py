"""Data by name: a built-in data set, or a user's file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dbhw.base import files
from dbhw.base.errors import one_of
from dbhw.data import csv, npz, sets
from dbhw.data.dataset import Data, Split

_READERS: dict[str, Callable[[str, bytes], Data]] = {".npz": npz.read, ".csv": csv.read}
_FILES = [f"a {suffix} file" for suffix in _READERS]


def load_split(name: str) -> Split:
    """A built-in data set by its name, or a user's file used for both training and test.

    >>> load_split("noisy-xor").test.classes
    ('even', 'odd')
    """
    if Path(name).suffix in _READERS:
        data = load_file(name)
        return Split(data, data)
    if name not in sets.names():
        raise one_of("data", name, [*sets.names(), *_FILES])
    return sets.find(name)()


def load_file(path: str | Path) -> Data:
    """The data of a .npz file (arrays x and y) or of a .csv file (feature columns, then the label).

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "coat.csv"
    >>> _ = path.write_text("cold,outside,coat\\n0,0,0\\n1,1,1\\n")
    >>> load_file(path).features
    ('cold', 'outside')
    """
    suffix = Path(path).suffix
    if suffix not in _READERS:
        raise one_of("data file", str(path), _FILES)
    return _READERS[suffix](str(path), files.read(path))
