"""∂count-hot: one-hot over how many inputs are low. In hardware one adder tree and a comparator for each number."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, last_axis
from dbhw.nn.lazy import Array, operators


@dataclass(frozen=True)
class CountHot(Layer):
    """Turns n bits of the last axis into n + 1 bits: only the one whose index is the number of low bits is true.

    >>> CountHot().output_shape((59,))
    (60,)
    """

    symbol: ClassVar[str] = "∂count-hot"
    gradient_rich: ClassVar[bool] = True

    def output_shape(self, inputs: Shape) -> Shape:
        return (*inputs[:-1], last_axis(self, inputs) + 1)

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        return operators.count_hot(x)

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        first, *others = (x.exactly(highs) for highs in range(x.shape[-1], -1, -1))
        return first.stack(*others)
