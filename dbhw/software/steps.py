"""A network as steps for an interpreter (`interpret.c`): for nets that a compiler would take too long for.

A step calls a shape (`shapes.py`) many times. Calls of one shape and level are put side by side, so that a processor
rarely guesses wrong what comes next; but only among calls that read what is close, so that it is still in the cache.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dbhw.logic.network import Network
from dbhw.logic.sliced import Field, slice_into
from dbhw.software import shapes
from dbhw.software.calls import Calls
from dbhw.software.shapes import Shape

_STRETCH = 1024  # calls that may change places


@dataclass(frozen=True)
class Steps:
    """The shapes, the numbers that the interpreter reads, how many places there are in memory, and the fields.

    The numbers of a step are a shape, how many calls, and the places of each call. After the last step, which has no
    calls, come the literals of the fields.
    """

    shapes: list[Shape]
    numbers: np.ndarray
    memory: int
    fields: tuple[Field, ...]


def to_steps(network: Network) -> Steps:
    """The steps of a network, with places in memory that are used again once nothing reads them any more.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b ^ 1]) ^ 1])
    >>> steps = to_steps(n)
    >>> steps.shapes  # AND of a plain bit and a complemented one
    [(0, 1, 1)]
    >>> steps.numbers.tolist()  # it is called once, into place 3, of places 1 and 2; the end, and the output
    [0, 1, 3, 1, 2, 0, 0, 7]
    """
    calls = Calls()
    fields = slice_into(calls, network)
    outputs = np.array([plane for f in fields for plane in f.planes], np.int64)
    calls.needed([plane >> 1 for plane in outputs.tolist()])
    schedule = _Schedule(calls)
    places, memory = schedule.places(len(network.input_names), outputs >> 1)
    end = np.concatenate([[0, 0], places[outputs >> 1] * 2 + (outputs & 1)])
    numbers = np.concatenate([*schedule.numbers(places), end]).astype(np.uint32)
    return Steps(schedule.shapes, numbers, memory, tuple(fields))


class _Schedule:
    """The calls in the order in which they are run."""

    def __init__(self, calls: Calls) -> None:
        self.shapes = list(calls.known)
        self.made = [shapes.made(shape) for shape in self.shapes]
        self.used = [shapes.made(shape) + shapes.read(shape) for shape in self.shapes]  # what follows is no value
        self.values = len(calls.value_levels)
        called = np.array(calls.calls, np.int64)
        ends = np.cumsum(np.bincount(called, minlength=len(self.shapes)))
        own = np.split(np.argsort(called, kind="stable"), ends)[:-1]  # by shape: its calls
        records = [np.array(r, np.int64).reshape(len(o), -1) for r, o in zip(calls.records, own, strict=True)]
        lowest = np.zeros(len(called), np.int64)  # the first value that a call reads
        for mine, rows, made, used in zip(own, records, self.made, self.used, strict=True):
            lowest[mine] = rows[:, made:used].min(axis=1)
        order = _ordered(called, np.array(calls.levels, np.int64), lowest)
        when = np.argsort(order)
        self.called = called[order]
        # By shape: when its calls are run, and what they make and read.
        self.times = [np.sort(when[mine]) for mine in own]
        self.records = [rows[np.argsort(when[mine])] for rows, mine in zip(records, own, strict=True)]

    def places(self, inputs: int, outputs: np.ndarray) -> tuple[np.ndarray, int]:
        """The place of each value, always that which was left last and is in the cache, and how many there are."""
        born, last = self._lives()
        last[outputs] = last[0] = len(self.called)
        made = np.flatnonzero(born >= 0)
        made = made[np.argsort(born[made], kind="stable")]
        leaving = np.concatenate([np.arange(inputs + 1), made])
        leaving = leaving[np.argsort(last[leaving], kind="stable")]
        order, leaves, gone = leaving.tolist(), last[leaving].tolist(), 0
        places, used = list(range(self.values)), inputs + 1
        free: list[int] = []
        for value, time in zip(made.tolist(), born[made].tolist(), strict=True):
            while leaves[gone] < time:
                free.append(places[order[gone]])
                gone += 1
            places[value] = free.pop() if free else used
            used = max(used, places[value] + 1)
        return np.array(places, np.int64), used

    def _lives(self) -> tuple[np.ndarray, np.ndarray]:
        """When each value is made, or -1, and when it is read last; one that nobody reads, when it is made."""
        born, last = np.full(self.values, -1), np.zeros(self.values, np.int64)
        for rows, times, made, used in zip(self.records, self.times, self.made, self.used, strict=True):
            born[rows[:, :made]] = times[:, None]
            np.maximum.at(last, rows[:, :used], times[:, None])
        return born, last

    def numbers(self, places: np.ndarray) -> list[np.ndarray]:
        """The steps, over places in memory instead of values."""
        for rows, used in zip(self.records, self.used, strict=True):
            rows[:, :used] = places[rows[:, :used]]
        starts = np.flatnonzero(np.diff(self.called, prepend=-1))
        ends = np.append(starts[1:], len(self.called))
        done = [0] * len(self.shapes)
        found = []
        for start, end in zip(starts.tolist(), ends.tolist(), strict=False):
            shape, many = int(self.called[start]), end - start
            found += [np.array([shape, many]), self.records[shape][done[shape] : done[shape] + many].ravel()]
            done[shape] += many
        return found


def _ordered(calls: np.ndarray, levels: np.ndarray, lowest: np.ndarray) -> np.ndarray:
    """The order of the calls: by level, then those that read what is close, and in a stretch of these by shape."""
    order = np.lexsort((lowest, levels))
    stretches = np.empty(len(calls), np.int64)
    stretches[order] = np.arange(len(calls)) // _STRETCH
    return np.lexsort((calls, stretches, levels))
