"""Trained models that come with the package: one file each, and `zoo.json` with the figures of all of them.

`python -m bench.zoo` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dbhw.base import files, records
from dbhw.base.errors import DbhwError, one_of
from dbhw.model import model
from dbhw.model.model import Model

FOLDER = Path(__file__).parent
FIGURES = "zoo.json"
PREFIX = "zoo:"  # in front of a name, where a command takes a model file


@dataclass(frozen=True)
class Size:
    """What a model's combinational core takes on a target: encoder, tables, counts and argmax."""

    luts: int
    depth: int
    fmax_mhz: float | None = None  # between registers, after place and route; None where that was not measured


@dataclass(frozen=True)
class Entry:
    """A model of the zoo: what it was trained on and how, and its figures.

    >>> find("iris-small").data
    'iris'
    """

    data: str
    made_by: str  # a recipe, or the budget of the net for a table
    seed: int
    test_examples: int
    test_accuracy: float
    sizes: dict[str, Size]
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Figures:
    """The content of `zoo.json`."""

    models: dict[str, Entry]


def entries(folder: str | Path = FOLDER) -> dict[str, Entry]:
    """All models by name; `folder` is that of another zoo.

    >>> sorted(entries()["iris-small"].sizes)
    ['ecp5', 'gowin', 'ice40', 'xilinx']
    """
    return records.read(Figures, Path(folder) / FIGURES, "the figures of a zoo").models


def names() -> list[str]:
    """The names of all models.

    >>> "iris-small" in names()
    True
    """
    return list(entries())


def find(name: str, folder: str | Path = FOLDER) -> Entry:
    """What is known of the model of that name.

    >>> find("iris-huge")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: model of the zoo must be one of ..., not 'iris-huge'
    """
    known = entries(folder)
    if name not in known:
        raise one_of("model of the zoo", name, known)
    return known[name]


def load(name: str, folder: str | Path = FOLDER) -> Model:
    """The model of that name, if its file is the one that the figures are about.

    >>> load("iris-small").classes
    ('setosa', 'versicolor', 'virginica')
    """
    known, path = find(name, folder), Path(folder) / f"{name}.dbnet"
    if files.digest(path) != known.sha256:
        raise DbhwError(f"model {name} of the zoo must match its digest, but {path} does not: install dbhw again")
    return model.load(path)
