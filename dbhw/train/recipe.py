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
    restarts: int = 1  # so many nets are trained, and the one that does best on the training data is kept;
    tolerance: float = 0.0  # one that selects fewer inputs may be right on so much less of that data
    trial: int = 0  # where it is not 0, that is decided after so many epochs, and only that one is trained to the end
    teacher: Recipe | None = None  # trained first; its answers beside the training data join that data
    polish: int = 0  # how many times every weight bit of the kept net is flipped where that is better
    name: str = ""
