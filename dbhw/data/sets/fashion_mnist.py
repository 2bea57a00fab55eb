"""Images of clothes, 28 x 28 pixels of one bit each."""

from __future__ import annotations

from functools import cache

from dbhw.data.dataset import Split
from dbhw.data.published import CLOTHES, images


@cache
def load() -> Split:
    """Images of clothes, 28 × 28 pixels; a pixel brighter than 0.3 is true.

    >>> load().test.classes[0]
    't-shirt'
    """
    return images("fashion-mnist", CLOTHES)
