"""Integers of a network as words of hardware, and the adders that a SUM is.

A COUNT is a word that starts at its least value, where that is negative. A SUM is in two's complement, so that nothing
needs to be added to keep it positive: only where it is compared, its sign changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from amaranth.hdl import Cat, Const, Module, Signal, Value

from dbhw.logic.network import COUNT, SUM, Network
from dbhw.rtl.core.count import pad


@dataclass(frozen=True)
class Word:
    """How wide an integer is, whether its highest digit is a sign, and the value that its code 0 stands for."""

    width: int
    signed: bool = False
    base: int = 0

    def code(self, value: int) -> int:
        """The number that a value is held as.

        >>> Word(4, signed=True).code(-1), Word(4, base=-3).code(-1)
        (15, 2)
        """
        return (value - self.base) % (1 << self.width)

    def rising_code(self, value: int) -> int:
        """The number for a value once the sign, where there is one, is the other way round: larger for larger values.

        >>> Word(4, signed=True).rising_code(-1)
        7
        """
        return self.code(value) ^ (self.signed << self.width - 1)


def word_of(network: Network, node: int) -> Word:
    """The word that holds an integer.

    >>> n = Network(); a = n.count([(n.input("a"), 3)])
    >>> word_of(n, a), word_of(n, n.sum_of([(a, -1)]))
    (Word(width=2, signed=False, base=0), Word(width=3, signed=True, base=0))
    """
    low, high = network.bounds(node)
    if network.kinds[node] == SUM and low < 0:
        return Word(max(high.bit_length(), (-low - 1).bit_length()) + 1, signed=True)
    base = min(low, 0)
    return Word(max((high - base).bit_length(), 1), base=base)


@dataclass(frozen=True)
class Part:
    """An integer that a SUM adds, or subtracts, times a power of two."""

    node: int
    shift: int
    negative: bool


def parts_of(network: Network, node: int) -> tuple[list[Part], int]:
    """What a SUM adds up, in order, and a constant: those that are subtracted come last, the lowest of others first.

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


def total(m: Module, name: str, network: Network, node: int, integers: dict[int, Value]) -> Value:
    """A SUM of integers that there are already.

    >>> n = Network(); a, b = (n.input(v) for v in "ab"); one, two = n.count([(a, 1)]), n.count([(b, 1)])
    >>> len(total(Module(), "y", n, n.sum_of([(one, 1), (two, 4)]), {one: Signal(), two: Signal()}))
    3
    """
    width = word_of(network, node).width
    parts, constant = parts_of(network, node)
    constant %= 1 << width
    if not parts[0].negative:
        first = parts.pop(0)
        low, constant = constant % (1 << first.shift), constant >> first.shift << first.shift
        result = Cat(Const(low, first.shift), _widened(network, first.node, integers, width))[:width]
    else:
        result, constant = Const(constant, width), 0
    steps = [(p.shift, _widened(network, p.node, integers, width), p.negative) for p in parts]
    if constant:
        shift = (constant & -constant).bit_length() - 1
        steps.append((shift, Const(constant >> shift, width), False))
    for i, (shift, word, negative) in enumerate(steps):
        called = f"{name}_{i}" if i < len(steps) - 1 else name
        added, word = Signal(width - shift, name=called), word[: width - shift]
        if negative:
            inverted = Signal(width - shift, name=f"{called}_less")
            m.d.comb += inverted.eq(~word)
            word = inverted
        m.d.comb += added.eq(_added(result[shift:], word, negative))
        result = Cat(result[:shift], added)
    return result


def _widened(network: Network, node: int, integers: dict[int, Value], width: int) -> Value:
    value = integers[node]
    missing = max(width - len(value), 0)
    if word_of(network, node).signed:
        return Cat(value, value[-1].replicate(missing))[:width]
    return pad(value, len(value) + missing)[:width]


def _added(a: Value, b: Value, carry: bool) -> Value:
    """A sum, of one more if told. Lowest digits change places, or Yosys takes a sum of sums apart into full adders."""
    if not carry:
        return Cat(b[0], a[1:]) + Cat(a[0], b[1:])
    return Cat(Const(1, 1), a[1:]) + Cat(a[0], b[1:]) + b[0]
