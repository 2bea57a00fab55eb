"""Flowers of three species, by four lengths (scikit-learn's iris)."""

from dbhw.data import scikit
from dbhw.data.dataset import Split


def load(seed: int = 0) -> Split:
    """150 flowers; the seed chooses 30 of them for testing.

    >>> load().train.x.shape, load().test.x.shape
    ((120, 25), (30, 25))
    """
    return scikit.parts("iris", seed)
