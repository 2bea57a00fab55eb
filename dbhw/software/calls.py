"""A network as calls of shapes (`shapes.py`): what each call makes and reads, in numbered values.

A count and the comparison that reads it are one call where a shape for both is known or may still be made.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dbhw.logic import truth
from dbhw.logic.network import FALSE, TRUE
from dbhw.logic.sliced import Planes
from dbhw.software import shapes
from dbhw.software.shapes import MOST_BITS, Shape

_MOST_DIGITS = 6  # of a comparison in one call
_MOST_MAJORITIES = 150  # shapes of them: what bounds the time to compile
_MOST_INPUTS = 3  # of a table that is a shape of its own


@dataclass
class Calls:
    """Makes calls over values, which are numbered as they are made: 0 is false, then come the inputs.

    >>> calls = Calls(); a, b, c = (calls.input(name) for name in "abc")
    >>> calls.at_least(calls.total([[a, b, c], []]), 2)  # two of three; 4 and 5 were for the digits, which nobody reads
    12
    >>> calls.known, calls.records
    ({(3, 3, 0, 2): 0}, [array('I', [6, 1, 2, 3])])
    """

    known: dict[Shape, int] = field(default_factory=dict)
    calls: array = field(default_factory=lambda: array("I"))  # the shape of each, …
    levels: array = field(default_factory=lambda: array("I"))  # … one more than the highest that it reads, …
    records: list[array] = field(default_factory=list)  # … and by shape: what is made and read, then the table
    value_levels: list[int] = field(default_factory=lambda: [0])
    waiting: dict[int, _Count] = field(default_factory=dict)  # counts that nothing has read yet, by their values
    majorities: int = 0

    def input(self, name: str) -> int:
        self.value_levels.append(0)
        return len(self.value_levels) * 2 - 2

    def and_(self, literals: Iterable[int]) -> int:
        members = set(literals) - {TRUE}
        if FALSE in members or any(m ^ 1 in members for m in members):
            return FALSE
        if len(members) < 2:
            return members.pop() if members else TRUE
        plain, complemented = _parted(sorted(members))
        if len(members) > MOST_BITS:
            bits = [*(v * 2 for v in plain), *(v * 2 + 1 for v in complemented)]
            return self.and_([self.and_(bits[i : i + MOST_BITS]) for i in range(0, len(bits), MOST_BITS)])
        return self._call((shapes.AND, len(plain), len(complemented)), plain + complemented) * 2

    def xor(self, literals: Iterable[int]) -> int:
        found = list(literals)
        complement = sum(found) & 1
        kept = [m >> 1 for m in found if m > 1]
        while len(kept) > 1:
            kept = [*kept[MOST_BITS:], self._call((shapes.XOR, len(kept[:MOST_BITS])), kept[:MOST_BITS])]
        return kept[0] * 2 ^ complement if kept else complement

    def lut(self, table: int, literals: Sequence[int]) -> int:
        n = len(literals)
        for j, literal in enumerate(literals):
            if literal & 1:  # the two sides of a complemented input change places
                high = truth.projections(n)[j]
                table = (table & high) >> (1 << j) | (table & ~high) << (1 << j)
        if n < 2:
            return literals[0] & ~1 ^ (table == 0b01) if table in (0b01, 0b10) else table & 1
        values = [literal >> 1 for literal in literals]
        if n <= _MOST_INPUTS:
            return self._call((shapes.TABLE, n, table), values) * 2
        words = [table >> i & 0xFFFFFFFF for i in range(0, 1 << n, 32)]
        return self._call((shapes.LOOK_UP, n), values, words) * 2

    def total(self, columns: Sequence[Sequence[int]]) -> Planes:
        left = [[bit for bit in column if bit != FALSE] for column in columns]
        for j, column in enumerate(left):
            while len(column) > 1:
                digits = self._count(column[:MOST_BITS])
                column[:MOST_BITS] = []
                for above, digit in zip(left[j:], digits, strict=False):
                    above.append(digit)
        return [column[0] if column else FALSE for column in left]

    def _count(self, bits: Sequence[int]) -> Planes:
        """The digits of how many bits are high. They are not made before something reads them."""
        plain, complemented = _parted(bits)
        shape = (shapes.COUNT, len(plain), len(complemented))
        first = len(self.value_levels)
        count = _Count(shape, plain + complemented, range(first, first + shapes.made(shape)))
        self.value_levels += [0] * len(count.made)
        self.waiting.update(dict.fromkeys(count.made, count))
        return [value * 2 for value in count.made]

    def at_least(self, planes: Planes, k: int) -> int:
        count = self.waiting.get(planes[0] >> 1)
        if count and not count.compared and [value * 2 for value in count.made] == planes:
            shape, read, complement = _majority(count, k)
            if shape in self.known or self.majorities < _MOST_MAJORITIES:
                count.compared = True  # the next one reads the digits
                self.majorities += shape not in self.known
                return self._call(shape, read) * 2 ^ complement
        reached = TRUE  # so far, from the lowest digit up
        for i in range(0, len(planes), _MOST_DIGITS):
            digits, limit = planes[i : i + _MOST_DIGITS], k >> i & (1 << _MOST_DIGITS) - 1
            if reached != TRUE:
                digits, limit = [reached, *digits], limit * 2 + 1
            if limit:
                reached = self._compare(digits, limit)
        return reached

    def _compare(self, digits: Planes, limit: int) -> int:
        while not limit & 1:
            digits, limit = digits[1:], limit >> 1
        if len(digits) == 1:
            return digits[0]
        complemented = sum((digit & 1) << i for i, digit in enumerate(digits))
        return self._call((shapes.AT_LEAST, len(digits), complemented, limit), [digit >> 1 for digit in digits]) * 2

    def _call(self, shape: Shape, values: Sequence[int], table: Sequence[int] = ()) -> int:
        """Calls a shape that makes one bit."""
        first = len(self.value_levels)
        self.value_levels.append(0)
        self._record(shape, range(first, first + 1), values, table)
        return first

    def _record(self, shape: Shape, made: range, values: Sequence[int], table: Sequence[int] = ()) -> None:
        self.needed(values)
        number = self.known.setdefault(shape, len(self.records))
        if number == len(self.records):
            self.records.append(array("I"))
        level = 1 + max(map(self.value_levels.__getitem__, values))
        for value in made:
            self.value_levels[value] = level
        self.calls.append(number)
        self.levels.append(level)
        record = self.records[number]
        record.extend(made)
        record.extend(values)
        record.extend(table)

    def needed(self, values: Sequence[int]) -> None:
        """Makes the counts that are about to be read."""
        if not self.waiting.keys().isdisjoint(values):
            for value in values:
                count = self.waiting.get(value)
                if count:
                    for digit in count.made:
                        del self.waiting[digit]
                    self._record(count.shape, count.made, count.read)


@dataclass
class _Count:
    """A count that may have to be made: what it reads, and the values it gives."""

    shape: Shape
    read: list[int]
    made: range
    compared: bool = False  # once, in a call that counts too


def _majority(count: _Count, k: int) -> tuple[Shape, list[int], bool]:
    """The shape of a count that is at least k, and what it reads; or of its contrary, and then the answer is wrong.

    At least k are high unless more than n - k of the complements are: so most bits of a shape are plain.
    """
    _, plain, complemented = count.shape
    if plain >= complemented:
        return (shapes.MAJORITY, plain, complemented, k), count.read, False
    limit = plain + complemented + 1 - k
    return (shapes.MAJORITY, complemented, plain, limit), count.read[plain:] + count.read[:plain], True


def _parted(literals: Iterable[int]) -> tuple[list[int], list[int]]:
    """The values of the plain and of the complemented literals."""
    plain: list[int] = []
    complemented: list[int] = []
    for literal in literals:
        (complemented if literal & 1 else plain).append(literal >> 1)
    return plain, complemented
