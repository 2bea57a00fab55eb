"""Beside: a layer over the first bits of a vector, while the others pass by. Only wires beside the layer."""

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from dbhw.base.errors import DbhwError, whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Shape, WrappingLayer, vector_length
from dbhw.nn.lazy import Array, jnp, margins


@dataclass(frozen=True)
class Beside(WrappingLayer):
    """A vector: all outputs of the layer `of` for the first `bits` bits, then the other bits as they are.

    >>> from dbhw.nn.layers.lookup import Lookup
    >>> Beside(of=Lookup(fan_in=6), bits=60).output_shape((100,))
    (50,)
    """

    symbol: ClassVar[str] = "beside"
    bits: int

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("beside bits", self.bits, 1)

    def inner_shape(self, inputs: Shape) -> Shape:
        if vector_length(self, inputs) < self.bits:
            raise DbhwError(f"beside of {self.bits} bits must get at least as many, not {inputs[0]}")
        return (self.bits,)

    def output_shape(self, inputs: Shape) -> Shape:
        return (prod(self.of.output_shape(self.inner_shape(inputs))) + inputs[0] - self.bits,)

    def soft(self, weights: Array | None, x: Array, key: Array | None = None) -> Array:
        found = self.of.soft(weights, x[:, : self.bits])
        return jnp.concatenate([found.reshape(len(x), -1), margins.canonical(x[:, self.bits :])], -1)

    def hard(self, weights: AnyBits | None, x: AnyBits) -> AnyBits:
        found = self.of.hard(weights, x.part(0, self.bits))
        return found.reshape(prod(found.shape)).concatenate(x.part(self.bits, x.shape[0]))
