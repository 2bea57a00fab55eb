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
    """The numbers that the interpreter reads, how many words of memory it takes, and what its planes are."""

    numbers: np.ndarray
    memory: int
    fields: tuple[Field, ...]


def to_steps(network: Network) -> Steps:
    """The steps of a network, with places in memory that are used again once nothing reads them any more.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b ^ 1]) ^ 1])
    >>> to_steps(n).numbers.tolist()  # AND into place 3 of two literals, then the end, and the output
    [1, 3, 2, 2, 5, 0, 7]
    """
    maker = _Recorder()
    fields = slice_into(maker, network)
    maker.steps.append(_END)
    for f in fields:
        maker.read(f.planes)
    numbers, memory = maker.placed(len(network.input_names))
    return Steps(numbers, memory, tuple(fields))


@dataclass
class _Recorder:
    """Records steps over values, which are numbered as they are made: 0 is false, then come the inputs."""

    steps: array = field(default_factory=lambda: array("I"))
    reads: array = field(default_factory=lambda: array("q"))  # where in the steps literals are
    writes: array = field(default_factory=lambda: array("q"))  # where in the steps new values are, …
    starts: array = field(default_factory=lambda: array("q"))  # … and where the steps that make them begin
    made: int = 1

    def input(self, name: str) -> int:
        self.made += 1
        return (self.made - 1) * 2

    def and_(self, literals: Iterable[int]) -> int:
        members = set(literals) - {TRUE}
        if FALSE in members or any(m ^ 1 in members for m in members):
            return FALSE
        return self._joined(_AND, sorted(members)) if members else TRUE

    def xor(self, literals: Iterable[int]) -> int:
        found = list(literals)
        complement = sum(found) & 1
        kept = [m & ~1 for m in found if m > 1]
        return self._joined(_XOR, kept) ^ complement if kept else complement

    def _joined(self, kind: int, literals: list[int]) -> int:
        if len(literals) == 1:
            return literals[0]
        start = len(self.steps)
        self.steps.append(kind)
        value = self._write(start)
        self.steps.append(len(literals))
        self.read(literals)
        return value * 2

    def lut(self, table: int, literals: Sequence[int]) -> int:
        start = len(self.steps)
        self.steps.append(_TABLE)
        value = self._write(start)
        self.steps.append(len(literals))
        self.read(literals)
        self.steps.extend(table >> i & 0xFFFFFFFF for i in range(0, max(1 << len(literals), 32), 32))
        return value * 2

    def total(self, columns: Sequence[Sequence[int]]) -> Planes:
        if not any(columns):
            return [FALSE] * len(columns)
        start = len(self.steps)
        self.steps.extend((_TOTAL, len(columns), sum(map(len, columns))))
        values = [self._write(start) for _ in columns]
        for j, column in enumerate(columns):
            for literal in column:
                self.read((literal,))
                self.steps.append(j)
        return [value * 2 for value in values]

    def at_least(self, planes: Planes, k: int) -> int:
        start = len(self.steps)
        self.steps.append(_AT_LEAST)
        value = self._write(start)
        self.steps.extend((len(planes), k & 0xFFFFFFFF, k >> 32))
        self.read(planes)
        return value * 2

    def _write(self, start: int) -> int:
        self.writes.append(len(self.steps))
        self.starts.append(start)
        self.steps.append(self.made)
        self.made += 1
        return self.made - 1

    def read(self, literals: Sequence[int]) -> None:
        self.reads.extend(range(len(self.steps), len(self.steps) + len(literals)))
        self.steps.extend(literals)

    def placed(self, inputs: int) -> tuple[np.ndarray, int]:
        """The steps over places in memory instead of values, and how many places there are."""
        steps, reads = np.array(self.steps, np.uint32), np.array(self.reads, np.int64)
        last = np.zeros(self.made, np.int64)  # where each value is read last
        np.maximum.at(last, steps[reads] >> 1, reads)
        last[inputs + 1 :] = np.maximum(last[inputs + 1 :], np.array(self.starts, np.int64))
        leaving = np.argsort(last[1:], kind="stable") + 1
        leaves, gone = last[leaving].tolist(), 0
        order, places = leaving.tolist(), list(range(inputs + 1)) + [0] * (self.made - inputs - 1)
        free: list[int] = []
        used = inputs + 1
        for value, start in enumerate(self.starts, inputs + 1):
            while gone < len(order) and leaves[gone] < start:
                free.append(places[order[gone]])
                gone += 1
            places[value] = free.pop() if free else used
            used = max(used, places[value] + 1)
        table = np.array(places, np.uint32)
        steps[reads] = table[steps[reads] >> 1] * 2 + (steps[reads] & 1)
        writes = np.array(self.writes, np.int64)
        steps[writes] = table[steps[writes]]
        return steps, used
