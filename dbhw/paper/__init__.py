"""The experiments of the paper, one file each: which recipes are trained, how often, and what the paper reports."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass

from dbhw.data import Split
from dbhw.errors import one_of

Row = tuple[str, ...]  # a name, then the figures as the paper prints them


@dataclass(frozen=True)
class Experiment:
    """Recipes trained with many seeds on the same data as the baselines.

    >>> find("binary-iris").seeds
    1000
    """

    recipes: tuple[str, ...]
    seeds: int
    at_once: int  # so many seeds train together
    data: Callable[[int], Split]  # by seed
    baselines: int  # so many seeds for each of them
    published: tuple[Row, ...]  # name, mean, 5th and 95th percentile, min, max


def names() -> list[str]:
    """The names of all experiments.

    >>> "noisy-xor" in names()
    True
    """
    files = (m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return sorted(name.replace("_", "-") for name in files)


def find(name: str) -> Experiment:
    """The experiment of that name.

    >>> find("noisy-xor").recipes
    ('noisy-xor', 'noisy-xor-sparse')
    """
    if name not in names():
        raise one_of("experiment", name, names())
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}").EXPERIMENT
