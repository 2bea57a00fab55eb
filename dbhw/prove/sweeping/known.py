"""What is proved of two graphs: nodes of both that are equal, as literals over inputs that both have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dbhw.prove.graphs import cones
from dbhw.prove.graphs.aig import Aig

Pair = tuple[int, int]  # a literal of each graph


class Known:
    """Two graphs, and by node the literals that the proved ones are, over the inputs of both and one more per proof.

    >>> import numpy as np
    >>> graph = Aig(2, np.array([[2, 4]]), [6])
    >>> known = Known(graph, graph); known.learn(6, [6]); known.inputs, known.of_a, known.of_b
    (3, {3: 6}, {3: 6})
    """

    def __init__(self, a: Aig, b: Aig) -> None:
        self.a, self.b = a, b
        self.inputs = a.inputs
        self.of_a: dict[int, int] = {}
        self.of_b: dict[int, int] = {}

    def learn(self, literal: int, others: Sequence[int]) -> None:
        """Keeps that a literal of `a` is equal to others of `b`."""
        known = [self.of_b[f >> 1] ^ (f & 1) for f in others if f >> 1 in self.of_b]
        known += [f for f in others if f >> 1 <= self.b.inputs]
        if not known:
            self.inputs += 1
            known = [2 * self.inputs]
        self.of_a.setdefault(literal >> 1, known[0] ^ (literal & 1))
        for f in others:
            if f >> 1 > self.b.inputs:
                self.of_b.setdefault(f >> 1, known[0] ^ (f & 1))

    def forget(self, points: Iterable[int]) -> None:
        """Takes points, by the numbers of their inputs, for unknown again."""
        points = set(points)
        self.of_a, self.of_b = (
            {node: literal for node, literal in known.items() if literal >> 1 not in points}
            for known in (self.of_a, self.of_b)
        )

    def parts(self, pairs: Sequence[Pair]) -> list[Aig]:
        """Of both graphs, the literals of the pairs as outputs over the inputs and what is known."""
        return [cones.part(graph, f, known, self.inputs) for graph, f, known in self._sides(pairs)]

    def open_above(self, around: Callable[[set[int], set[int]], set[int]], pairs: Sequence[Pair]) -> bool:
        """Forgets the points above what is read around them, until there are none; whether there were any.

        What is read around is taken from the inputs and points that the two sides of the pairs read.
        """
        opened = False
        while above := self._above(around(*self._read_by(pairs))):
            opened = True
            self.forget(above)
        return opened

    def open_read_around(self, pairs: Sequence[Pair]) -> bool:
        """Forgets the points above what one side of some pair reads and the other does not, until there are none."""
        opened = False
        while above := self._above(set().union(*(set.symmetric_difference(*self._read_by([p])) for p in pairs))):
            opened = True
            self.forget(above)
        return opened

    def _sides(self, pairs: Sequence[Pair]) -> list[tuple[Aig, Sequence[int], dict[int, int]]]:
        a, b = zip(*pairs, strict=True)
        return [(self.a, a, self.of_a), (self.b, b, self.of_b)]

    def _read_by(self, pairs: Sequence[Pair]) -> list[set[int]]:
        return [cones.support(*side) for side in self._sides(pairs)]

    def _above(self, read: set[int]) -> set[int]:
        """The points, as numbers of inputs, that depend on some of these inputs in the first graph."""
        nodes = {node for node, literal in self.of_a.items() if literal >> 1 in read}
        above = cones.above(self.a, nodes | {number for number in read if number <= self.a.inputs})
        return {literal >> 1 for node, literal in self.of_a.items() if node in above}
