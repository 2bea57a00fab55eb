"""A network as steps for an interpreter (`interpret.c`): for nets that a compiler would take too long for."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from dbhw.logic.network import FALSE, TRUE, Network
from dbhw.logic.sliced import Field, Planes, slice_into

_END, _AND, _XOR, _TABLE, _TOTAL, _AT_LEAST = range(6)


@dataclass(frozen=True)
class Steps:
    """The numbers that the interpreter reads, the words of memory it takes, the bits of its longest sum, its planes."""

    numbers: np.ndarray
    memory: int
    most_bits: int
    fields: tuple[Field, ...]


def to_steps(network: Network) -> Steps:
    """The steps of a network, with places in memory that are used again once nothing reads them any more.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b ^ 1]) ^ 1])
    >>> to_steps(n).numbers.tolist()  # AND into place 3 of a plain bit and a complemented one; the end, and the output
    [1, 3, 1, 1, 1, 2, 0, 7]
    """
    maker = _Recorder()
    fields = slice_into(maker, network)
    maker.steps.append(_END)
    for f in fields:
        maker.read_literals(f.planes)
    numbers, memory = maker.placed(len(network.input_names))
    return Steps(numbers, memory, maker.most_bits, tuple(fields))


@dataclass
class _Recorder:
    """Records steps over values, which are numbered as they are made: 0 is false, then come the inputs."""

    steps: array = field(default_factory=lambda: array("I"))
    literals: array = field(default_factory=lambda: array("q"))  # where in the steps literals are, …
    values: array = field(default_factory=lambda: array("q"))  # … values that are read, …
    writes: array = field(default_factory=lambda: array("q"))  # … and new ones, …
    starts: array = field(default_factory=lambda: array("q"))  # … for which this is where the step begins
    made: int = 1
    most_bits: int = 0

    def input(self, name: str) -> int:
        self.made += 1
        return (self.made - 1) * 2

    def and_(self, literals: Iterable[int]) -> int:
        members = set(literals) - {TRUE}
        if FALSE in members or any(m ^ 1 in members for m in members):
            return FALSE
        if len(members) < 2:
            return members.pop() if members else TRUE
        start = len(self.steps)
        self.steps.append(_AND)
        value = self._write(start)
        self._read_bits(sorted(members))
        return value * 2

    def xor(self, literals: Iterable[int]) -> int:
        found = list(literals)
        complement = sum(found) & 1
        kept = [m >> 1 for m in found if m > 1]
        if len(kept) < 2:
            return kept[0] * 2 ^ complement if kept else complement
        start = len(self.steps)
        self.steps.append(_XOR)
        value = self._write(start)
        self.steps.append(len(kept))
        self._read_values(kept)
        return value * 2 ^ complement

    def lut(self, table: int, literals: Sequence[int]) -> int:
        if len(literals) < 2:
            return literals[0] ^ (table == 0b01) if table in (0b01, 0b10) else table & 1
        start = len(self.steps)
        self.steps.append(_TABLE)
        value = self._write(start)
        self.steps.append(len(literals))
        self.read_literals(literals)
        self.steps.extend(table >> i & 0xFFFFFFFF for i in range(0, max(1 << len(literals), 32), 32))
        return value * 2

    def total(self, columns: Sequence[Sequence[int]]) -> Planes:
        if not any(columns):
            return [FALSE] * len(columns)
        start = len(self.steps)
        self.steps.extend((_TOTAL, len(columns)))
        made = [self._write(start) for _ in columns]
        for column in columns:
            self._read_bits(column)
        # What a digit carries is at most half of its bits, which with what was carried to it are below twice all bits.
        self.most_bits = max(self.most_bits, 2 * sum(map(len, columns)))
        return [value * 2 for value in made]

    def at_least(self, planes: Planes, k: int) -> int:
        start = len(self.steps)
        self.steps.append(_AT_LEAST)
        value = self._write(start)
        self.steps.extend((len(planes), k & 0xFFFFFFFF, k >> 32))
        self.read_literals(planes)
        return value * 2

    def _write(self, start: int) -> int:
        self.writes.append(len(self.steps))
        self.starts.append(start)
        self.steps.append(self.made)
        self.made += 1
        return self.made - 1

    def _read_bits(self, literals: Sequence[int]) -> None:
        """How many plain and complemented bits there are, and their places."""
        plain = [f >> 1 for f in literals if not f & 1]
        complemented = [f >> 1 for f in literals if f & 1]
        self.steps.extend((len(plain), len(complemented)))
        self._read_values(plain + complemented)

    def _read_values(self, values: Sequence[int]) -> None:
        self.values.extend(range(len(self.steps), len(self.steps) + len(values)))
        self.steps.extend(values)

    def read_literals(self, literals: Sequence[int]) -> None:
        self.literals.extend(range(len(self.steps), len(self.steps) + len(literals)))
        self.steps.extend(literals)

    def placed(self, inputs: int) -> tuple[np.ndarray, int]:
        """The steps over places in memory instead of values, and how many places there are."""
        steps = np.array(self.steps, np.uint32)
        literals, values = np.array(self.literals, np.int64), np.array(self.values, np.int64)
        last = np.zeros(self.made, np.int64)  # where each value is read last; one that nobody reads, where it is made
        np.maximum.at(last, steps[literals] >> 1, literals)
        np.maximum.at(last, steps[values], values)
        last[inputs + 1 :] = np.maximum(last[inputs + 1 :], np.array(self.starts, np.int64))
        places, used = self._places(inputs, last)
        steps[literals] = places[steps[literals] >> 1] * 2 + (steps[literals] & 1)
        for positions in (values, np.array(self.writes, np.int64)):
            steps[positions] = places[steps[positions]]
        return steps, used

    def _places(self, inputs: int, last: np.ndarray) -> tuple[np.ndarray, int]:
        leaving = np.argsort(last[1:], kind="stable") + 1
        order, leaves, gone = leaving.tolist(), last[leaving].tolist(), 0
        places = list(range(inputs + 1)) + [0] * (self.made - inputs - 1)
        free: list[int] = []
        used = inputs + 1
        for value, start in enumerate(self.starts, inputs + 1):
            while leaves[gone] < start:
                free.append(places[order[gone]])
                gone += 1
            places[value] = free.pop() if free else used
            used = max(used, places[value] + 1)
        return np.array(places, np.uint32), used
