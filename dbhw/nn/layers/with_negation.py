"""Concatenate with negation: every bit, then every bit negated. Wires and inverters in hardware."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, last_axis
from dbhw.nn.lazy import Array, jnp, margins


@dataclass(frozen=True)
class WithNegation(Layer):
    """[x, ¬x] along the last axis.

    >>> WithNegation().output_shape((12,))
    (24,)
    """

    symbol: ClassVar[str] = "[x, ¬x]"
    gradient_rich: ClassVar[bool] = True

    def output_shape(self, inputs: Shape) -> Shape:
        return (*inputs[:-1], 2 * last_axis(self, inputs))

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        x = margins.canonical(margins.batch_last(x))
        return margins.batch_first(jnp.concatenate([x, -x], axis=-2))

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x.concatenate(~x)
