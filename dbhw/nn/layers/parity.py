"""∂⊕ layer: learns which inputs to take the parity of. In hardware a tree of XOR gates over the chosen inputs."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.nn.bits import AnyBits
from dbhw.nn.initialisers import Initialiser, Uniform
from dbhw.nn.layer import Shape, WeightedLayer
from dbhw.nn.lazy import Array, margins, operators


@dataclass(frozen=True)
class Parity(WeightedLayer):
    """Each of `width` neurons is true where an odd number of the inputs whose weights are high is true.

    >>> Parity(width=3).output_shape((12,))
    (3,)
    """

    symbol: ClassVar[str] = "∂⊕"
    selects: ClassVar[bool] = True
    init: Initialiser = Uniform(0.4, 0.6)

    def output_shape(self, inputs: Shape) -> Shape:
        return self.weight_shape(inputs)[:1]

    def soft(self, weights: Array, x: Array, key: Array | None = None) -> Array:
        return margins.each_row(lambda w, x: operators.xor_all(operators.and_pair(w, x), 0), weights, x)

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        return (weights & x.rows(self.width)).parity()
