"""∂Maj: true where more than half of the inputs are. In hardware an adder tree and a comparator."""

from dataclasses import dataclass
from typing import Any, ClassVar

from dbhw.nn.bits import Bits
from dbhw.nn.layer import Layer, Shape, last_axis
from dbhw.nn.lazy import margins


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

    def soft(self, weights: Any, x: Any, key: Any = None) -> Any:
        return margins.majority(x)

    def hard(self, weights: Any, x: Bits) -> Bits:
        return x.at_least(x.shape[-1] // 2 + 1)
