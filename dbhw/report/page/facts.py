"""All that a report says, before it is written down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dbhw.data.dataset import Data
from dbhw.fpga.place import Placed
from dbhw.model.model import Model
from dbhw.report.evidence import Rung
from dbhw.report.explanation import Checked, Explanation, explain
from dbhw.report.flips import Flips

_EXPLAINED_UP_TO = 30_000  # nodes


@dataclass(frozen=True)
class Size:
    """Look-up tables and depth of the core on a target; `measured` is False for figures that came with the model."""

    luts: int
    depth: int
    ffs: int = 0
    carries: int = 0
    measured: bool = True


@dataclass(frozen=True)
class Tested:
    """The hard net on examples: how many are right, and of which class they were said to be."""

    examples: int
    right: int
    confusion: np.ndarray
    wrong: list[tuple[int, int, int]]  # the first few that are wrong: example, class, what was said

    @property
    def accuracy(self) -> float:
        return self.right / self.examples


@dataclass(frozen=True)
class Facts:
    """What is known of a model. What is missing is None or empty, and the page says so."""

    name: str
    model: Model
    explanation: Explanation
    made: str  # the date and time, UTC
    command: str
    data: Data | None = None
    data_words: str = ""
    tested: Tested | None = None
    flips: Flips | None = None
    flips_words: str = ""
    sizes: dict[str, Size] = field(default_factory=dict)
    layer_area: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    placed: dict[str, Placed] = field(default_factory=dict)
    rungs: list[Rung] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    pareto: str = ""  # a picture
    seconds: float = 0.0


def bare(model: Model, name: str = "net", made: str = "", command: str = "") -> Facts:
    """What is known of a model before anything is measured.

    >>> from dbhw.nn.net import Net
    >>> bare(Model(Net(2, []), (), ("a", "b"), ("c", "d"))).explanation.terms
    2
    """
    return Facts(name, model, _explained(model), made, command)


def _explained(model: Model) -> Explanation:
    """The program, unless it would be a book: simplifying and printing a large net takes minutes."""
    network = model.to_network()
    if len(network) <= _EXPLAINED_UP_TO:
        return explain(model, network)
    words = f"# The net has {len(network):,} nodes, too many for a program that people read."
    return Explanation(network, words, [], Checked(0, 0, model.net.inputs))
