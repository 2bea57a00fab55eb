"""Handwritten digits of 28 x 28 pixels, each one bit."""

from __future__ import annotations

from functools import cache

from dbhw.data.dataset import Split
from dbhw.data.published import images


@cache
def load() -> Split:
    """Handwritten digits of 28 × 28 pixels, a pixel true where it is brighter than 0.3.

    >>> load().train.x.shape, load().test.x.shape
    ((60000, 784), (10000, 784))
    """
    return images("mnist", tuple("0123456789"))
