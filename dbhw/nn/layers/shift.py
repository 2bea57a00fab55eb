"""Shift: moves a picture by up to a few pixels at random while training; nothing at all in hardware."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.base.errors import DbhwError, whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, vector_length
from dbhw.nn.lazy import Array, jax, jnp


@dataclass(frozen=True)
class Shift(Layer):
    """Moves each picture of `rows` by `columns` pixels by up to `by` pixels each way in a training step.

    What moves in from outside is low. A net that has seen its pictures moved learns less of where single pixels are.

    >>> Shift(rows=28, columns=28, by=1).output_shape((784,))
    (784,)
    """

    symbol: ClassVar[str] = "shift"
    random: ClassVar[bool] = True
    rows: int
    columns: int
    by: int

    def __post_init__(self) -> None:
        for name in ("rows", "columns", "by"):
            whole(f"shift {name}", getattr(self, name), 1)

    def output_shape(self, inputs: Shape) -> Shape:
        if vector_length(self, inputs) != self.rows * self.columns:
            raise DbhwError(
                f"shift of {self.rows} by {self.columns} must get {self.rows * self.columns} bits, not {inputs[0]}"
            )
        return inputs

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        if key is None:
            return x
        edge = [(0, 0), (self.by, self.by), (self.by, self.by)]
        pictures = jnp.pad(x.reshape(-1, self.rows, self.columns), edge, constant_values=-0.5)
        corners = jax.random.randint(key, (len(x), 2), 0, 2 * self.by + 1)
        size = (self.rows, self.columns)
        return jax.vmap(lambda one, at: jax.lax.dynamic_slice(one, at, size))(pictures, corners).reshape(x.shape)

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x
