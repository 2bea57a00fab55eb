"""Truth tables of bits over a few inputs of a network: integers, one bit for each combination of the inputs."""

from __future__ import annotations

from dbhw.logic.network import AND, COUNT, EQ, GE, LUT, SUM, XOR, Network
from dbhw.logic.truth import projections


class Truth:
    """The tables of a network's nodes over some of its inputs; the nodes must depend on no others.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); both = n.and_([a, b ^ 1])
    >>> bin(Truth(n, [1, 2]).table(both >> 1))
    '0b10'
    """

    def __init__(self, network: Network, inputs: list[int]) -> None:
        self.network = network
        self.everywhere = (1 << (1 << len(inputs))) - 1
        self.tables: dict[int, int] = {0: 0, **dict(zip(inputs, projections(len(inputs)), strict=True))}
        self.digits: dict[int, list[int]] = {}  # of a count, a table for each binary digit, lowest first

    def table(self, node: int) -> int:
        # A stack instead of recursion: a network may be deep.
        pending = [node]
        while pending:
            missing = [s for s in self.network.sources(pending[-1]) if s not in self.tables and s not in self.digits]
            if missing:
                pending += missing
            else:
                self._make(pending.pop())
        return self.tables[node]

    def _make(self, node: int) -> None:
        if node in self.tables or node in self.digits:
            return
        network, kind, fanin = self.network, self.network.kinds[node], self.network.fanin(node)
        if kind in (COUNT, SUM):
            self.digits[node] = self._count(node)
            return
        if kind == AND:
            value = self.everywhere
            for literal in fanin:
                value &= self._literal(literal)
        elif kind == XOR:
            value = 0
            for literal in fanin:
                value ^= self._literal(literal)
        elif kind == LUT:
            value = self._look_up(network.table(node), [self._literal(f) for f in fanin])
        else:
            k = network.parameters[node] - network.bounds(fanin[0])[0]
            value = self._compare(kind, self.digits[fanin[0]], k)
        self.tables[node] = value

    def _literal(self, literal: int) -> int:
        return self.tables[literal >> 1] ^ (self.everywhere if literal & 1 else 0)

    def _count(self, node: int) -> list[int]:
        """The count above its least value."""
        linear = self.network.linear(node)
        low, high = linear.bounds()
        digits = [0] * max((high - low).bit_length(), 1)
        for source, coefficient in linear.coefficients.items():
            for j in range(abs(coefficient).bit_length()):
                carry = self._literal(source * 2 ^ (coefficient < 0)) if abs(coefficient) >> j & 1 else 0
                while carry:
                    digits[j], carry = digits[j] ^ carry, digits[j] & carry
                    j += 1
        return digits

    def _compare(self, kind: int, digits: list[int], k: int) -> int:
        value = self.everywhere
        for j, digit in enumerate(digits):
            if kind == EQ:
                value &= digit if k >> j & 1 else digit ^ self.everywhere
            else:
                assert kind == GE
                value = digit & value if k >> j & 1 else digit | value
        return value

    def _look_up(self, table: int, inputs: list[int]) -> int:
        if not inputs:
            return self.everywhere if table else 0
        half = 1 << (len(inputs) - 1)
        low = self._look_up(table & (1 << half) - 1, inputs[:-1])
        return low ^ (inputs[-1] & (low ^ self._look_up(table >> half, inputs[:-1])))
