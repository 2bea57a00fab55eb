"""Handwritten digits of 8 x 8 pixels with 17 grey levels (scikit-learn's digits)."""

from dbhw.data import scikit
from dbhw.data.dataset import Split


def load(seed: int = 0) -> Split:
    """1,797 digits; the seed chooses a fifth of them for testing.

    >>> load().train.x.shape, load().test.x.shape
    ((1438, 268), (359, 268))
    """
    return scikit.parts("digits", seed)
