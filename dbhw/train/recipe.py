"""A recipe: a net, its data, and how it is trained."""

from __future__ import annotations

from dataclasses import dataclass

from dbhw.data.dataset import Split
from dbhw.nn.net import Net
from dbhw.train.settings import Settings


@dataclass(frozen=True)
class Recipe:
    """What `dbhw train` runs.

    >>> from dbhw import recipes
    >>> recipes.find("noisy-xor").data.test.name
    'noisy-xor'
    """

    net: Net
    data: Split
    settings: Settings
    restarts: int = 1  # how many nets are trained; the one with the best accuracy on the training data is kept
    tolerance: float = 0.0  # how much less accurate a net may be and still be kept for selecting fewer inputs
    trial: int = 0  # if not 0: the epochs after which the best restart is chosen; only that one is trained to the end
    teacher: Recipe | None = None  # trained first; its answers to inputs near the examples join the training data
    polish: int = 0  # the sweeps of polishing; each tries to flip every weight bit of the kept net
    compact: bool = False  # freeze the trained net and prune its tables: a small file and small hardware
    name: str = ""
