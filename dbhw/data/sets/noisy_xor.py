"""Noisy XOR, generated: 12 random bits; the label is the XOR of two of them."""

from __future__ import annotations

import numpy as np

from dbhw.base.errors import whole
from dbhw.data.dataset import Data, Split


def load(seed: int = 0, examples: int = 5000, inverted: float = 0.4) -> Split:
    """The paper's noisy XOR: 12 random bits, label x0 xor x1, two in five of the training labels inverted.

    >>> split = load()
    >>> split.train.x.shape, float((split.test.y == split.test.x[:, 0] ^ split.test.x[:, 1]).mean())
    ((5000, 12), 1.0)
    """
    whole("seed", seed, 0)
    random = np.random.default_rng([0x0A5, seed])
    x = random.integers(0, 2, (2 * examples, 12)).astype(bool)
    y = (x[:, 0] ^ x[:, 1]).astype(np.int64)
    wrong = random.permutation(examples)[: int(examples * inverted)]
    y[wrong] ^= 1

    def part(which: slice) -> Data:
        return Data.of(x[which], y[which], name="noisy-xor", classes=("even", "odd"))

    return Split(part(slice(0, examples)), part(slice(examples, None)))
