"""Handwritten digits, 28 x 28 pixels of eight bits each."""

from __future__ import annotations

from functools import cache

from dbhw.data.dataset import Split
from dbhw.data.published import grey_images


@cache
def load() -> Split:
    """Handwritten digits, 28 × 28 pixels; a pixel is an integer from 0 to 255.

    >>> load().test.columns[0].width
    8
    """
    return grey_images("mnist", tuple("0123456789"))
