"""The built-in data sets, one file each: `load` gives its training and test parts; a seed decides what is random."""

from __future__ import annotations

from collections.abc import Callable

from dbhw.base.registry import Plugins
from dbhw.data.dataset import Split

PLUGINS = Plugins("data set", __name__, dashes=True)


def names() -> list[str]:
    """The names of all built-in data sets.

    >>> "noisy-xor" in names()
    True
    """
    return PLUGINS.names()


def find(name: str) -> Callable[..., Split]:
    """The function that loads the data set of that name.

    >>> find("toy-1")().train.features
    ('outside',)
    """
    return PLUGINS.member(name, "load")
