"""Truth tables of bits over a few inputs of a network: integers, one bit for each combination of the inputs."""

from __future__ import annotations

from collections.abc import Sequence

from dbhw.logic import truth
from dbhw.logic.linear import Linear
from dbhw.logic.network import Network
from dbhw.logic.visit import Visitor


class Truth(Visitor[list[int]]):
    """The tables of a network's nodes over some of its inputs; the nodes must depend on no others.

    A count has a table for each binary digit of how far it is above its least value, the lowest digit first.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); both = n.and_([a, b ^ 1])
    >>> bin(Truth(n, [1, 2]).table_of(both >> 1))
    '0b10'
    """

    def __init__(self, network: Network, inputs: list[int]) -> None:
        super().__init__(network)
        self.n = len(inputs)
        self.everywhere = truth.ones(self.n)
        self.tables: dict[int, list[int]] = {0: [0]}
        self.tables.update((node, [p]) for node, p in zip(inputs, truth.projections(self.n), strict=True))

    def table_of(self, node: int) -> int:
        """The table of a bit."""
        # A stack instead of recursion: a network may be deep.
        pending = [node]
        while pending:
            missing = [s for s in self.network.sources(pending[-1]) if s not in self.tables]
            if missing:
                pending += missing
            elif (last := pending.pop()) not in self.tables:
                self.tables[last] = self.visit(last)
        return self.tables[node][0]

    def _literal(self, literal: int) -> int:
        return self.tables[literal >> 1][0] ^ (self.everywhere if literal & 1 else 0)

    def conjunction(self, node: int, literals: Sequence[int]) -> list[int]:
        value = self.everywhere
        for literal in literals:
            value &= self._literal(literal)
        return [value]

    def parity(self, node: int, literals: Sequence[int]) -> list[int]:
        value = 0
        for literal in literals:
            value ^= self._literal(literal)
        return [value]

    def table(self, node: int, table: int, literals: Sequence[int]) -> list[int]:
        return [truth.compose(table, [self._literal(f) for f in literals], self.n)]

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> list[int]:
        return self.count(node, self.network.linear(node))

    def count(self, node: int, linear: Linear) -> list[int]:
        low, high = linear.bounds()
        digits = [0] * max((high - low).bit_length(), 1)
        for source, coefficient in linear.coefficients.items():
            for j in range(abs(coefficient).bit_length()):
                carry = self._literal(source * 2 ^ (coefficient < 0)) if abs(coefficient) >> j & 1 else 0
                while carry:
                    digits[j], carry = digits[j] ^ carry, digits[j] & carry
                    j += 1
        return digits

    def at_least(self, node: int, integer: int, k: int) -> list[int]:
        value, steps = self.everywhere, k - self.network.bounds(integer)[0]
        for j, digit in enumerate(self.tables[integer]):
            value = digit & value if steps >> j & 1 else digit | value
        return [value]

    def exactly(self, node: int, integer: int, k: int) -> list[int]:
        value, steps = self.everywhere, k - self.network.bounds(integer)[0]
        for j, digit in enumerate(self.tables[integer]):
            value &= digit if steps >> j & 1 else digit ^ self.everywhere
        return [value]

    def argmax(self, node: int, integers: Sequence[int]) -> list[int]:
        raise AssertionError(f"node {node} must be a bit or a count, not an argmax")
