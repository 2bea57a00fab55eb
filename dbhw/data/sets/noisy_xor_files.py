"""Noisy XOR as published with the Tsetlin machine."""

from __future__ import annotations

from functools import cache

from dbhw.data.dataset import Data, Split
from dbhw.data.published import tsetlin


@cache
def load() -> Split:
    """The published noisy XOR that the paper and the Tsetlin machine were measured on.

    >>> load().train.x.shape
    (5000, 12)
    """
    train = tsetlin("NoisyXORTrainingData.txt", "b4899cf356725f2612ea703d1b8151c39d36dd9981365c429effc3c2b3584f5c")
    test = tsetlin("NoisyXORTestData.txt", "898e6e890eae88ed3ce9bf178c22c065a29960a2c2cf784acfaf270649cf8116")
    classes = ("even", "odd")
    return Split(
        Data.of(train[:, :-1], train[:, -1], name="noisy-xor-files", classes=classes),
        Data.of(test[:, :-1], test[:, -1], name="noisy-xor-files", classes=classes),
    )
