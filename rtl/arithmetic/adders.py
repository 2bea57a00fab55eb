"""Small sums of bits in hardware: what counts of every shape are made of."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count as numbers

from dbhw.rtl.core.wires import ONE, Bit, Builder, Gate, Sum, Word, complement, pad

Term = tuple[Bit, int]  # A bit, and how much it counts.


@dataclass(frozen=True)
class Number:
    """A word, the largest value it can have, and whether look-up tables make its digits out of few bits."""

    word: Word
    most: int
    tabled: bool = False


class Adder:
    """Adds up bits in a builder; its wires have names that start with the name."""

    def __init__(self, builder: Builder, name: str) -> None:
        self.builder = builder
        self.name = name
        self.sums = numbers()
        self.tables = numbers()

    def table(self, bits: Word) -> Number:
        """How many of a few bits are high: each digit is a function of them all, and so one look-up table.

        >>> from dbhw.rtl.verilog.writer import VerilogModule
        >>> module = VerilogModule("net"); x = module.input("x", 5)
        >>> len(Adder(module, "count").table(x).word)
        3
        """
        if len(bits) == 1:
            return Number((bits[0],), 1)
        name = f"{self.name}_of{len(bits)}_{next(self.tables)}"
        steps = numbers()
        column, digits = list(bits), []
        while column:
            carries = []
            while len(column) > 1:
                step = f"{name}_{next(steps)}" if len(bits) > 3 else name
                low, high = self.builder.define(step, _digits_of_sum(column[:3]))
                column = [*column[3:], low]
                carries.append(high)
            digits.append(column[0])
            column = carries
        return Number(tuple(digits), len(bits), tabled=True)

    def add(self, a: Number, b: Number, carry_in: Bit | None) -> Number:
        """The sum of two numbers and a bit, which costs nothing.

        >>> from dbhw.rtl.verilog.writer import VerilogModule
        >>> module = VerilogModule("net"); x = module.input("x", 5)
        >>> len(Adder(module, "count").add(Number(x[:2], 3), Number(x[2:4], 3), x[4]).word)
        3
        """
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
        return Number(self.builder.define(f"{self.name}_sum{next(self.sums)}", added), most)


def columns_of(terms: list[Term]) -> dict[int, list[Bit]]:
    """The bits by the binary digits of their coefficients.

    >>> from dbhw.rtl.core.wires import ZERO
    >>> columns_of([(ZERO, 5)])
    {0: [Constant(value=False)], 2: [Constant(value=False)]}
    """
    columns: dict[int, list[Bit]] = {}
    for bit, coefficient in terms:
        for j in range(coefficient.bit_length()):
            if coefficient >> j & 1:
                columns.setdefault(j, []).append(bit)
    return columns


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
