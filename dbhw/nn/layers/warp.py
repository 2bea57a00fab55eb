"""Warp: bends, turns and moves a picture at random while training; nothing at all in hardware."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, vector_length
from dbhw.nn.lazy import Array, jax, jnp

_GRID = 4  # points each way that are moved independently to bend a picture


@dataclass(frozen=True)
class Warp(Layer):
    """Distorts each picture of `rows` by `columns` pixels, of `depth` bits each, in a training step.

    A pixel takes the bits of another one, whose place is drawn anew for each picture: `shift` pixels away at most, the
    same for the whole picture; `stretch` pixels at the edge, which turns, scales and shears it; and `bend` pixels,
    different in each part of it. The latter two are standard deviations. What comes in from outside is low.

    >>> Warp(rows=28, columns=28, depth=3, shift=1.0, stretch=1.0, bend=1.0).output_shape((2352,))
    (2352,)
    """

    symbol: ClassVar[str] = "warp"
    random: ClassVar[bool] = True
    rows: int
    columns: int
    depth: int
    shift: float
    stretch: float
    bend: float
    flip: bool = False

    def __post_init__(self) -> None:
        for name in ("rows", "columns", "depth"):
            whole(f"warp {name}", getattr(self, name), 1)
        for name in ("shift", "stretch", "bend"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not value >= 0:
                raise DbhwError(f"warp {name} must be a number of pixels of at least 0, not {value!r}")

    def output_shape(self, inputs: Shape) -> Shape:
        bits = self.rows * self.columns * self.depth
        if vector_length(self, inputs) != bits:
            of = f"{self.rows} by {self.columns} by {self.depth}"
            raise DbhwError(f"warp of {of} must get {bits} bits, not {inputs[0]}")
        return inputs

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        if key is None:
            return x
        row, column = self._sources(key, len(x))
        inside = (row >= 0) & (row < self.rows) & (column >= 0) & (column < self.columns)
        pixels = x.reshape(len(x), -1, self.depth)
        place = jnp.where(inside, row * self.columns + column, 0)
        moved = jnp.take_along_axis(pixels, place[..., None], axis=1)
        return jnp.where(inside[..., None], moved, -0.5).reshape(x.shape)

    def _sources(self, key: Array, pictures: int) -> tuple[Array, Array]:
        """The row and the column of the pixel that each pixel takes its bits from (pictures, pixels)."""
        ways = self._ways()
        keys = jax.random.split(key)
        shift = self.shift * jax.random.uniform(keys[0], (pictures, 2, 1), minval=-1, maxval=1)
        sizes = jnp.array([self.stretch] * 2 + [self.bend] * (_GRID * _GRID))
        others = sizes * jax.random.normal(keys[1], (pictures, 2, ways.shape[1] - 1))
        moves = jnp.concatenate([shift, others], 2) @ ways.T
        places = jnp.arange(self.rows * self.columns)
        moved = jnp.round(moves).astype(jnp.int32) + jnp.stack([places // self.columns, places % self.columns])
        column = moved[:, 1]
        if self.flip:
            turned = jax.random.bernoulli(jax.random.fold_in(key, 1), 0.5, (pictures, 1))
            column = jnp.where(turned, self.columns - 1 - column, column)
        return moved[:, 0], column

    def _ways(self) -> np.ndarray:
        """What the single moves are at each pixel (pixels, moves): all alike, by row, by column, around grid points."""
        down, across = np.linspace(-1, 1, self.rows), np.linspace(-1, 1, self.columns)
        plane = [np.ones((self.rows, self.columns)), *np.meshgrid(down, across, indexing="ij")]
        grid = np.einsum("ir,jc->ijrc", _tents(down), _tents(across)).reshape(-1, self.rows, self.columns)
        return np.concatenate([plane, grid]).reshape(3 + _GRID * _GRID, -1).T.astype(np.float32)

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x


def _tents(places: np.ndarray) -> np.ndarray:
    """How much each grid point counts at places from -1 to 1, linearly in between (points, places)."""
    points = np.linspace(-1, 1, _GRID)
    return np.maximum(0, 1 - np.abs(points[:, None] - places) * (_GRID - 1) / 2)
