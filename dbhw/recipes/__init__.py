"""Recipes, one file each: a net, its data and its training settings; copy one and change it."""

from __future__ import annotations

from dataclasses import replace

from dbhw.base.registry import Plugins
from dbhw.train.recipe import Recipe

PLUGINS = Plugins("recipe", __name__, dashes=True)


def names() -> list[str]:
    """The names of all recipes.

    >>> "toy-1" in names()
    True
    """
    return PLUGINS.names()


def find(name: str, seed: int = 0) -> Recipe:
    """The recipe of that name; the seed decides all that is random, generated data included.

    >>> find("noisy-xor").net.weight_count
    2304
    """
    recipe: Recipe = PLUGINS.member(name, "recipe")(seed)
    return replace(recipe, name=name, settings=replace(recipe.settings, seed=seed))
