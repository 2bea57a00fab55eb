"""The paper's first toy problem: when to wear a coat."""

from __future__ import annotations

from dbhw.data.dataset import Data, Split


def load() -> Split:
    """The paper's first toy problem: a coat outside, a t-shirt inside.

    >>> load().test.y.tolist()
    [0, 1]
    """
    data = Data.of([[0], [1]], [0, 1], name="toy-1", features=["outside"], classes=("t-shirt", "coat"))
    return Split(data, data)
