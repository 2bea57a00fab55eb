"""Images of clothes, 28 x 28 pixels of eight bits each."""

from __future__ import annotations

from functools import cache

from dbhw.data.dataset import Split
from dbhw.data.published import CLOTHES, grey_images


@cache
def load() -> Split:
    """Images of clothes, 28 × 28 pixels; a pixel is an integer from 0 to 255.

    >>> load().test.columns[0].width
    8
    """
    return grey_images("fashion-mnist", CLOTHES)
