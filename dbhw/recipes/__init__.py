"""Recipes, one file each: a net, its data and its training settings; copy one and change it."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbhw.data import Split
from dbhw.errors import one_of
from dbhw.net import Net

if TYPE_CHECKING:
    from dbhw.train import Settings


@dataclass(frozen=True)
class Recipe:
    """What `dbhw train` runs.

    >>> find("noisy-xor").data.test.name
    'noisy-xor'
    """

    net: Net
    data: Split
    settings: Settings
    restarts: int = 1  # so many nets are trained, and the one that does best on the training data is kept;
    tolerance: float = 0.0  # one that selects fewer inputs may be right on so much less of that data
    trial: int = 0  # where it is not 0, that is decided after so many epochs, and only that one is trained to the end
    teacher: str = ""  # a recipe that is trained first; its answers beside the training data join that data
    polish: int = 0  # how many times every weight bit of the kept net is flipped where that is better


def names() -> list[str]:
    """The names of all recipes.

    >>> "toy-1" in names()
    True
    """
    return sorted(m.name.replace("_", "-") for m in pkgutil.iter_modules(__path__))


def find(name: str, seed: int = 0) -> Recipe:
    """The recipe of that name; the seed decides all that is random, generated data included.

    >>> find("noisy-xor").net.weight_count
    2304
    """
    if name not in names():
        raise one_of("recipe", name, names())
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}").recipe(seed)
