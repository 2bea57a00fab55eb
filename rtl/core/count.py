"""Weighted counts in hardware, shaped for look-up tables and the carry chains beside them.

A coefficient is written in binary, so every bit stands in the columns of its digits. The bits of a column are dealt
into *leaves*, small counts that a few look-up tables make; leaves are added two by two, and every adder takes one
more bit as its carry-in, which costs nothing. Then the columns are added, from the lowest.

With six-input tables a leaf counts 13 bits in 6 tables: `a + count(five bits) + carry-in` is one table per digit,
since a table in front of a carry has five inputs left over for a function of its own. With four-input tables a leaf
is a full adder.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import reduce
from itertools import count as numbers
from operator import add

from amaranth.hdl import Cat, Const, Module, Signal, Value

from dbhw.base.errors import one_of

Term = tuple[Value, int]  # A bit, and how much it counts.

# By the inputs of a look-up table: how many bits a leaf counts, and how many of those go straight into a carry chain.
LEAVES = {4: (3, 0), 6: (13, 3)}
_BESIDE_CARRY = 5  # the inputs that a six-input table in front of a carry has left


@dataclass(frozen=True)
class _Word:
    """A number, the largest value it can have, and whether look-up tables make its digits out of few bits."""

    value: Value
    most: int
    tabled: bool = False


def check_lut_inputs(lut_inputs: int) -> None:
    """Refuses a width of look-up tables that counts are not shaped for.

    >>> check_lut_inputs(6)
    """
    if lut_inputs not in LEAVES:
        raise one_of("inputs of a look-up table", lut_inputs, [str(n) for n in LEAVES])


def counter(m: Module, name: str, terms: list[Term], constant: int = 0, lut_inputs: int = 6) -> Value:
    """The sum of a constant and of bits times their positive coefficients, in just as many bits as it needs.

    The first terms go straight into carry chains, where a complement would cost a table: complements come last.

    >>> len(counter(Module(), "votes", [(Signal(), 1), (Signal(), 1), (Signal(), 3)]))
    3
    """
    return _Counter(m, name, lut_inputs).total([(Const(1, 1), constant), *terms])


def pad(value: Value, width: int) -> Value:
    """The value with zeros above it.

    >>> len(pad(Signal(3), 5))
    5
    """
    return value if len(value) == width else Cat(value, Const(0, width - len(value)))


class _Counter:
    def __init__(self, m: Module, name: str, lut_inputs: int) -> None:
        self.m = m
        self.name = name
        self.lut_inputs = lut_inputs
        self.sums = numbers()
        self.tables = numbers()

    def total(self, terms: list[Term]) -> Value:
        columns: dict[int, list[Value]] = {}
        for bit, coefficient in terms:
            for j in range(coefficient.bit_length()):
                if coefficient >> j & 1:
                    columns.setdefault(j, []).append(bit)
        total = _Word(Const(0, 1), 0)
        for shift, bits in sorted(columns.items()):
            total = self._add_column(total, shift, bits)
        return total.value

    def _add_column(self, total: _Word, shift: int, bits: list[Value]) -> _Word:
        above = total.most >> shift
        if above:
            carry_in = bits.pop(0) if len(bits) > 1 else None
            word = self._add(_Word(total.value[shift:], above, total.tabled), self._column(bits), carry_in)
        else:
            word = self._column(bits)
        most = word.most << shift | total.most & (1 << shift) - 1
        if not shift:
            return word
        return _Word(Cat(pad(total.value, max(shift, len(total.value)))[:shift], word.value), most, word.tabled)

    def _column(self, bits: list[Value]) -> _Word:
        """How many bits are high: leaves, added two by two, the smallest first."""
        size, straight = LEAVES[self.lut_inputs]
        carries = -(-(len(bits) + 1) // (size + 1)) - 1
        spare, rest = bits[:carries], bits[carries:]
        n, others = -(-len(rest) // size), size - straight
        tabled = rest[straight * n :]
        groups = [rest[straight * i :][:straight] + tabled[others * i :][:others] for i in range(n)]
        if len(spare) == n:  # One adder fewer than bits to carry in.
            groups[-1].append(spare.pop())
        order = numbers()
        heap = [(len(group), next(order), self._leaf(group)) for group in groups]
        heapq.heapify(heap)
        while len(heap) > 1:
            a, b = heapq.heappop(heap)[2], heapq.heappop(heap)[2]
            added = self._add(a, b, spare.pop(0))
            heapq.heappush(heap, (added.most, next(order), added))
        return heap[0][2]

    def _leaf(self, bits: list[Value]) -> _Word:
        if len(bits) <= self.lut_inputs:
            return self._table(bits)
        return self._add(self._leaf(bits[1:-_BESIDE_CARRY]), self._table(bits[-_BESIDE_CARRY:]), bits[0])

    def _table(self, bits: list[Value]) -> _Word:
        """How many of a few bits are high: each digit is a function of them all, and so one look-up table."""
        if len(bits) == 1:
            return _Word(bits[0], 1)
        name = f"{self.name}_of{len(bits)}_{next(self.tables)}"
        steps = numbers()
        column, digits = bits, []
        while column:
            carries = []
            while len(column) > 1:
                pair = self._full_adder(f"{name}_{next(steps)}" if len(bits) > 3 else name, column[:3])
                column = [*column[3:], pair[0]]
                carries.append(pair[1])
            digits.append(column[0])
            column = carries
        return _Word(Cat(digits), len(bits), tabled=True)

    def _full_adder(self, name: str, bits: list[Value]) -> Signal:
        pair = Signal(2, name=name)
        self.m.d.comb += pair.eq(Cat(_digits_of_sum(bits)))
        return pair

    def _add(self, a: _Word, b: _Word, carry_in: Value | None) -> _Word:
        most = a.most + b.most + (carry_in is not None)
        if a.tabled and not b.tabled:
            a, b = b, a
        lowest = [carry_in, a.value[0], b.value[0]] if carry_in is not None else [b.value[0], a.value[0]]
        if b.tabled and carry_in is not None:
            lowest = [carry_in, b.value[0], a.value[0]]
        # The lowest digits change places, since Yosys takes a sum of whole sums apart into full adders. The digit of
        # a function stays with its function, which is then one table in front of the carry.
        summands = [Cat(lowest[0], a.value[1:]), Cat(lowest[1], b.value[1:]), *lowest[2:]]
        total = Signal(most.bit_length(), name=f"{self.name}_sum{next(self.sums)}")
        self.m.d.comb += total.eq(reduce(add, (pad(s, len(total)) for s in summands))[: len(total)])
        return _Word(total, most)


def _digits_of_sum(bits: list[Value]) -> tuple[Value, Value]:
    """The two digits of the sum of two or three bits, the first of which may be the constant one."""
    one = isinstance(bits[0], Const)
    a, b, *more = bits[1:] if one and len(bits) == 3 else bits
    if more:
        c = more[0]
        return a ^ b ^ c, (a & b) | (a & c) | (b & c)
    if one:
        return (~(a ^ b), a | b) if len(bits) == 3 else (~b, b)
    return a ^ b, a & b
