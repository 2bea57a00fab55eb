"""Handwritten digits, 28 x 28 pixels of one bit each."""

from __future__ import annotations

from functools import cache

from dbhw.data.dataset import Split
from dbhw.data.published import images


@cache
def load() -> Split:
    """Handwritten digits, 28 × 28 pixels; a pixel brighter than 0.3 is true.

    >>> load().train.x.shape, load().test.x.shape
    ((60000, 784), (10000, 784))
    """
    return images("mnist", tuple("0123456789"))
