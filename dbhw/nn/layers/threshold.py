"""∂threshold: true where at least k of the inputs are, with k learned. In hardware an adder tree and a comparator."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.base.errors import DbhwError
from dbhw.nn.bits import AnyBits
from dbhw.nn.initialisers import Initialiser, Uniform
from dbhw.nn.layer import Layer, Shape, last_axis
from dbhw.nn.lazy import Array, jnp, operators


@dataclass(frozen=True)
class Threshold(Layer):
    """Whether at least k of the n bits of the last axis are high; each row learns its own k, from 1 (any) to n (all).

    k is n less the high ones of n - 1 weights. So it is the majority of the inputs and the weights together, and both
    learn as in ∂Maj. After `mask_true` it is a clause that tolerates a few failed literals.

    >>> Threshold().output_shape((8, 5)), Threshold().weight_shape((8, 5))
    ((8,), (8, 4))
    """

    symbol: ClassVar[str] = "∂threshold"
    gradient_rich: ClassVar[bool] = True
    init: Initialiser = Uniform(0.4, 0.6)

    def output_shape(self, inputs: Shape) -> Shape:
        if last_axis(self, inputs) < 2:
            raise DbhwError(f"threshold must get at least 2 bits in the last axis, not {inputs[-1]}")
        return inputs[:-1]

    def weight_shape(self, inputs: Shape) -> Shape:
        return (*self.output_shape(inputs), inputs[-1] - 1)

    def fresh_weights(self, key: Array, inputs: Shape) -> Array:
        return self.init.sample(key, self.weight_shape(inputs))

    def soft(self, weights: Array, x: Array, key: Array | None = None) -> Array:
        same = jnp.broadcast_to(weights, (len(x), *weights.shape))
        return operators.majority(jnp.concatenate([x, same], -1))

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        return x.concatenate(weights).at_least(x.shape[-1])
