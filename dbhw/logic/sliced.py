"""A network in bit planes: every integer becomes bits, so that words of many examples go through it at once.

An integer is held as how far it is above its least value, in binary digits, the lowest first. What makes the bits is a
choice of the caller (`Maker`): gates of another network, or the steps of an interpreter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dbhw.logic.linear import Linear
from dbhw.logic.network import FALSE, TRUE, Network
from dbhw.logic.visit import Visitor

Planes = list[int]  # literals of the maker


class Maker(Protocol):
    """What makes bits of bits. A bit is a literal: 0 is false, 1 is true, and its lowest bit complements it."""

    def input(self, name: str) -> int: ...

    def and_(self, literals: Iterable[int]) -> int: ...

    def xor(self, literals: Iterable[int]) -> int: ...

    def lut(self, table: int, literals: Sequence[int]) -> int: ...

    def total(self, columns: Sequence[Sequence[int]]) -> Planes:
        """The digits of a sum modulo 2 to the power of the number of columns; column j holds bits worth 2 ** j."""

    def at_least(self, planes: Planes, k: int) -> int:
        """Whether a number is at least k, which is neither 0 nor beyond its digits."""


@dataclass(frozen=True)
class Field:
    """A member of an output: the bits it is made of, and its value where all of them are low.

    >>> Field("scores", (2, 4), least=-1).output
    'scores'
    """

    output: str
    planes: tuple[int, ...]
    least: int = 0


def slice_into(maker: Maker, network: Network) -> list[Field]:
    """Makes the bits of all outputs of a network; the fields are the members of its outputs, in order.

    >>> n, new = Network(), Network(); both = n.count([(n.input("a"), 1), (n.input("b"), 1)], 3)
    >>> n.integer_output("sum", [both], 3)
    >>> from dbhw.logic.gates import Gates
    >>> slice_into(Gates(new), n) == [Field("sum", (new.xor([2, 4]), new.and_([2, 4])), 3)]
    True
    """
    sliced = _Sliced(maker, network)
    return [
        Field(o.name, (sliced.literal(m),)) if o.kind == "bits" else Field(o.name, *sliced.integer(m))
        for o in network.outputs
        for m in o.members
    ]


class _Sliced(Visitor[Planes]):
    def __init__(self, maker: Maker, network: Network) -> None:
        super().__init__(network)
        self.maker = maker
        self.planes: dict[int, Planes] = {0: [FALSE]}
        for node, name in zip(network.inputs(), network.input_names, strict=True):
            self.planes[node] = [maker.input(name)]
        for node in network.needed():
            self.planes[node] = self.visit(node)

    def literal(self, literal: int) -> int:
        return self.planes[literal >> 1][0] ^ (literal & 1)

    def integer(self, node: int) -> tuple[tuple[int, ...], int]:
        return tuple(self.planes[node]), self._least(node)

    def _least(self, node: int) -> int:
        return self.network.bounds(node)[0]

    def conjunction(self, node: int, literals: Sequence[int]) -> Planes:
        return [self.maker.and_([self.literal(f) for f in literals])]

    def parity(self, node: int, literals: Sequence[int]) -> Planes:
        return [self.maker.xor([self.literal(f) for f in literals])]

    def table(self, node: int, table: int, literals: Sequence[int]) -> Planes:
        return [self.maker.lut(table, [self.literal(f) for f in literals])]

    def count(self, node: int, linear: Linear) -> Planes:
        terms = [(self.literal(n * 2), c) for n, c in linear.coefficients.items()]
        low, high = linear.bounds()
        return self._total(terms, linear.constant - low, high - low)

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> Planes:
        low, high = self.network.bounds(node)
        terms = [(plane, c << j) for part, c in parts for j, plane in enumerate(self.planes[part])]
        return self._total(terms, constant - low + sum(c * self._least(part) for part, c in parts), high - low)

    def _total(self, terms: Iterable[tuple[int, int]], constant: int, most: int) -> Planes:
        """The sum of multiples of bits and a constant, which is from 0 to `most`: what lies beyond is dropped."""
        columns: list[list[int]] = [[] for _ in range(most.bit_length())]
        for literal, coefficient in terms:
            # Less c times a bit is c times its complement, less c.
            constant += min(coefficient, 0)
            for j, column in enumerate(columns):
                if abs(coefficient) >> j & 1:
                    column.append(literal ^ (coefficient < 0))
        for j, column in enumerate(columns):
            if constant >> j & 1:
                column.append(TRUE)
        return self.maker.total(columns)

    def at_least(self, node: int, integer: int, k: int) -> Planes:
        planes, k = self.planes[integer], k - self._least(integer)
        if k <= 0 or k >> len(planes):
            return [TRUE if k <= 0 else FALSE]
        return [self.maker.at_least(planes, k)]

    def exactly(self, node: int, integer: int, k: int) -> Planes:
        planes, k = self.planes[integer], k - self._least(integer)
        if k < 0 or k >> len(planes):
            return [FALSE]
        return [self.maker.and_([plane ^ (~k >> j & 1) for j, plane in enumerate(planes)])]

    def argmax(self, node: int, integers: Sequence[int]) -> Planes:
        """The numbers challenge the best so far, one after another; only a larger one wins, so ties go to the first."""
        low = min(self._least(i) for i in integers)
        high = max(self.network.bounds(i)[1] for i in integers)
        numbers = [self._above(i, low, high - low) for i in integers]
        best, index = numbers[0], [FALSE] * (len(integers) - 1).bit_length()
        for i, number in enumerate(numbers[1:], 1):
            larger = FALSE
            for a, b in zip(best, number, strict=True):
                larger = self.maker.lut(0b11010100, [a, b, larger])  # b where they differ, else as below
            best = [self.maker.lut(0b11001010, [a, b, larger]) for a, b in zip(best, number, strict=True)]
            index = [
                self.maker.and_([plane ^ 1, larger ^ 1]) ^ 1 if i >> j & 1 else self.maker.and_([plane, larger ^ 1])
                for j, plane in enumerate(index)
            ]
        return index

    def _above(self, integer: int, low: int, most: int) -> Planes:
        """How far an integer is above `low`, in as many digits as `most` has."""
        planes, shift = self.planes[integer], self._least(integer) - low
        padded = [*planes, *[FALSE] * (most.bit_length() - len(planes))][: most.bit_length()]
        return self._total([(plane, 1 << j) for j, plane in enumerate(padded)], shift, most) if shift else padded
