"""Counts for four-input look-up tables: full adders, which are added two by two.

The bits of a column are dealt into threes, each counted by one full adder. These are added two by two, and every adder
takes one more bit as its carry-in, which costs nothing. Then the columns are added, from the lowest.
"""

from __future__ import annotations

import heapq
from itertools import count as numbers

from dbhw.rtl.arithmetic.adders import Adder, Number, Term, columns_of
from dbhw.rtl.core.wires import ZERO, Bit, Word, pad

_LEAF = 3  # the bits of a full adder


class Leaves(Adder):
    """Adds up weighted bits."""

    def total(self, terms: list[Term]) -> Word:
        """The sum of bits times their positive coefficients.

        >>> from dbhw.rtl.verilog.writer import VerilogModule
        >>> module = VerilogModule("net", 4); a, b, c = module.input("x", 3)
        >>> len(Leaves(module, "votes").total([(a, 1), (b, 1), (c, 3)]))
        3
        """
        total = Number((ZERO,), 0)
        for shift, bits in sorted(columns_of(terms).items()):
            total = self._add_column(total, shift, bits)
        return total.word

    def _add_column(self, total: Number, shift: int, bits: list[Bit]) -> Number:
        above = total.most >> shift
        if above:
            carry_in = bits.pop(0) if len(bits) > 1 else None
            column = self.add(Number(total.word[shift:], above, total.tabled), self._column(bits), carry_in)
        else:
            column = self._column(bits)
        if not shift:
            return column
        most = column.most << shift | total.most & (1 << shift) - 1
        return Number(pad(total.word, shift)[:shift] + column.word, most, column.tabled)

    def _column(self, bits: list[Bit]) -> Number:
        """How many bits are high: leaves, added two by two, the smallest first."""
        carries = -(-(len(bits) + 1) // (_LEAF + 1)) - 1
        spare, rest = bits[:carries], bits[carries:]
        groups = [rest[i : i + _LEAF] for i in range(0, len(rest), _LEAF)]
        if len(spare) == len(groups):  # One adder fewer than bits to carry in.
            groups[-1].append(spare.pop())
        order = numbers()
        heap = [(len(group), next(order), self.table(tuple(group))) for group in groups]
        heapq.heapify(heap)
        while len(heap) > 1:
            a, b = heapq.heappop(heap)[2], heapq.heappop(heap)[2]
            added = self.add(a, b, spare.pop(0))
            heapq.heappush(heap, (added.most, next(order), added))
        return heap[0][2]
