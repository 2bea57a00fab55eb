"""Tumours, malignant or benign, by 30 measurements (scikit-learn's breast cancer)."""

from dbhw.data import scikit
from dbhw.data.dataset import Split


def load(seed: int = 0) -> Split:
    """569 tumours; the seed chooses a fifth of them for testing.

    >>> load().train.x.shape, load().test.x.shape
    ((456, 260), (113, 260))
    """
    return scikit.parts("breast_cancer", seed)
