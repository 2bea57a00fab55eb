"""Where hardware first differs from a network, by the points of the network that it has and those that it lacks.

Hardware may lack a point and still be right: what reads it was made another way. So the search goes from the outputs
down, through points that are lacking only. One that is made from points which are all there is where it goes wrong; or
what reads it does not read it any more, and so it was removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dbhw.prove.graphs.aig import Aig
from dbhw.prove.sweeping.points import Point


def layer(graph: Aig, points: Sequence[Point], present: Sequence[bool]) -> str:
    """The layer of the first point that goes wrong; that of the last point if none does, but the outputs do.

    >>> import numpy as np
    >>> three_ands = Aig(4, np.array([[2, 4], [10, 6], [12, 8]]), [14])
    >>> points = [Point("first", (10,)), Point("second", (12,))]
    >>> [layer(three_ands, points, there) for there in ([True, False], [False, False], [False, True])]
    ['second', 'first', 'second']
    """
    owners = {f >> 1: number for number, point in enumerate(points) for f in point.literals if f > 1}
    pending = _lacking(graph, graph.outputs, owners, present)
    seen: set[int] = set()
    wrong: list[int] = []
    while pending:
        number = pending.pop()
        if number in seen:
            continue
        seen.add(number)
        reads = [f for literal in points[number].literals for f in _reads(graph, literal)]
        below = _lacking(graph, reads, owners, present) - {number}
        wrong += [] if below else [number]
        pending |= below
    return points[min(wrong, default=-1)].layer if points else ""


def _reads(graph: Aig, literal: int) -> list[int]:
    return graph.reads(literal >> 1) if literal >> 1 > graph.inputs else []


def _lacking(graph: Aig, roots: Iterable[int], owners: dict[int, int], present: Sequence[bool]) -> set[int]:
    """The points that literals depend on without another point between, and that are lacking."""
    found: set[int] = set()
    seen: set[int] = set()
    pending = [f >> 1 for f in roots]
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        if node in owners:
            found |= set() if present[owners[node]] else {owners[node]}
        else:
            pending += [f >> 1 for f in _reads(graph, 2 * node)]
    return found
