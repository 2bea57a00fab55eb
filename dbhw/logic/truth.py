"""Truth tables as integers: bit i of a table is the output for input number i, and bit j of i is input j."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Generic, TypeVar

MAX_INPUTS = 6
Input = TypeVar("Input")
Value = TypeVar("Value")
Cube = tuple[int, int]  # the inputs that a product reads, and which of them must be high, as bit masks


def ones(n: int) -> int:
    """The table that is true everywhere.

    >>> bin(ones(2))
    '0b1111'
    """
    return (1 << (1 << n)) - 1


@cache
def projections(n: int) -> list[int]:
    """The tables of n inputs themselves.

    >>> [bin(t) for t in projections(2)]
    ['0b1010', '0b1100']
    """
    everywhere = (1 << (1 << n)) - 1
    return [everywhere // ((1 << (1 << j)) + 1) << (1 << j) for j in range(n)]


def essential(table: int, n: int) -> list[int]:
    """The inputs the function really depends on.

    >>> essential(0b1010, 2)
    [0]
    """
    return [j for j, p in enumerate(projections(n)) if (table & p) >> (1 << j) != table & (p >> (1 << j))]


def restrict(table: int, keep: list[int]) -> int:
    """The table over the kept inputs only, the others being inessential.

    >>> bin(restrict(0b1010, [0]))
    '0b10'
    """
    index = (sum((i >> a & 1) << j for a, j in enumerate(keep)) for i in range(1 << len(keep)))
    return sum((table >> source & 1) << i for i, source in enumerate(index))


def flip_inputs(table: int, n: int, mask: int) -> int:
    """The table with the inputs in `mask` complemented.

    >>> bin(flip_inputs(0b1000, 2, 0b01))
    '0b100'
    """
    return sum((table >> (i ^ mask) & 1) << i for i in range(1 << n))


@cache
def parity(n: int) -> int:
    """The table of the exclusive or of all inputs.

    >>> bin(parity(2))
    '0b110'
    """
    return sum((i.bit_count() & 1) << i for i in range(1 << n))


@lru_cache(1 << 16)
def cubes(table: int, n: int) -> tuple[Cube, ...]:
    """A small irredundant sum of products: cubes (care, value) whose union is the table.

    Prime implicants, the essential ones first, then greedily the one that covers most of the rest.

    >>> cubes(0b1110, 2)
    ((1, 1), (2, 2))
    """
    primes = _primes(table, n)
    left = table
    chosen: list[Cube] = []
    while left:
        once = twice = 0  # what at least one prime covers, and what at least two cover
        for rows in primes.values():
            once, twice = once | rows, twice | once & rows
        essential_rows = left & ~twice
        if essential_rows:
            best = min(cube for cube, rows in primes.items() if rows & essential_rows)
        else:
            best = max(primes, key=lambda cube: ((primes[cube] & left).bit_count(), -cube[0]))
        chosen.append(best)
        left &= ~primes.pop(best)
    return tuple(sorted(chosen))


def _primes(table: int, n: int) -> dict[Cube, int]:
    """The largest cubes inside the table, with the rows they cover: none stays inside without one of its inputs."""
    outside = ~table
    inside = {cube: rows for cube, rows in _all_cubes(n).items() if not rows & outside}
    return {
        (care, value): rows
        for (care, value), rows in inside.items()
        if not any(care >> j & 1 and (care & ~(1 << j), value & ~(1 << j)) in inside for j in range(n))
    }


@cache
def _all_cubes(n: int) -> dict[Cube, int]:
    """Every product of n inputs, those of the fewest inputs first, with the rows of a table that it covers."""
    sides = [(ones(n) ^ p, p) for p in projections(n)]
    found: dict[Cube, int] = {}
    for size in range(n + 1):
        for inputs in combinations(range(n), size):
            care = sum(1 << j for j in inputs)
            for number in range(1 << size):
                value, rows = 0, ones(n)
                for a, j in enumerate(inputs):
                    value |= (number >> a & 1) << j
                    rows &= sides[j][number >> a & 1]
                found[care, value] = rows
    return found


@dataclass(frozen=True)
class Operators(Generic[Input, Value]):
    """How a printer, or a hardware language, writes logic. The operators of several values get at least two of them."""

    literal: Callable[[Input, bool], Value]  # an input, complemented or not
    not_: Callable[[Value], Value]
    and_: Callable[[list[Value]], Value]
    or_: Callable[[list[Value]], Value]
    xor: Callable[[list[Value]], Value]


def infix(not_: str, and_: str, or_: str, xor: str) -> Operators[str, str]:
    """Operators that make text; operands that have spaces in them get parentheses.

    >>> verilog = infix("~", "&", "|", "^")
    >>> verilog.not_(verilog.or_(["a", verilog.and_(["b", "c"])]))
    '~(a | (b & c))'
    """

    def wrapped(text: str) -> str:
        return f"({text})" if " " in text else text

    def between(operator: str) -> Callable[[list[str]], str]:
        return lambda operands: f" {operator} ".join(map(wrapped, operands))

    def complemented(text: str) -> str:
        return f"{not_}{wrapped(text)}"

    return Operators(
        lambda name, complement: complemented(name) if complement else name,
        complemented,
        *(between(operator) for operator in (and_, or_, xor)),
    )


def sum_of_products(table: int, inputs: Sequence[Input], write: Operators[Input, Value], shorter: bool = True) -> Value:
    """A table that is not constant as a parity or a sum of products, complemented where that has fewer literals.

    With `shorter=False` it is never complemented, whichever side has fewer literals.

    >>> verilog = infix("~", "&", "|", "^")
    >>> sum_of_products(0b11101000, ["a", "b", "c"], verilog), sum_of_products(0b1001, ["a", "b"], verilog)
    ('(a & b) | (a & c) | (b & c)', '~(a ^ b)')
    >>> sum_of_products(0b00000111, ["a", "b", "c"], verilog)
    '~((a & b) | c)'
    >>> sum_of_products(0b00000111, ["a", "b", "c"], verilog, shorter=False)
    '(~a & ~c) | (~b & ~c)'
    """
    n = len(inputs)
    if n > 1 and table in (parity(n), parity(n) ^ ones(n)):
        odd = write.xor([write.literal(name, False) for name in inputs])
        return odd if table == parity(n) else write.not_(odd)
    sides = [cubes(table, n), cubes(table ^ ones(n), n)] if shorter else [cubes(table, n)]
    chosen = min(sides, key=lambda side: sum(care.bit_count() for care, _ in side))
    products = [
        _joined(write.and_, [write.literal(x, not value >> j & 1) for j, x in enumerate(inputs) if care >> j & 1])
        for care, value in chosen
    ]
    total = _joined(write.or_, products)
    return total if chosen is sides[0] else write.not_(total)


def _joined(operator: Callable[[list[Value]], Value], values: list[Value]) -> Value:
    return operator(values) if len(values) > 1 else values[0]
