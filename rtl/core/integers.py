"""Integers of a network as words of hardware, and the adders that a SUM is.

A COUNT whose least value is negative is held as an unsigned word, whose code 0 stands for that least value. A SUM is
in two's complement, so no constant has to be added to keep it positive; only comparisons invert its sign bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbhw.logic.network import COUNT, SUM, Network
from dbhw.rtl.core import wires
from dbhw.rtl.core.wires import ONE, Bit, Builder, Equal, Sum, complement, number, pad

Word = wires.Word


@dataclass(frozen=True)
class Format:
    """How wide an integer is, whether its highest digit is a sign, and the value that its code 0 stands for."""

    width: int
    signed: bool = False
    base: int = 0

    def code(self, value: int) -> int:
        """The number that a value is held as.

        >>> Format(4, signed=True).code(-1), Format(4, base=-3).code(-1)
        (15, 2)
        """
        return (value - self.base) % (1 << self.width)

    def at_least(self, word: Word, k: int) -> Bit:
        """Whether the integer that a word holds is at least k, which is above its least value.

        >>> a = wires.Wire("a", 2).bits()
        >>> Format(2, signed=True).at_least(a, 0) == complement(a[1])
        True
        """
        if not self.signed:
            return wires.at_least(word, self.code(k))
        # With the sign inverted, larger numbers have larger codes.
        return wires.at_least((*word[:-1], complement(word[-1])), self.code(k) ^ 1 << self.width - 1)

    def exactly(self, word: Word, k: int) -> Bit:
        """Whether the integer that a word holds is k.

        >>> Format(2, base=-1).exactly(wires.Wire("a", 2).bits(), 1).number
        2
        """
        return Equal(word, self.code(k))


def format_of(network: Network, node: int) -> Format:
    """How an integer is held.

    >>> n = Network(); a = n.count([(n.input("a"), 3)])
    >>> format_of(n, a), format_of(n, n.sum_of([(a, -1)]))
    (Format(width=2, signed=False, base=0), Format(width=3, signed=True, base=0))
    """
    low, high = network.bounds(node)
    if network.kinds[node] == SUM and low < 0:
        return Format(max(high.bit_length(), (-low - 1).bit_length()) + 1, signed=True)
    base = min(low, 0)
    return Format(max((high - base).bit_length(), 1), base=base)


@dataclass(frozen=True)
class Part:
    """An integer that a SUM adds, or subtracts, times a power of two."""

    node: int
    shift: int
    negative: bool


def parts_of(network: Network, node: int) -> tuple[list[Part], int]:
    """The parts that a SUM adds up, and a constant. Subtracted parts come last, otherwise the smallest shift first.

    >>> n = Network(); a, b = (n.input(v) for v in "ab"); one, two = n.count([(a, 1)]), n.count([(b, 1)])
    >>> parts_of(n, n.sum_of([(one, -1), (two, 3)], 5))  # doctest: +ELLIPSIS
    ([Part(node=4, shift=0, negative=False), Part(node=4, shift=1, ...), Part(node=3, shift=0, negative=True)], 5)
    """
    constant, parts = network.parameters[node], []
    for source, c in network.parts(node):
        if network.kinds[source] == COUNT:
            constant += c * min(network.bounds(source)[0], 0)
        parts += [Part(source, j, c < 0) for j in range(abs(c).bit_length()) if abs(c) >> j & 1]
    return sorted(parts, key=lambda part: (part.negative, part.shift)), constant


def total(builder: Builder, name: str, network: Network, node: int, integers: Mapping[int, Word]) -> Word:
    """A SUM of integers whose words exist already.

    >>> from dbhw.rtl.verilog.writer import VerilogModule
    >>> n = Network(); a, b = (n.input(v) for v in "ab"); one, two = n.count([(a, 1)]), n.count([(b, 1)])
    >>> module = VerilogModule("net"); x = module.input("x", 2)
    >>> len(total(module, "y", n, n.sum_of([(one, 1), (two, 4)]), {one: x[:1], two: x[1:]}))
    3
    """
    width = format_of(network, node).width
    parts, constant = parts_of(network, node)
    constant %= 1 << width
    if not parts[0].negative:
        first = parts.pop(0)
        low, constant = constant % (1 << first.shift), constant >> first.shift << first.shift
        result = (number(low, first.shift) + _widened(network, first.node, integers, width))[:width]
    else:
        result, constant = number(constant, width), 0
    steps = [(p.shift, _widened(network, p.node, integers, width), p.negative) for p in parts]
    if constant:
        shift = (constant & -constant).bit_length() - 1
        steps.append((shift, number(constant >> shift, width), False))
    for i, (shift, word, negative) in enumerate(steps):
        called = f"{name}_{i}" if i < len(steps) - 1 else name
        added = builder.define(called, _added(result[shift:], word[: width - shift], negative))
        result = result[:shift] + added
    return result


def _widened(network: Network, node: int, integers: Mapping[int, Word], width: int) -> Word:
    word = integers[node]
    if format_of(network, node).signed:
        word += word[-1:] * (width - len(word))
    return pad(word, width)[:width]


def _added(a: Word, b: Word, negative: bool) -> Sum:
    """a + b or a - b. The lowest digits change places, or Yosys takes a sum of sums apart into full adders."""
    if not negative:
        return Sum([b[:1] + a[1:], a[:1] + b[1:]])
    inverted = tuple(map(complement, b))
    return Sum([(ONE, *a[1:]), a[:1] + inverted[1:], pad(inverted[:1], len(b))])
