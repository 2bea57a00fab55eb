"""∂∧ layer: learns which inputs to and together. In hardware a tree of AND gates over the chosen inputs."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.nn.bits import AnyBits
from dbhw.nn.initialisers import Bernoulli, Initialiser
from dbhw.nn.layer import Shape, WeightedLayer
from dbhw.nn.lazy import Array, margins, operators


@dataclass(frozen=True)
class Conjunction(WeightedLayer):
    """Each of `width` neurons is true where every input whose weight is high is true.

    >>> Conjunction(width=32).output_shape((24,))
    (32,)
    """

    symbol: ClassVar[str] = "∂∧"
    selects: ClassVar[bool] = True
    init: Initialiser = Bernoulli(0.01, high=0.501, low=0.3)

    def output_shape(self, inputs: Shape) -> Shape:
        return self.weight_shape(inputs)[:1]

    def soft(self, weights: Array, x: Array, key: Array | None = None) -> Array:
        return margins.batch_first(operators.all_selected(weights, margins.batch_last(x)))

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        return (~weights | x.rows(self.width)).all()
