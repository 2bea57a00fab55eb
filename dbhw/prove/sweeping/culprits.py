"""Which point must not be free, when two nodes differ only because points were given values that cannot be.

Points that are proved become inputs. If hardware reads a sum and also a wire inside its adder, then with the sum and
the bits that it adds up all free, it differs from a graph that reads the sum alone. In truth the sum follows from its
bits. So all points get their true values, one after another, the lowest first: the one at which the difference goes is
the culprit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dbhw.prove.graphs import cones, simulation
from dbhw.prove.graphs.aig import Aig

Side = tuple[Aig, Mapping[int, int], Sequence[int]]  # a graph, its known nodes over the inputs, and literals of it


def differing(a: Side, b: Side, x: np.ndarray) -> np.ndarray:
    """For which inputs (vectors, inputs) some literal of `a` is not that of `b`.

    >>> gate = Aig(2, np.array([[2, 4]]), [])
    >>> x = np.array([[False, True], [True, True]])
    >>> differing((gate, {}, [6]), (gate, {}, [2]), x), differing((gate, {}, [6]), (gate, {}, [4]), x)
    (array([False, False]), array([ True, False]))
    """
    words = simulation.packed(x)
    parts = [cones.part(graph, literals, known, x.shape[1]) for graph, known, literals in (a, b)]
    one, other = (simulation.of(simulation.simulate(part, words, {}), np.array(part.outputs)) for part in parts)
    return simulation.unpacked(np.bitwise_or.reduce(one ^ other, axis=0)[None], len(x))[:, 0]


def find(a: Side, b: Side, x: np.ndarray) -> int | None:
    """The culprit, an input that stands for a point, where inputs `x` make a difference; None if it is a true one.

    >>> and3 = Aig(3, np.array([[2, 4], [6, 8]]), [])
    >>> around = Aig(3, np.array([[2, 4], [6, 8], [2, 10]]), [])  # reads input 1 again; the point is input 4
    >>> find((and3, {4: 8}, [10]), (around, {4: 8}, [12]), np.array([False, True, True, True]))
    4
    """
    graph, known, _ = a
    points = {literal >> 1: (node, literal & 1) for node, literal in known.items() if literal >> 1 > graph.inputs}
    order = sorted(points)
    true = simulation.simulate(graph, simulation.packed(x[None, : graph.inputs]), {})
    values = np.array([bool(true[points[i][0], 0] & np.uint64(1)) ^ bool(points[i][1]) for i in order], bool)
    rows = np.repeat(x[None], len(order) + 1, axis=0)
    at = np.array(order, np.int64) - 1
    settled = np.arange(len(order)) < np.arange(len(order) + 1)[:, None]
    rows[:, at] = np.where(settled, values, rows[:, at])
    differs = differing(a, b, rows)
    if differs[-1]:
        return None
    last = np.flatnonzero(differs)
    return order[last[-1]] if len(last) else None
