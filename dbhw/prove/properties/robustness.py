"""Properties of a model: proved for every input they are about, or refuted by a counterexample.

Few inputs are all tried on the hard net; among many, a SAT solver searches for a counterexample. Every counterexample
is checked on the hard net before it is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from dbhw.base.errors import whole
from dbhw.data.dataset import check_bits
from dbhw.model.model import Model
from dbhw.prove.properties.sat import Clauses, Encoded
from dbhw.software.packed import Packed

_AT_ONCE = 64  # examples, which the hard net computes in one word
TRIED = 1024  # inputs; trying them takes less time than making clauses of a large net


@dataclass(frozen=True)
class Flips:
    """Input bits that, flipped together, change the predicted class."""

    features: tuple[int, ...]
    before: int
    after: int


def robust(model: Model, x: np.ndarray, flips: int, tried: int = TRIED) -> Iterator[Flips | None]:
    """For each example the fewest flips of input bits that change its class; None where no `flips` bits or fewer do.

    Up to `tried` neighbours of an example are all tried on the hard net; more are searched by a SAT solver.

    >>> from dbhw.nn.layers.conjunction import Conjunction
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(2, [Conjunction(width=1)]), (np.full((1, 2), 0.5, np.float32),), ("a", "b"), ("no", "yes"))
    >>> list(robust(model, np.array([[0, 0], [0, 1]]), flips=1))
    [None, Flips(features=(0,), before=0, after=1)]
    """
    whole("flips", flips, 0)
    x = check_bits(x, model.net.inputs)
    flips = min(flips, model.net.inputs)
    few = sum(comb(model.net.inputs, k) for k in range(1, flips + 1)) <= tried
    with ExitStack() as stack:
        search: _Trial | _Search
        search = _Trial(model, flips, len(x)) if few else _Search(stack.enter_context(Clauses()), model, flips)
        for start in range(0, len(x), _AT_ONCE):
            bits = x[start : start + _AT_ONCE]
            before = model.predict(bits)
            others = search.nearest(bits, before)
            # An example without such a neighbour stands for itself, and is not checked.
            after = model.predict(np.array([b if o is None else o for b, o in zip(bits, others, strict=True)]))
            for answer in zip(bits, others, before.tolist(), after.tolist(), strict=True):
                yield _checked(*answer, flips)


class _Trial:
    """All neighbours of examples on the hard net, the nearest first."""

    def __init__(self, model: Model, flips: int, examples: int) -> None:
        self.model = model
        which = [c for k in range(1, flips + 1) for c in combinations(range(model.net.inputs), k)]
        flipped = np.zeros((len(which), model.net.inputs), bool)
        for row, places in zip(flipped, which, strict=True):
            row[list(places)] = True
        self.flipped = Packed.of(flipped).rows
        self.engine = model.engine_for(examples * len(which))

    def nearest(self, bits: np.ndarray, before: np.ndarray) -> list[np.ndarray | None]:
        """For each example the nearest input of another class; None where there is none within the flips."""
        if not len(self.flipped):
            return [None] * len(bits)
        others = Packed.of(bits).rows[:, None] ^ self.flipped
        packed = Packed(others.reshape(-1, others.shape[-1]))
        changed = self.model.predict(packed, engine=self.engine).reshape(others.shape[:2]) != before[:, None]
        first = others[np.arange(len(bits)), changed.argmax(axis=1)]
        nearest = Packed(first).bits(self.model.net.inputs)
        return [row if any_changed else None for row, any_changed in zip(nearest, changed.any(axis=1), strict=True)]


class _Search:
    """A net, an example, and the Hamming distance between the net's inputs and the example, in clauses."""

    def __init__(self, clauses: Clauses, model: Model, flips: int) -> None:
        self.clauses = clauses
        self.flips = flips
        self.net = Encoded(clauses, model.labelled().to_network(), model.net.classes)
        self.example = [clauses.fresh() for _ in self.net.inputs]
        flipped = [clauses.xor(a, b) for a, b in zip(self.net.inputs, self.example, strict=True)]
        self.distance = clauses.unary([(f, 1) for f in flipped], most=flips + 1)

    def nearest(self, bits: np.ndarray, before: np.ndarray) -> list[np.ndarray | None]:
        """For each example the nearest input of another class; None where there is none within the flips."""
        return [self._nearest(example, label) for example, label in zip(bits, before.tolist(), strict=True)]

    def _nearest(self, bits: np.ndarray, label: int) -> np.ndarray | None:
        assumed = [e if bit else -e for e, bit in zip(self.example, bits, strict=True)]
        assumed.append(-self.net.classes[label])
        found, at_most = None, self.flips
        while at_most >= 0:
            solution = self.clauses.solve([*assumed, *(-d for d in self.distance[at_most:])])
            if solution is None:
                break
            found = np.array([v in solution for v in self.net.inputs])
            # The next solution must have fewer flips than this one.
            at_most = min(at_most, int((found != bits).sum())) - 1
        return found


def _checked(bits: np.ndarray, other: np.ndarray | None, before: int, after: int, flips: int) -> Flips | None:
    if other is None:
        return None
    changed = np.flatnonzero(bits != other).tolist()
    if before == after or len(changed) > flips:
        raise AssertionError(f"{other.astype(int)} must be near {bits.astype(int)} and of another class, but is not")
    return Flips(tuple(changed), before, after)
