"""Wines of three growers, by 13 measurements (scikit-learn's wine)."""

from dbhw.data import scikit
from dbhw.data.dataset import Split


def load(seed: int = 0) -> Split:
    """178 wines; the seed chooses a fifth of them for testing.

    >>> load().train.x.shape, load().test.x.shape
    ((142, 123), (36, 123))
    """
    return scikit.parts("wine", seed)
