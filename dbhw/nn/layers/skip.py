"""Skip: the outputs of a layer and after them its inputs, for layers further on. Only wires beside the layer."""

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Shape, WrappingLayer
from dbhw.nn.lazy import Array, jnp, margins


@dataclass(frozen=True)
class Skip(WrappingLayer):
    """A vector: all outputs of the layer `of`, then all its inputs.

    To skip more than one layer, pass the inputs by the others with `beside`.

    >>> from dbhw.nn.layers.conjunction import Conjunction
    >>> Skip(of=Conjunction(width=6)).output_shape((4,))
    (10,)
    """

    symbol: ClassVar[str] = "skip"

    def inner_shape(self, inputs: Shape) -> Shape:
        return inputs

    def output_shape(self, inputs: Shape) -> Shape:
        return (prod(self.of.output_shape(inputs)) + prod(inputs),)

    def soft(self, weights: Array | None, x: Array, key: Array | None = None) -> Array:
        parts = (self.of.soft(weights, x), margins.canonical(x))
        return jnp.concatenate([part.reshape(len(x), -1) for part in parts], -1)

    def hard(self, weights: AnyBits | None, x: AnyBits) -> AnyBits:
        found = self.of.hard(weights, x)
        return found.reshape(prod(found.shape)).concatenate(x.reshape(prod(x.shape)))
