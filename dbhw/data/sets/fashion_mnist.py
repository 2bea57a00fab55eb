"""Pictures of clothes of 28 x 28 pixels, each one bit."""

from __future__ import annotations

from functools import cache

from dbhw.data.dataset import Split
from dbhw.data.published import images

_CLOTHES = ("t-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot")


@cache
def load() -> Split:
    """Pictures of clothes of 28 × 28 pixels, a pixel true where it is brighter than 0.3.

    >>> load().test.classes[0]
    't-shirt'
    """
    return images("fashion-mnist", _CLOTHES)
