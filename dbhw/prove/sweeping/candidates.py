"""Which nodes of two graphs seem to be equal: those that answer alike in simulation. It only says what to try."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dbhw.prove.graphs import simulation
from dbhw.prove.sweeping import extremes
from dbhw.prove.sweeping.known import Known

_CANDIDATES = 4


def seem_equal(known: Known, literals: Sequence[int], numbers: Sequence[Sequence[int]] = ()) -> dict[int, list[int]]:
    """For each literal of `a` some of `b` that answer alike, but constants: what is rarely high seems to be one.

    The inputs are random ones, and such as bring numbers, given by the literals of their digits, to their ends.

    >>> from dbhw.prove.graphs.aig import Aig
    >>> graph = Aig(2, np.array([[2, 4], [3, 5]]), [])
    >>> seem_equal(Known(graph, graph), [6, 9])
    {6: [6], 9: [9]}
    """
    x = [simulation.examples(known.inputs), extremes.vectors(known.a, known.of_a, known.inputs, numbers)]
    words = simulation.packed(np.concatenate(x))
    candidates = by_signature(simulation.simulate(known.b, words, known.of_b))
    answers = simulation.simulate(known.a, words, known.of_a)
    alike = {}
    for literal in literals:
        signature, inverted = _signature(answers[literal >> 1])
        found = candidates.get(signature, []) if any(signature) else []
        alike[literal] = [f ^ inverted ^ (literal & 1) for f in found]
    return alike


def by_signature(answers: np.ndarray) -> dict[bytes, list[int]]:
    """Literals by what they answer, the lowest first, and some of those that answer alike.

    >>> list(by_signature(np.array([[0], [2], [2**64 - 3]], np.uint64)).values())
    [[0], [2, 5]]
    """
    found: dict[bytes, list[int]] = {}
    for node in range(len(answers)):
        signature, inverted = _signature(answers[node])
        alike = found.setdefault(signature, [])
        if len(alike) < _CANDIDATES:
            alike.append(2 * node ^ inverted)
    return found


def has(candidates: dict[bytes, list[int]], answers: np.ndarray) -> bool:
    """Whether some of these literals answer so, or the contrary.

    >>> has(by_signature(np.array([[2]], np.uint64)), np.array([2**64 - 3], np.uint64))
    True
    """
    return _signature(answers)[0] in candidates


def _signature(answers: np.ndarray) -> tuple[bytes, bool]:
    """What a node answers, inverted if its first answer is high."""
    inverted = bool(answers[0] & np.uint64(1))
    return (~answers if inverted else answers).tobytes(), inverted
