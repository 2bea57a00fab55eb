"""∂count(k): true where exactly k inputs are. In hardware an adder tree and a comparator."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.base.errors import DbhwError, whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, last_axis
from dbhw.nn.lazy import Array, operators


@dataclass(frozen=True)
class Count(Layer):
    """Whether exactly k bits of the last axis are high.

    >>> Count(k=2).output_shape((4, 7))
    (4,)
    """

    symbol: ClassVar[str] = "∂count"
    gradient_rich: ClassVar[bool] = True
    k: int

    def __post_init__(self) -> None:
        whole("count k", self.k, 0)

    def output_shape(self, inputs: Shape) -> Shape:
        if self.k > last_axis(self, inputs):
            raise DbhwError(f"count k must be at most the {inputs[-1]} inputs, not {self.k}")
        return inputs[:-1]

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        return operators.count(x, self.k)

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x.exactly(self.k)
