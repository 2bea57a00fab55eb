"""∂Maj: true where more than half of the inputs are. In hardware an adder tree and a comparator."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, last_axis
from dbhw.nn.lazy import Array, operators


@dataclass(frozen=True)
class Majority(Layer):
    """The majority over the last axis; an even split is false.

    >>> Majority().output_shape((2940, 16))
    (2940,)
    """

    symbol: ClassVar[str] = "∂Maj"
    gradient_rich: ClassVar[bool] = True

    def output_shape(self, inputs: Shape) -> Shape:
        last_axis(self, inputs)
        return inputs[:-1]

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        return operators.majority(x)

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x.at_least(x.shape[-1] // 2 + 1)
