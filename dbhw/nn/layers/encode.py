"""Encode: integers become bits by comparisons with constants, each integer by an encoder of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.nn.bits import AnyBits
from dbhw.nn.encoders import AT_LEAST, BIT, Encoder, on_bits
from dbhw.nn.layer import Layer, Shape, vector_length
from dbhw.nn.lazy import Array, jnp, margins


@dataclass(frozen=True)
class Encode(Layer):
    """The integers lie side by side in the vector of inputs, each with its lowest bit first.

    It stands first in a net. It has no weights, so training applies it to the data once.

    >>> from dbhw.nn.encoders.binary import Binary
    >>> from dbhw.nn.encoders.thermometer import Thermometer
    >>> Encode((Thermometer(8, False, (16, 100)), Binary(3, True))).output_shape((11,))
    (5,)
    """

    symbol: ClassVar[str] = "encode"
    encodes: ClassVar[bool] = True
    encoders: tuple[Encoder, ...]

    def __post_init__(self) -> None:
        if not self.encoders or not all(isinstance(e, Encoder) for e in self.encoders):
            raise DbhwError(f"encode must have an encoder for each integer, not {self.encoders!r:.60}")
        if not any(encoder.conditions() for encoder in self.encoders):
            raise DbhwError("encode must have at least one condition on one integer, but its encoders have none")

    @property
    def inputs(self) -> int:
        """The bits of all integers."""
        return sum(encoder.width for encoder in self.encoders)

    def output_shape(self, inputs: Shape) -> Shape:
        if vector_length(self, inputs) != self.inputs:
            raise DbhwError(f"encode must get the {self.inputs} bits of its integers, not {inputs[0]}")
        return (sum(len(encoder.conditions()) for encoder in self.encoders),)

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        columns, kinds, numbers = self._conditions()
        values = self._values(margins.harden(x).astype(jnp.int32))[:, columns]
        single = values >> np.where(kinds == BIT, numbers, 0) & 1 == 1
        compared = jnp.where(kinds == AT_LEAST, values >= numbers, values == numbers)
        return margins.from_bits(jnp.where(kinds == BIT, single, compared))

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        found: list[AnyBits] = []
        first = 0
        for encoder in self.encoders:
            found += on_bits(encoder, x.take(np.arange(first, first + encoder.width)))
            first += encoder.width
        return found[0].concatenate(*found[1:])

    def _conditions(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each output the index of its integer, the kind of its condition, and its number."""
        rows = [(i, *condition) for i, e in enumerate(self.encoders) for condition in e.conditions()]
        columns, kinds, numbers = (np.array(part) for part in zip(*rows, strict=True))
        return columns, kinds, numbers.astype(np.int32)

    def _values(self, bits: Array) -> Array:
        """The integers (examples, integers) of bits 0 and 1 (examples, inputs)."""
        widths = np.array([encoder.width for encoder in self.encoders])
        tops = np.cumsum(widths) - 1
        signed = np.array([encoder.signed for encoder in self.encoders])
        # The top bit of a number in two's complement counts negatively.
        total = bits[:, tops] * np.where(signed, -1, 1).astype(np.int32) << widths - 1
        for j in range(widths.max() - 1):
            worth = np.where(j < widths - 1, 1 << j, 0).astype(np.int32)
            total += bits[:, np.minimum(tops - widths + 1 + j, tops)] * worth
        return total
