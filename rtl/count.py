"""Weighted counts in hardware: an adder tree over the terms."""

from __future__ import annotations

import heapq
from itertools import count as numbers

from amaranth.hdl import Cat, Const, Module, Signal, Value

Term = tuple[Value, int]  # A bit, and how much it counts.


def adder_tree(m: Module, name: str, terms: list[Term], constant: int = 0) -> Value:
    """The sum of a constant and of bits times their positive coefficients, in just as many bits as it needs.

    The two summands with the smallest maxima are added first, so the adders near the leaves stay narrow.

    >>> len(adder_tree(Module(), "votes", [(Signal(), 1), (Signal(), 1), (Signal(), 3)]))
    3
    """
    order = numbers()
    heap = [(c, next(order), _multiple(bit, c)) for bit, c in terms]
    if constant or not heap:
        heap.append((constant, next(order), Const(constant, max(constant.bit_length(), 1))))
    heapq.heapify(heap)
    sums = numbers()
    while len(heap) > 1:
        (most_a, _, a), (most_b, _, b) = heapq.heappop(heap), heapq.heappop(heap)
        last = not heap
        total = Signal((most_a + most_b).bit_length(), name=name if last else f"{name}_part{next(sums)}")
        m.d.comb += total.eq(_sum(a, b, len(total)))
        heapq.heappush(heap, (most_a + most_b, next(order), total))
    return heap[0][2]


def pad(value: Value, width: int) -> Value:
    """The value with zeros above it.

    >>> len(pad(Signal(3), 5))
    5
    """
    return value if len(value) == width else Cat(value, Const(0, width - len(value)))


def _multiple(bit: Value, coefficient: int) -> Value:
    digits = range(coefficient.bit_length())
    return Cat(bit if coefficient >> j & 1 else Const(0, 1) for j in digits) if coefficient != 1 else bit


def _sum(a: Value, b: Value, width: int) -> Value:
    # Equal widths on both sides keep linters quiet; the sum of two w-bit numbers has w + 1 bits.
    longest = max(len(a), len(b))
    return (pad(a, longest) + pad(b, longest))[:width]
