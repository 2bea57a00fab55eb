"""∂∨ layer: learns which inputs to or together. In hardware a tree of OR gates over the chosen inputs."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.nn.bits import AnyBits
from dbhw.nn.initialisers import Bernoulli, Initialiser
from dbhw.nn.layer import Shape, WeightedLayer
from dbhw.nn.lazy import Array, margins, operators


@dataclass(frozen=True)
class Disjunction(WeightedLayer):
    """Each of `width` neurons is true where any input whose weight is high is true.

    >>> Disjunction(width=32).output_shape((24,))
    (32,)
    """

    symbol: ClassVar[str] = "∂∨"
    selects: ClassVar[bool] = True
    init: Initialiser = Bernoulli(0.99, high=0.7, low=0.499)

    def output_shape(self, inputs: Shape) -> Shape:
        return self.weight_shape(inputs)[:1]

    def soft(self, weights: Array, x: Array, key: Array | None = None) -> Array:
        return margins.batch_first(operators.any_selected(weights, margins.batch_last(x)))

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        return (weights & x.rows(self.width)).any()
