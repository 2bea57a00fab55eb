"""Formulas over bits, equal ones as one number: what layers mean and what networks compute is compared in these.

A literal is twice a formula's number, plus one if it is inverted; 0 is false and 1 is true. Formulas of a few bits are
their truth tables, and sums are their coefficients. So what is made in two ways is mostly one formula at once. Where
it is not, decision diagrams tell. Nothing here is shared with `logic/`, whose networks are to be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

FALSE, TRUE = 0, 1
_SMALL = 4  # a formula of so many bits is its truth table
Definition = tuple[str, tuple[int, ...], tuple[int, ...], int]  # kind, literals, coefficients, table or bound


@dataclass(frozen=True)
class Sum:
    """A whole number: a constant, and bits times coefficients, by the positive literal of each bit."""

    terms: tuple[tuple[int, int], ...] = ()
    constant: int = 0

    @classmethod
    def of(cls, terms: Iterable[tuple[int, int]], constant: int = 0) -> Sum:
        """The sum of (literal, coefficient) terms; an inverted bit is 1 less the bit.

        >>> Sum.of([(2, 1), (3, 1), (4, 3)])
        Sum(terms=((4, 3),), constant=1)
        """
        total: dict[int, int] = {}
        for literal, c in terms:
            if literal & 1:
                constant, c = constant + c, -c
            if literal > 1:
                total[literal & ~1] = total.get(literal & ~1, 0) + c
        return cls(tuple(sorted((f, c) for f, c in total.items() if c)), constant)

    @property
    def least(self) -> int:
        return self.constant + sum(c for _, c in self.terms if c < 0)

    @property
    def most(self) -> int:
        return self.constant + sum(c for _, c in self.terms if c > 0)

    def less(self, other: Sum) -> Sum:
        """The difference.

        >>> Sum(((2, 3),), 1).less(Sum(((2, 1),), 1))
        Sum(terms=((2, 2),), constant=0)
        """
        return Sum.of([*self.terms, *((f, -c) for f, c in other.terms)], self.constant - other.constant)


class Choice(NamedTuple):
    """The index of the largest of some sums, the first of equal ones; None is one that is never chosen."""

    sums: tuple[Sum | None, ...]


class Formulas:
    """All formulas that were made.

    >>> f = Formulas(); a, b, c = f.input(), f.input(), f.input()
    >>> f.or_([f.and_([a, b]), f.and_([a ^ 1, b])]) == b, f.at_least([a, b], 1) == f.or_([a, b])
    (False, True)
    """

    def __init__(self) -> None:
        self.definitions: list[Definition | None] = [None]
        self._numbers: dict[Definition, int] = {}

    def input(self) -> int:
        """A new bit that may be anything."""
        self.definitions.append(None)
        return 2 * len(self.definitions) - 2

    def _literal(self, kind: str, literals: tuple[int, ...], coefficients: tuple[int, ...], number: int) -> int:
        key = (kind, literals, coefficients, number)
        if key not in self._numbers:
            self._numbers[key] = len(self.definitions)
            self.definitions.append(key)
        return 2 * self._numbers[key]

    def and_(self, literals: Iterable[int]) -> int:
        """High where all are."""
        members = set(literals) - {TRUE}
        if FALSE in members or any(f ^ 1 in members for f in members):
            return FALSE
        if len(members) < 2:
            return members.pop() if members else TRUE
        ordered = sorted(members)
        if len(members) <= _SMALL:
            return self.table(1 << (1 << len(ordered)) - 1, ordered)
        return self._literal("and", tuple(ordered), (), 0)

    def or_(self, literals: Iterable[int]) -> int:
        """High where any is."""
        return self.and_(f ^ 1 for f in literals) ^ 1

    def xor(self, literals: Iterable[int]) -> int:
        """High where an odd number is."""
        odd: set[int] = set()
        inverted = 0
        for f in literals:
            inverted ^= f & 1
            odd ^= {f & ~1}
        ordered = sorted(odd - {0})
        if len(ordered) <= _SMALL:
            return self.table(sum((i.bit_count() & 1) << i for i in range(1 << len(ordered))), ordered) ^ inverted
        return self._literal("xor", tuple(ordered), (), 0) ^ inverted

    def equal(self, a: int, b: int) -> int:
        """High where both are alike."""
        return b ^ a ^ 1 if a <= 1 else self.xor([a, b]) ^ 1

    def table(self, entries: int, literals: Sequence[int]) -> int:
        """The bit of `entries` whose number the literals are, the first lowest."""
        bits = sorted({f >> 1 for f in literals} - {0})
        found = 0
        where = {n: j for j, n in enumerate(bits)} | {0: len(bits)}  # the constant is a bit that is always low
        for i in range(1 << len(bits)):
            place = sum((i >> where[f >> 1] & 1 ^ f & 1) << j for j, f in enumerate(literals))
            found |= (entries >> place & 1) << i
        return self._reduced(found, [2 * n for n in bits])

    def _reduced(self, entries: int, literals: list[int]) -> int:
        """A table without bits that do not matter, and low where all bits are low."""
        for j in reversed(range(len(literals))):
            halves = [sum((entries >> i & 1) << k for k, i in enumerate(_places(len(literals), j, v))) for v in (0, 1)]
            if halves[0] == halves[1]:
                entries, literals = halves[0], [f for k, f in enumerate(literals) if k != j]
        n, inverted = len(literals), entries & 1
        entries ^= ((1 << (1 << n)) - 1) * inverted
        if n <= 1:
            return (literals[0] if n else FALSE) ^ inverted
        return self._wide(entries, literals) ^ inverted if n > _SMALL else self._tabled(entries, literals) ^ inverted

    def _tabled(self, entries: int, literals: Sequence[int]) -> int:
        return self._literal("table", tuple(literals), (), entries)

    def _wide(self, entries: int, literals: Sequence[int]) -> int:
        """A table that may be a conjunction or a parity, which have no tables where they are wide."""
        size = 1 << len(literals)
        for side, inverted in ((entries, 0), (entries ^ (1 << size) - 1, 1)):
            if side.bit_count() == 1:
                where = side.bit_length() - 1
                return self.and_(f ^ 1 ^ (where >> j & 1) for j, f in enumerate(literals)) ^ inverted
        if all((entries >> i & 1) == i.bit_count() & 1 for i in range(size)):
            return self.xor(literals)
        return self._tabled(entries, literals)

    def choose(self, bits: Sequence[int], entries: Sequence[int]) -> int:
        """The entry whose number the bits are, the first lowest; the entries are literals too."""
        if all(e <= 1 for e in entries):
            return self.table(sum(e << i for i, e in enumerate(entries)), bits)
        if not bits:
            return entries[0]
        high, low = (self.choose(bits[1:], entries[start::2]) for start in (1, 0))
        return self.or_([self.and_([bits[0], high]), self.and_([bits[0] ^ 1, low])])

    def at_least(self, literals: Iterable[int], k: int) -> int:
        """High where at least k are."""
        return self.reaches(Sum.of((f, 1) for f in literals), k)

    def exactly(self, literals: Iterable[int], k: int) -> int:
        """High where k are."""
        return self.is_(Sum.of((f, 1) for f in literals), k)

    def reaches(self, number: Sum, k: int) -> int:
        """High where a number is at least k."""
        if k <= number.least or k > number.most:
            return TRUE if k <= number.least else FALSE
        k -= number.constant
        kept = _decisive(number.terms, k)
        step = gcd(*(c for _, c in kept))
        terms, k = [(f, c // step) for f, c in kept], -(-k // step)
        smallest = min(abs(c) for _, c in terms)
        raising = [f ^ (c < 0) for f, c in terms]
        bare = Sum(tuple(terms))
        if k > bare.most - smallest:
            return self.and_(raising)
        if k <= bare.least + smallest:
            return self.or_(raising)
        if len(terms) <= _SMALL:
            return self.table(_entries([c for _, c in terms], lambda total: total >= k), [f for f, _ in terms])
        inverted = terms[0][1] < 0  # x >= k is also not (-x >= 1 - k)
        sign = -1 if inverted else 1
        literals, coefficients = tuple(f for f, _ in terms), tuple(sign * c for _, c in terms)
        return self._literal("reaches", literals, coefficients, 1 - k if inverted else k) ^ inverted

    def is_(self, number: Sum, k: int) -> int:
        """High where a number is k."""
        k -= number.constant
        step = gcd(*(c for _, c in number.terms)) or 1
        bare = Sum(number.terms)
        if not bare.least <= k <= bare.most or k % step:
            return FALSE
        if k in (bare.least, bare.most):
            return self.and_(f ^ (c < 0) ^ (k == bare.least) for f, c in bare.terms)
        literals = tuple(f for f, _ in bare.terms)
        if len(literals) <= _SMALL:
            return self.table(_entries([c for _, c in bare.terms], lambda total: total == k), literals)
        step *= -1 if bare.terms[0][1] < 0 else 1
        return self._literal("is", literals, tuple(c // step for _, c in bare.terms), k // step)

    def largest(self, sums: Sequence[Sum]) -> Sum | Choice:
        """The index of the largest number, the first of equal ones."""
        live: list[Sum | None] = []
        for i, one in enumerate(sums):
            beaten = any(
                other.least > one.most or (j < i and (other.least >= one.most or other == one))
                for j, other in enumerate(sums)
                if j != i
            )
            live.append(None if beaten else one)
        left = [i for i, one in enumerate(live) if one is not None]
        if len(left) == 1:
            return Sum(constant=left[0])
        if len(sums) == 2:
            return Sum.of([(self.reaches(sums[1].less(sums[0]), 1), 1)])
        return Choice(tuple(live))


def _places(bits: int, j: int, value: int) -> list[int]:
    """The places of a table at which bit j has a value."""
    return [i for i in range(1 << bits) if i >> j & 1 == value]


def _entries(coefficients: Sequence[int], holds: Callable[[int], bool]) -> int:
    """The truth table of what holds for a sum of bits times coefficients."""
    totals = [sum(c for j, c in enumerate(coefficients) if i >> j & 1) for i in range(1 << len(coefficients))]
    return sum(holds(total) << i for i, total in enumerate(totals))


def _decisive(terms: Sequence[tuple[int, int]], k: int) -> list[tuple[int, int]]:
    """The terms of a sum without light ones that never decide whether it is at least k."""
    kept = sorted(terms, key=lambda term: -abs(term[1]))
    while len(kept) > 1 and abs(kept[0][1]) != abs(kept[-1][1]):
        *others, (_, light) = kept
        totals, least = 1, sum(min(c, 0) for _, c in others)  # bit t: whether the others can be t above the least
        for _, c in others:
            totals |= totals << abs(c)
        first = k - max(light, 0) - least  # between here and k - min(light, 0) - least, the last one decides
        if totals >> max(first, 0) & (1 << max(abs(light) + min(first, 0), 0)) - 1:
            break
        kept = others
    return sorted(kept)
