"""Counts for six-input look-up tables: a running total that takes in six bits at each step.

A table in front of a carry has five inputs left over. So `total + count of five bits + carry-in` is one table for each
digit: a step takes six bits into a total of three digits with three tables, and its carry counts eight. Digits that
count eight are counted in the same way, and so on: 0.6 tables for each bit.

A chain of steps is slow. So bits are dealt into chains of up to nine steps, and the totals of the chains are added two
by two.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import ClassVar

from dbhw.rtl.arithmetic.adders import Adder, Number, Term, columns_of
from dbhw.rtl.core.wires import ZERO, Bit, Builder, Gate, Instance, Word

_TAKEN = 6  # bits that a step takes in: five of them beside the digits of the total, and the carry-in
_DIGITS = 3  # of the total
_CHAIN = 55  # bits of a chain: one to start with, and nine steps


@dataclass(frozen=True)
class Step:
    """One step as a module of its own: how many bits it takes in, and how many digits the total has before it.

    Its inputs are the bits, then the total.
    """

    taken: int = _TAKEN
    digits: int = _DIGITS
    kept: ClassVar[bool] = True

    @property
    def width(self) -> int:
        """How many digits the new total has.

        >>> Step().width, Step(digits=1).width
        (4, 3)
        """
        return self._most.bit_length()

    @property
    def _most(self) -> int:
        return self.taken + (1 << self.digits) - 1

    def name(self) -> str:
        """What its module is called.

        >>> Step().name()
        'add_6_to_3_digits'
        """
        return f"add_{self.taken}_to_{self.digits}_digits"

    def meaning(self) -> str:
        """What its module computes, for a comment.

        >>> Step().meaning()
        'x[8:6], and how many of x[5:0] are high.'
        """
        top = self.taken + self.digits - 1
        total = f"x[{top}:{self.taken}]" if self.digits > 1 else f"x[{top}]"
        return f"{total}, and how many of x[{self.taken - 1}:0] are high."

    def build(self, builder: Builder, name: str, inputs: Word) -> Word:
        """The new total.

        >>> from dbhw.rtl.verilog.writer import VerilogModule
        >>> module = VerilogModule("net")
        >>> len(Step().build(module, "count", module.input("x", 9)))
        4
        """
        adder = Adder(builder, name)
        bits, total = inputs[: self.taken], inputs[self.taken :]
        if self.digits == 1 and self.taken <= 2:
            return adder.table((*total, *bits)).word
        number = Number(total, (1 << self.digits) - 1)
        return adder.add(number, adder.table(bits[1:]), bits[0]).word


class Steps(Adder):
    """Adds up weighted bits; with `apart`, each step is a module of its own."""

    def __init__(self, builder: Builder, name: str, apart: bool) -> None:
        super().__init__(builder, name)
        self.apart = apart
        self.columns: dict[int, list[Bit]] = {}
        self.exclusive: set[tuple[Bit, Bit]] = set()  # carries that are never both high

    def total(self, terms: list[Term], most: int) -> Word:
        """The sum of bits times their positive coefficients, which is at most what is said.

        >>> from dbhw.rtl.verilog.writer import VerilogModule
        >>> module = VerilogModule("net"); a, b, c = module.input("x", 3)
        >>> len(Steps(module, "votes", False).total([(a, 1), (b, 1), (c, 3)], 5))
        3
        """
        self.columns = columns_of(terms)
        return tuple(self._digit(place) for place in range(max(most.bit_length(), 1)))

    def _digit(self, place: int) -> Bit:
        """The final digit of a place; what is more goes into the places above it."""
        bits = self.columns.pop(place, [])
        if not bits:
            return ZERO
        merges = len(bits) // (_CHAIN + 1)
        spare = min(merges, len(bits) - 1 - _CHAIN * merges)
        carries = deque(bits[:spare])
        totals = deque(self._chain(place, *chain) for chain in _dealt(bits[spare:]))
        while len(totals) > 1:
            added = self.add(totals.popleft(), totals.popleft(), carries.popleft() if carries else None)
            totals.append(self._without_carry(place, added))
        digit, *above = totals[0].word
        for i, bit in enumerate(above, place + 1):
            self.columns.setdefault(i, []).append(bit)
        return digit

    def _chain(self, place: int, straight: list[Bit], others: list[Bit]) -> Number:
        """The total of a chain; its first step takes fewer bits, so that all others are full."""
        total, counted = Number((straight[0],), 1), 1
        carried = self.columns.setdefault(place + _DIGITS, [])
        before = len(carried)
        for later, carry_in in reversed(list(enumerate(reversed(straight[1:])))):
            many = len(others) - (_TAKEN - 1) * later
            total = self._without_carry(place, self._step(total, [carry_in, *others[:many]]))
            others = others[many:]
            counted += 1 + many
            if counted < 16:  # so 8 was carried at most once
                self.exclusive.update(pairwise(carried[before:]))
        return total

    def _step(self, total: Number, bits: list[Bit]) -> Number:
        inputs = (*bits, *total.word)
        name = f"{self.name}_sum{next(self.sums)}"
        if inputs[::-1] in self.exclusive:
            return Number(self.builder.define(name, (Gate("|", inputs),)), 1)
        step = Step(len(bits), len(total.word))
        if self.apart:
            word = self.builder.define(name, Instance(step, inputs))
        else:
            word = step.build(self.builder, name, inputs)
        return Number(word[: (total.most + len(bits)).bit_length()], total.most + len(bits))

    def _without_carry(self, place: int, number: Number) -> Number:
        """The three lowest digits; a carry out of them goes into the place where it counts."""
        if len(number.word) <= _DIGITS:
            return number
        self.columns.setdefault(place + _DIGITS, []).append(number.word[_DIGITS])
        return Number(number.word[:_DIGITS], (1 << _DIGITS) - 1)


def _dealt(bits: list[Bit]) -> list[tuple[list[Bit], list[Bit]]]:
    """The bits of each chain: those that go straight into a carry chain, and the others.

    A complement would cost a table in front of a carry, and complements come last: so the first bits go straight.
    """
    sizes = [min(_CHAIN, len(bits) - i) for i in range(0, len(bits), _CHAIN)]
    straight = [1 + -(-(size - 1) // _TAKEN) for size in sizes]
    ends = list(accumulate(straight + [size - s for size, s in zip(sizes, straight, strict=True)], initial=0))
    parts = [bits[a:b] for a, b in pairwise(ends)]
    return list(zip(parts[: len(sizes)], parts[len(sizes) :], strict=True))
