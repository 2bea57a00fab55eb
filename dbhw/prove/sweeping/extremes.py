"""Inputs that bring numbers to their ends.

Of a count of a hundred bits, random inputs hardly ever reach the highest digit: it looks like a constant, and nobody
could tell by simulation which wire it is. But a count grows, or falls, with each bit that it reads. So every input is
flipped once, which shows its direction, and then all inputs are set in favour of one number after another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dbhw.prove.graphs import simulation
from dbhw.prove.graphs.aig import Aig

_SPOILT = np.linspace(0, 0.5, 32)  # shares of the inputs that are set at random


def vectors(aig: Aig, known: Mapping[int, int], inputs: int, numbers: Sequence[Sequence[int]]) -> np.ndarray:
    """Inputs (vectors, inputs) that make each number, given by the literals of its digits, large and small.

    >>> half_adder = Aig(2, np.array([[2, 4], [3, 5], [7, 9]]), [])
    >>> found = vectors(half_adder, {}, 2, [[10, 6]])
    >>> [bool((found == wanted).all(axis=1).any()) for wanted in (True, False)]
    [True, True]
    """
    if not numbers:
        return np.zeros((0, inputs), bool)
    random = np.random.default_rng(0)
    base = random.random(inputs) < 0.5
    flipped = base ^ np.eye(inputs + 1, inputs, dtype=bool)  # the last one is not flipped
    answers = simulation.simulate(aig, simulation.packed(flipped), known)
    found = []
    for digits in numbers:
        value = simulation.unpacked(simulation.of(answers, np.array(digits)), inputs + 1) @ (
            1 << np.arange(len(digits))
        )
        half = 1 << len(digits) - 1
        effect = (value[:-1] - value[-1] + half) % (2 * half) - half  # where digits wrap, too
        up = (effect > 0) ^ base  # whether the number is larger with this input high
        for favoured in (up, ~up):
            wanted = np.where(effect == 0, base, favoured)
            found.append(wanted ^ (random.random((len(_SPOILT), inputs)) < _SPOILT[:, None]))
    return np.concatenate(found)
