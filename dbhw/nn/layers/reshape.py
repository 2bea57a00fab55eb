"""Reshape: the same bits in another shape. Only wires in hardware."""

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from dbhw.base.errors import DbhwError, whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape
from dbhw.nn.lazy import Array, margins


@dataclass(frozen=True)
class Reshape(Layer):
    """The same bits, row by row, in the given shape.

    >>> Reshape(shape=(2, 20)).output_shape((8, 5))
    (2, 20)
    """

    symbol: ClassVar[str] = "reshape"
    gradient_rich: ClassVar[bool] = True
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        for length in self.shape:
            whole("reshape length", length, 1)

    def output_shape(self, inputs: Shape) -> Shape:
        if prod(self.shape) != prod(inputs):
            raise DbhwError(f"reshape to {list(self.shape)} must get {prod(self.shape)} bits, not {prod(inputs)}")
        return self.shape

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        return margins.batch_first(margins.batch_last(x).reshape(*self.shape, x.shape[0]))

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x.reshape(*self.shape)
