"""The experiments of the paper, one file each: which recipes are trained, how often, and what the paper reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from dbhw.base.registry import Plugins
from dbhw.data.dataset import Split
from dbhw.train.recipe import Recipe

PLUGINS = Plugins("experiment", __name__, dashes=True)

Row = tuple[str, ...]  # a name, then the figures as the paper prints them


@dataclass(frozen=True)
class Experiment:
    """Recipes trained with many seeds on the same data as the baselines.

    >>> find("binary-iris").seeds
    1000
    """

    recipes: tuple[str, ...]
    seeds: int
    at_once: int  # how many seeds train together
    data: Callable[[int], Split]  # of a seed
    baselines: int  # the seeds of each baseline
    published: tuple[Row, ...]  # name, mean, 5th and 95th percentile, min, max
    single_start: bool = False  # as the paper: no restarts, so no choice among several nets

    def starts(self, recipe: Recipe) -> Recipe:
        """The recipe with as many starts as the experiment allows.

        >>> from dbhw import recipes
        >>> find("noisy-xor-single").starts(recipes.find("noisy-xor")).restarts
        1
        """
        return replace(recipe, restarts=1, trial=0) if self.single_start else recipe


def names() -> list[str]:
    """The names of all experiments.

    >>> "noisy-xor" in names()
    True
    """
    return PLUGINS.names()


def find(name: str) -> Experiment:
    """The experiment of that name.

    >>> find("noisy-xor").recipes
    ('noisy-xor', 'noisy-xor-sparse')
    """
    return PLUGINS.member(name, "EXPERIMENT")
