"""∂dropout: flips bits at random while training; no effect in the hard net, and nothing in hardware."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.base.errors import DbhwError
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape
from dbhw.nn.lazy import Array, jax, jnp, margins


@dataclass(frozen=True)
class Dropout(Layer):
    """Flips each bit of each example with probability p in a training step.

    >>> Dropout(p=0.05).output_shape((59,))
    (59,)
    """

    symbol: ClassVar[str] = "∂dropout"
    gradient_rich: ClassVar[bool] = True
    random: ClassVar[bool] = True
    p: float

    def __post_init__(self) -> None:
        if not isinstance(self.p, int | float) or not 0 <= self.p <= 1:
            raise DbhwError(f"dropout p must be a probability between 0 and 1, not {self.p!r}")

    def output_shape(self, inputs: Shape) -> Shape:
        return inputs

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        if key is None:
            return x
        x = margins.canonical(x)
        return jnp.where(jax.random.bernoulli(key, self.p, x.shape), -x, x)

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x
