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
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import count as numbers
from itertools import groupby

from dbhw.base.errors import one_of
from dbhw.logic import truth
from dbhw.rtl.core.wires import ONE, ZERO, Bit, Builder, Equal, Gate, Sum, Word, at_least, complement, of_table, pad

Term = tuple[Bit, int]  # A bit, and how much it counts.

# By the inputs of a look-up table: how many bits a leaf counts, and how many of those go straight into a carry chain.
LEAVES = {4: (3, 0), 6: (13, 3)}
_BESIDE_CARRY = 5  # the inputs that a six-input table in front of a carry has left


@dataclass(frozen=True)
class Count:
    """A kind of count: positive weights, a constant, and what the total is compared with, if it is.

    Counts of one kind differ only in the bits they read, so one module serves them all.
    """

    weights: tuple[int, ...]
    constant: int = 0
    comparison: str = ""  # "at_least" or "exactly"
    k: int = 0

    def name(self) -> str:
        """What its module is called.

        >>> Count((1,) * 16, comparison="at_least", k=9).name(), Count((1, 1, 2)).name()
        ('at_least_9_of_16', 'count_of_2_1x2')
        """
        kind = f"{self.comparison}_{self.k}" if self.comparison else "count"
        plus = f"_plus_{self.constant}" if self.constant else ""
        return f"{kind}_of_{_run_lengths(self.weights)}{plus}"

    def meaning(self) -> str:
        """What its module computes, for a comment.

        >>> Count((1, 1, 2), comparison="at_least", k=2).meaning()
        'Whether at least 2 of 3 bits are high; 1 of them counts 2.'
        """
        more = [f"{len(list(run))} of them counts {w}" for w, run in groupby(sorted(self.weights)) if w > 1]
        plus = [f"and {self.constant} more"] if self.constant else []
        which = f"{self.comparison.replace('_', ' ')} {self.k} of {len(self.weights)} bits are high"
        many = f"How many of {len(self.weights)} bits are high"
        return "; ".join([f"Whether {which}" if self.comparison else many, *more, *plus]) + "."

    @property
    def width(self) -> int:
        """How many bits it gives.

        >>> Count((1,) * 16).width
        5
        """
        return 1 if self.comparison else max((sum(self.weights) + self.constant).bit_length(), 1)

    def is_wiring(self) -> bool:
        """Whether no two weights have a digit in common, so that the total needs no adder.

        >>> Count((1, 4)).is_wiring(), Count((1, 1)).is_wiring()
        (True, False)
        """
        summands = [self.constant, *self.weights]
        if len(set(summands)) < len(summands):
            return False
        return sum(summands).bit_count() == sum(s.bit_count() for s in summands)

    def table(self, lut_inputs: int) -> int | None:
        """The truth table of a comparison that is one look-up table and needs all of its inputs.

        >>> bin(Count((1, 1, 1), comparison="at_least", k=2).table(4))
        '0b11101000'
        """
        if not self.comparison or len(self.weights) > lut_inputs:
            return None
        return _comparison_table(self)

    def build(self, builder: Builder, name: str, inputs: Word) -> Word:
        """The count of the inputs, which have the weights in order; its wires have names that start with the name.

        >>> from dbhw.rtl.verilog.writer import VerilogModule
        >>> module = VerilogModule("net"); x = module.input("x", 16)
        >>> len(Count((1,) * 16).build(module, "count", x))
        5
        """
        table = self.table(builder.lut_inputs)
        if table is not None and not self.is_wiring():
            return (of_table(table, inputs),)
        total = counter(builder, name, list(zip(inputs, self.weights, strict=True)), self.constant)
        if not self.comparison:
            return total
        return (at_least(total, self.k) if self.comparison == "at_least" else Equal(total, self.k),)


@cache
def _comparison_table(kind: Count) -> int | None:
    n = len(kind.weights)
    sums = [sum(c for j, c in enumerate(kind.weights) if i >> j & 1) for i in range(1 << n)]
    rows = (total >= kind.k if kind.comparison == "at_least" else total == kind.k for total in sums)
    table = sum(row << i for i, row in enumerate(rows))
    return table if len(truth.essential(table, n)) == n else None


def _run_lengths(weights: Iterable[int]) -> str:
    """Weights in short: the length of each run of equal ones, and the weight where it is not 1."""
    runs = ((weight, len(list(run))) for weight, run in groupby(weights))
    return "_".join(f"{n}" if weight == 1 else f"{n}x{weight}" for weight, n in runs)


@dataclass(frozen=True)
class _Number:
    """A word, the largest value it can have, and whether look-up tables make its digits out of few bits."""

    word: Word
    most: int
    tabled: bool = False


