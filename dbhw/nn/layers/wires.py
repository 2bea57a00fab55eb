"""Wires: each output is one given input. Only wires in hardware."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, vector_length
from dbhw.nn.lazy import Array


@dataclass(frozen=True)
class Wires(Layer):
    """The inputs at the given places; what `connect` has learned, once it is no longer trained.

    >>> Wires(places=(2, 0, 2)).output_shape((5,))
    (3,)
    """

    symbol: ClassVar[str] = "wires"
    places: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.places or any(type(place) is not int or place < 0 for place in self.places):
            raise DbhwError(f"wires must have places, whole numbers from 0 on, not {self.places!r:.60}")

    def output_shape(self, inputs: Shape) -> Shape:
        if max(self.places) >= vector_length(self, inputs):
            raise DbhwError(f"wires to place {max(self.places)} must get more than {inputs[0]} bits")
        return (len(self.places),)

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        return x[:, np.array(self.places)]

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x.take(np.array(self.places))
