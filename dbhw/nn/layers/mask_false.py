"""Mask to false: learns which inputs to pass; the others are false. In hardware an AND with the weight."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.nn.bits import AnyBits
from dbhw.nn.initialisers import Bernoulli, Initialiser
from dbhw.nn.layer import Shape, WeightedLayer
from dbhw.nn.lazy import Array, margins, operators


@dataclass(frozen=True)
class MaskFalse(WeightedLayer):
    """Each of `width` rows passes the inputs whose weights are high and puts false for the others.

    >>> MaskFalse(width=3).output_shape((4,))
    (3, 4)
    """

    symbol: ClassVar[str] = "∂∧ mask"
    selects: ClassVar[bool] = True
    gradient_rich: ClassVar[bool] = True
    init: Initialiser = Bernoulli(0.01, high=0.501, low=0.3)

    def output_shape(self, inputs: Shape) -> Shape:
        return self.weight_shape(inputs)

    def soft(self, weights: Array, x: Array, key: Array | None = None) -> Array:
        return margins.each_row(operators.and_pair, weights, x)

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        return weights & x.rows(self.width)
