"""Iris as published with the Tsetlin machine: four lengths of each flower in 16 bits."""

from __future__ import annotations

import numpy as np

from dbhw.base.errors import whole
from dbhw.data.dataset import Data, Split
from dbhw.data.published import tsetlin

_EXAMPLES = 150
_FLOWERS = ("setosa", "versicolour", "virginica")
_FLOWER_PARTS = ("sepal_length", "sepal_width", "petal_length", "petal_width")


def load(seed: int = 0) -> Split:
    """Iris, each of its four lengths as four bits; the seed chooses 120 flowers for training and 30 for testing.

    Five consecutive seeds from a multiple of 5 on test each flower once. So a mean over seeds does not depend on how
    often the difficult flowers were chosen for testing.

    >>> split = load()
    >>> split.train.x.shape, split.test.x.shape
    ((120, 16), (30, 16))
    >>> tested = sum(load(seed).test.x.sum(axis=0) for seed in range(5))
    >>> bool((tested == split.train.x.sum(axis=0) + split.test.x.sum(axis=0)).all())
    True
    """
    whole("seed", seed, 0)
    deal, fifth = divmod(seed, 5)
    return _parts(np.roll(_order(deal), -30 * fifth))


def drawn(seed: int = 0) -> Split:
    """The same flowers with a split of its own for each seed, independent of all others, as the paper drew them.

    >>> split = drawn(3)
    >>> split.train.x.shape, split.test.x.shape
    ((120, 16), (30, 16))
    """
    whole("seed", seed, 0)
    return _parts(_order(seed))


def _order(deal: int) -> np.ndarray:
    return np.random.default_rng([0x1215, deal]).permutation(_EXAMPLES)


def _parts(order: np.ndarray) -> Split:
    """The first 120 flowers of an order for training, the others for testing."""
    rows = tsetlin("BinaryIrisData.txt", "1677a968fe8c736c3dcd88ee2ef3be012c18260f54531affdbab57c273599ac2")
    features = [f"{part}_{bit}" for part in _FLOWER_PARTS for bit in (8, 4, 2, 1)]

    def part(which: np.ndarray) -> Data:
        return Data.of(rows[which, :-1], rows[which, -1], name="binary-iris", features=features, classes=_FLOWERS)

    return Split(part(order[:120]), part(order[120:]))
