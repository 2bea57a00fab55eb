"""∂¬: learns which inputs to negate. In hardware an XNOR with the weight."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.nn.bits import AnyBits
from dbhw.nn.initialisers import Initialiser, Uniform
from dbhw.nn.layer import Shape, WeightedLayer
from dbhw.nn.lazy import Array, margins, operators


@dataclass(frozen=True)
class Negation(WeightedLayer):
    """Each of `width` rows negates the inputs whose weights are low and passes the others.

    >>> Negation(width=2).output_shape((5,))
    (2, 5)
    """

    symbol: ClassVar[str] = "∂¬"
    gradient_rich: ClassVar[bool] = True
    init: Initialiser = Uniform(0.499, 0.501)

    def output_shape(self, inputs: Shape) -> Shape:
        return self.weight_shape(inputs)

    def soft(self, weights: Array, x: Array, key: Array | None = None) -> Array:
        return margins.each_row(operators.negate, weights, x)

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        return ~(weights ^ x.rows(self.width))
