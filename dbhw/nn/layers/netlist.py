"""Netlist: look-up tables wired in any way that has no loop, as a net from elsewhere brings them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.initialisers import Initialiser, Uniform
from dbhw.nn.layer import Layer, Shape, added, vector_length
from dbhw.nn.lazy import Array, choices, jnp, margins

_MOST_INPUTS = 8


@dataclass(frozen=True)
class Netlist(Layer):
    """Each table looks up `fan_in` values, first bit lowest: places of inputs, and from there on of earlier tables.

    `reads` holds the places of all tables, one after another, and `shows` the place of each output. The outputs may be
    ports of their own, by their `names` and `widths`; without names they are `label` and `bits`, as those of any net.

    >>> adder = Netlist(fan_in=2, reads=(0, 1, 0, 1), shows=(2, 3), names=("total",), widths=(2,))
    >>> adder.weight_shape((2,)), adder.output_shape((2,)), adder.ports()
    ((2, 4), (2,), {'total': 2})
    """

    symbol: ClassVar[str] = "netlist"
    fan_in: int
    reads: tuple[int, ...]
    shows: tuple[int, ...]
    init: Initialiser = Uniform(0.0, 1.0)
    names: tuple[str, ...] = added(())
    widths: tuple[int, ...] = added(())

    def __post_init__(self) -> None:
        whole("netlist fan_in", self.fan_in, 1)
        if self.fan_in > _MOST_INPUTS:
            raise DbhwError(f"netlist fan_in must be at most {_MOST_INPUTS}, not {self.fan_in}")
        if any(type(place) is not int or place < 0 for place in (*self.reads, *self.shows)):
            raise DbhwError("netlist must read and show places, whole numbers from 0 on, but some are not")
        if not self.shows or not self.reads or len(self.reads) % self.fan_in:
            raise DbhwError(f"netlist must read {self.fan_in} places for each table, and show some, but it does not")
        self._check_ports()

    def _check_ports(self) -> None:
        right = len(set(self.names)) == len(self.names) == len(self.widths)
        right = right and all(isinstance(name, str) for name in self.names)
        right = right and all(type(width) is int and width > 0 for width in self.widths)
        if not right or (self.names and sum(self.widths) != len(self.shows)):
            raise DbhwError("netlist must have as many widths as names, for all of its outputs, but it has not")

    @property
    def tables(self) -> int:
        """How many tables there are."""
        return len(self.reads) // self.fan_in

    def ports(self) -> dict[str, int]:
        return dict(zip(self.names, self.widths, strict=True))

    def unnamed(self) -> Layer:
        return replace(self, names=(), widths=())

    def output_shape(self, inputs: Shape) -> Shape:
        n = vector_length(self, inputs)
        rows = self._places
        if (rows.max(axis=1) >= n + np.arange(len(rows))).any() or max(self.shows) >= n + self.tables:
            raise DbhwError("netlist must read inputs and earlier tables, but a place is beyond them")
        return (len(self.shows),)

    def weight_shape(self, inputs: Shape) -> Shape:
        return (self.tables, 1 << self.fan_in)

    def fresh_weights(self, key: Array, inputs: Shape) -> Array:
        return self.init.sample(key, self.weight_shape(inputs))

    def soft(self, weights: Array, x: Array, key: Array | None = None) -> Array:
        values = margins.canonical(margins.batch_last(x))
        for part in self._parts(len(values)):
            found = choices.look_up(weights[part], values[self._places[part]])
            values = jnp.concatenate([values, found])
        return margins.batch_first(values[np.array(self.shows)])

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        values = x
        for part in self._parts(x.shape[0]):
            rows = self._places[part]
            read = values.take(rows.ravel()).reshape(len(rows), self.fan_in)
            values = values.concatenate(read.look_up(weights.take(np.arange(part.start, part.stop))))
        return values.take(np.array(self.shows))

    @cached_property
    def _places(self) -> np.ndarray:
        return np.array(self.reads, np.int64).reshape(-1, self.fan_in)

    def _parts(self, inputs: int) -> Iterator[slice]:
        """Runs of tables that do not read each other, so that each run is looked up at once."""
        start = 0
        for i, last in enumerate(self._places.max(axis=1).tolist()):
            if last >= inputs + start:
                yield slice(start, i)
                start = i
        yield slice(start, self.tables)