def check_lut_inputs(lut_inputs: int) -> None:
    """Refuses a width of look-up tables that counts are not shaped for.

    >>> check_lut_inputs(6)
    """
    if lut_inputs not in LEAVES:
        raise one_of("inputs of a look-up table", lut_inputs, [str(n) for n in LEAVES])


def counter(builder: Builder, name: str, terms: list[Term], constant: int = 0) -> Word:
    """The sum of a constant and of bits times their positive coefficients, in just as many bits as it needs.

    The first terms go straight into carry chains, where a complement would cost a table: complements come last.

    >>> from dbhw.rtl.verilog.writer import VerilogModule
    >>> module = VerilogModule("net"); a, b, c = module.input("x", 3)
    >>> len(counter(module, "votes", [(a, 1), (b, 1), (c, 3)]))
    3
    """
    return _Counter(builder, name).total([(ONE, constant), *terms])


class _Counter:
    def __init__(self, builder: Builder, name: str) -> None:
        self.builder = builder
        self.name = name
        self.sums = numbers()
        self.tables = numbers()

    def total(self, terms: list[Term]) -> Word:
        columns: dict[int, list[Bit]] = {}
        for bit, coefficient in terms:
            for j in range(coefficient.bit_length()):
                if coefficient >> j & 1:
                    columns.setdefault(j, []).append(bit)
        total = _Number((ZERO,), 0)
        for shift, bits in sorted(columns.items()):
            total = self._add_column(total, shift, bits)
        return total.word

    def _add_column(self, total: _Number, shift: int, bits: list[Bit]) -> _Number:
        above = total.most >> shift
        if above:
            carry_in = bits.pop(0) if len(bits) > 1 else None
            column = self._add(_Number(total.word[shift:], above, total.tabled), self._column(bits), carry_in)
        else:
            column = self._column(bits)
        if not shift:
            return column
        most = column.most << shift | total.most & (1 << shift) - 1
        return _Number(pad(total.word, shift)[:shift] + column.word, most, column.tabled)

    def _column(self, bits: list[Bit]) -> _Number:
        """How many bits are high: leaves, added two by two, the smallest first."""
        size, straight = LEAVES[self.builder.lut_inputs]
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

    def _leaf(self, bits: list[Bit]) -> _Number:
        if len(bits) <= self.builder.lut_inputs:
            return self._table(bits)
        return self._add(self._leaf(bits[1:-_BESIDE_CARRY]), self._table(bits[-_BESIDE_CARRY:]), bits[0])

    def _table(self, bits: list[Bit]) -> _Number:
        """How many of a few bits are high: each digit is a function of them all, and so one look-up table."""
        if len(bits) == 1:
            return _Number((bits[0],), 1)
        name = f"{self.name}_of{len(bits)}_{next(self.tables)}"
        steps = numbers()
        column, digits = bits, []
        while column:
            carries = []
            while len(column) > 1:
                step = f"{name}_{next(steps)}" if len(bits) > 3 else name
                low, high = self.builder.define(step, _digits_of_sum(column[:3]))
                column = [*column[3:], low]
                carries.append(high)
            digits.append(column[0])
            column = carries
        return _Number(tuple(digits), len(bits), tabled=True)

    def _add(self, a: _Number, b: _Number, carry_in: Bit | None) -> _Number:
        most = a.most + b.most + (carry_in is not None)
        if a.tabled and not b.tabled:
            a, b = b, a
        lowest = [carry_in, a.word[0], b.word[0]] if carry_in is not None else [b.word[0], a.word[0]]
        if b.tabled and carry_in is not None:
            lowest = [carry_in, b.word[0], a.word[0]]
        # The lowest digits change places, since Yosys takes a sum of whole sums apart into full adders. The digit of
        # a function stays with its function, which is then one table in front of the carry.
        summands: list[Word] = [(lowest[0], *a.word[1:]), (lowest[1], *b.word[1:]), *((bit,) for bit in lowest[2:])]
        width = most.bit_length()
        added = Sum([pad(word, width) for word in summands])
        return _Number(self.builder.define(f"{self.name}_sum{next(self.sums)}", added), most)


def _digits_of_sum(bits: list[Bit]) -> Word:
    """The two digits of the sum of two or three bits. Only the first of them may be constant, and then it is one."""
    a, b, *more = bits
    if a == ONE:
        return (complement(Gate("^", (b, more[0]))), Gate("|", (b, more[0]))) if more else (complement(b), b)
    if not more:
        return Gate("^", (a, b)), Gate("&", (a, b))
    c = more[0]
    pairs = [Gate("&", pair) for pair in ((a, b), (a, c), (b, c))]
    return Gate("^", (a, b, c)), Gate("|", tuple(pairs))
