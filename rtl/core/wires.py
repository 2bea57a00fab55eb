"""What hardware is made of here: bits are expressions, words are tuples of bits, and a builder gives them names.

A network is elaborated once (`elaborate.py`), against the `Builder` below. One builder makes an Amaranth module
(`component.py`), another one writes Verilog (`verilog/writer.py`), so both have the same wires under the same names.

A word is a tuple of bits with the lowest bit first: to slice, pad or concatenate words is to do so with tuples.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from dbhw.logic import truth


@dataclass(frozen=True, eq=False)
class Wire:
    """A named wire or vector of wires."""

    name: str
    width: int

    def bits(self) -> tuple[Ref, ...]:
        return tuple(Ref(self, i) for i in range(self.width))


@dataclass(frozen=True, slots=True)
class Ref:
    """One bit of a wire."""

    wire: Wire
    index: int


@dataclass(frozen=True, slots=True)
class Constant:
    """Always low, or always high."""

    value: bool


@dataclass(frozen=True, slots=True)
class Not:
    """The complement of a bit."""

    bit: Bit


@dataclass(frozen=True, slots=True)
class Gate:
    """The conjunction (`&`), disjunction (`|`) or parity (`^`) of bits."""

    operator: str
    bits: Sequence[Bit]


@dataclass(frozen=True, slots=True)
class Equal:
    """Whether an unsigned word is a number."""

    word: Word
    number: int


@dataclass(frozen=True, slots=True)
class Greater:
    """Whether an unsigned word is greater than another one of the same width."""

    first: Word
    second: Word


Bit: TypeAlias = Ref | Constant | Not | Gate | Equal | Greater
Word: TypeAlias = tuple[Bit, ...]
ZERO, ONE = Constant(False), Constant(True)


@dataclass(frozen=True)
class Sum:
    """The sum of words of one width, and of that width itself: a carry out of the highest digit is lost."""

    words: Sequence[Word]


@dataclass(frozen=True)
class Choice:
    """One of two words of one width: the first where the condition is high."""

    condition: Bit
    first: Word
    second: Word


class Kind(Protocol):
    """What a module of its own computes: words out of words, always in the same way.

    One that is `kept` is what a few look-up tables compute: synthesis is told not to merge it with what is around it.
    """

    @property
    def kept(self) -> bool: ...

    @property
    def width(self) -> int: ...

    def name(self) -> str: ...

    def meaning(self) -> str: ...

    def build(self, builder: Builder, name: str, inputs: Word) -> Word: ...


@dataclass(frozen=True)
class Instance:
    """The output of a module of its own."""

    kind: Kind
    inputs: Word


Definition: TypeAlias = Word | Sum | Choice | Instance


@dataclass(frozen=True)
class InputPort:
    """An input of the hardware: a number of some bits, in two's complement if it is signed, and what it means.

    `shown` says which value of the user's an integer stands for: a number, or a word if it is a category.
    """

    name: str
    width: int
    signed: bool = False
    meaning: str = ""
    is_category: bool = field(default=False, repr=False)
    shown: Callable[[int], str] = field(default=str, repr=False, compare=False)


class Builder(ABC):
    """Where hardware is built: a module with ports and named wires, shaped for look-up tables of `lut_inputs`."""

    def __init__(self, lut_inputs: int) -> None:
        self.lut_inputs = lut_inputs

    @abstractmethod
    def input(self, name: str, width: int, signed: bool = False, meaning: str = "") -> Word:
        """The bits of a new input port, the lowest first."""

    @abstractmethod
    def output(self, name: str, word: Word) -> None:
        """Drives a new output port."""

    @abstractmethod
    def section(self, title: str) -> None:
        """Starts a part of the module under a title."""

    @abstractmethod
    def define(self, name: str, definition: Definition) -> Word:
        """The bits of a new wire, which has the value of the definition."""

    @abstractmethod
    def vector(self, name: str, width: int, bits: Iterable[Bit | Instance], comments: Sequence[str] = ()) -> Word:
        """The bits of a new vector; each is defined by itself, and may need wires that are made for it first."""


def width_of(definition: Definition) -> int:
    """How many bits a definition gives.

    >>> width_of(Sum([(ZERO, ONE), (ONE, ONE)]))
    2
    """
    if isinstance(definition, Sum):
        return len(definition.words[0])
    if isinstance(definition, Choice):
        return len(definition.first)
    return definition.kind.width if isinstance(definition, Instance) else len(definition)


def complement(bit: Bit) -> Bit:
    """The complement of a bit, without two complements in a row.

    >>> complement(complement(ZERO)) == ZERO, complement(Not(ZERO))
    (True, Constant(value=False))
    """
    if isinstance(bit, Constant):
        return ZERO if bit.value else ONE
    return bit.bit if isinstance(bit, Not) else Not(bit)


def gate(operator: str, bits: Iterable[Bit]) -> Bit:
    """A gate over bits; a gate over one bit is that bit.

    >>> gate("&", [ONE])
    Constant(value=True)
    """
    members = tuple(bits)
    return members[0] if len(members) == 1 else Gate(operator, members)


def number(value: int, width: int) -> Word:
    """A constant word.

    >>> number(2, 2)
    (Constant(value=False), Constant(value=True))
    """
    return tuple(ONE if value >> j & 1 else ZERO for j in range(width))


def pad(word: Word, width: int) -> Word:
    """The word with zeros above it.

    >>> pad((ONE,), 2)
    (Constant(value=True), Constant(value=False))
    """
    return word + (ZERO,) * (width - len(word))


def is_wire(word: Word) -> bool:
    """Whether a word is the whole of one wire.

    >>> a = Wire("a", 2).bits()
    >>> is_wire(a), is_wire(a[:1])
    (True, False)
    """
    first = word[0]
    return isinstance(first, Ref) and len(word) == first.wire.width and word == first.wire.bits()


def greater(first: Word, second: Word) -> Bit:
    """Whether a word is greater than another one.

    >>> bit = Ref(Wire("a", 1), 0)
    >>> greater((bit,), (ZERO,)) is bit
    True
    """
    if len(first) > 1:
        return Greater(first, second)
    return first[0] if second[0] == ZERO else Gate("&", (first[0], complement(second[0])))


def at_least(word: Word, k: int) -> Bit:
    """Whether an unsigned word is at least k, which is not 0: digit by digit, since Yosys makes adders of comparisons.

    >>> a = Wire("a", 3).bits()
    >>> at_least(a, 6) == Gate("&", (a[2], a[1]))
    True
    """
    lowest = (k & -k).bit_length() - 1
    reached = word[lowest]
    for j in range(lowest + 1, len(word)):
        reached = Gate("&" if k >> j & 1 else "|", (word[j], reached))
    return reached


_OPERATORS: truth.Operators[Bit, Bit] = truth.Operators(
    literal=lambda bit, complemented: complement(bit) if complemented else bit,
    not_=complement,
    and_=lambda bits: Gate("&", tuple(bits)),
    or_=lambda bits: Gate("|", tuple(bits)),
    xor=lambda bits: Gate("^", tuple(bits)),
)


def of_table(table: int, inputs: Sequence[Bit], shorter: bool = False) -> Bit:
    """A truth table that is not constant, over its inputs, as a parity or a sum of products.

    With `shorter` it is complemented where that has fewer literals. Yosys makes slightly larger circuits of that, so
    it is only for tables that are mapped already.

    >>> a, b = Wire("a", 2).bits()
    >>> of_table(0b0110, [a, b]) == Gate("^", (a, b))
    True
    """
    return truth.sum_of_products(table, inputs, _OPERATORS, shorter)
