"""The paper's second toy problem: what to wear at one of four temperatures."""

from __future__ import annotations

import numpy as np

from dbhw.data.dataset import Data, Split


def load() -> Split:
    """The paper's second toy problem: what to wear at one of four temperatures, inside and outside.

    A coat when it is cold, and, as the paper's table has it, also outside when it is very warm.

    >>> load().test.y.tolist()
    [1, 1, 0, 0, 1, 1, 0, 1]
    """
    x = [[*temperature, outside] for outside in (0, 1) for temperature in np.eye(4, dtype=int)]
    y = [very_cold or cold or (very_warm and outside) for very_cold, cold, _, very_warm, outside in x]
    features = ["very-cold", "cold", "warm", "very-warm", "outside"]
    data = Data.of(x, y, name="toy-2", features=features, classes=("t-shirt", "coat"))
    return Split(data, data)
