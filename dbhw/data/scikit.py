"""The tables that come with scikit-learn, ready for training; a fifth of their rows is for testing."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.data.dataset import Split
from dbhw.data.tables.examples import Prepared, prepare
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.table import Table

_LABEL = "class"


def table(name: str) -> Table:
    """A table of scikit-learn, `iris` for `sklearn.datasets.load_iris`; units are no part of a column's name.

    >>> list(table("iris").columns)
    ['sepal_length', 'sepal_width', 'petal_length', 'petal_width', 'class']
    """
    try:
        from sklearn import datasets
    except ImportError as missing:
        raise DbhwError(f"data set {name} must have scikit-learn: pip install scikit-learn") from missing
    found = getattr(datasets, f"load_{name}")()
    columns = {_column(feature): found.data[:, i].astype(float) for i, feature in enumerate(found.feature_names)}
    words = np.array([str(word) for word in found.target_names], object)
    return Table.of(name.replace("_", "-"), {**columns, _LABEL: words[found.target]})


@cache
def prepared(name: str, seed: int = 0) -> Prepared:
    """The parts of such a table as bits, stratified; there are no rows for validation, so who wants some takes them.

    >>> ready = prepared("iris")
    >>> len(ready.train.y), len(ready.validation.y), len(ready.test.y)
    (120, 0, 30)
    """
    return prepare(table(name), TableOptions(label=_LABEL, validation=0.0), seed)


def parts(name: str, seed: int = 0) -> Split:
    """The same as a data set.

    >>> parts("wine").test.classes
    ('class_0', 'class_1', 'class_2')
    """
    ready = prepared(name, seed)
    return Split(ready.train, ready.test)


def _column(feature: str) -> str:
    return re.sub(r"\W+", "_", re.sub(r" \(.*\)", "", feature)).strip("_")
