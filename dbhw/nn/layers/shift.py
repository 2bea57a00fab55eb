"""Shift: moves a picture by up to a few pixels at random while training; nothing at all in hardware."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.base.errors import DbhwError, whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, added, vector_length
from dbhw.nn.lazy import Array, jax, jnp


@dataclass(frozen=True)
class Shift(Layer):
    """Moves each picture of `rows` by `columns` pixels by up to `by` pixels each way in a training step.

    A pixel is `depth` bits that stand side by side. What moves in from outside is low. A net that has seen its pictures
    moved learns less of where single pixels are.

    >>> Shift(rows=28, columns=28, by=1, depth=3).output_shape((2352,))
    (2352,)
    """

    symbol: ClassVar[str] = "shift"
    random: ClassVar[bool] = True
    rows: int
    columns: int
    by: int
    depth: int = added(1)

    def __post_init__(self) -> None:
        for name in ("rows", "columns", "by", "depth"):
            whole(f"shift {name}", getattr(self, name), 1)

    def output_shape(self, inputs: Shape) -> Shape:
        bits = self.rows * self.columns * self.depth
        if vector_length(self, inputs) != bits:
            of = f"{self.rows} by {self.columns}" + (f" by {self.depth}" if self.depth > 1 else "")
            raise DbhwError(f"shift of {of} must get {bits} bits, not {inputs[0]}")
        return inputs

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        if key is None:
            return x
        edge = [(0, 0), (self.by, self.by), (self.by, self.by), (0, 0)]
        pictures = jnp.pad(x.reshape(-1, self.rows, self.columns, self.depth), edge, constant_values=-0.5)
        corners = jax.random.randint(key, (len(x), 2), 0, 2 * self.by + 1)
        size = (self.rows, self.columns, self.depth)
        return jax.vmap(lambda one, at: jax.lax.dynamic_slice(one, (*at, 0), size))(pictures, corners).reshape(x.shape)

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x
