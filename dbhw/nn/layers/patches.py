"""Patches: all squares of an image, one after the other. Only wires in hardware."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, vector_length
from dbhw.nn.lazy import Array


@dataclass(frozen=True)
class Patches(Layer):
    """The squares of `size` by `size` pixels that begin at every `stride`-th row and column, each row by row.

    >>> Patches(rows=28, columns=28, size=8, stride=2).output_shape((784,))
    (7744,)
    """

    symbol: ClassVar[str] = "patches"
    rows: int
    columns: int
    size: int
    stride: int

    def __post_init__(self) -> None:
        for name in ("rows", "columns", "size", "stride"):
            whole(f"patches {name}", getattr(self, name), 1)
        if self.size > min(self.rows, self.columns):
            raise DbhwError(f"patches size must be at most {min(self.rows, self.columns)}, not {self.size}")

    def output_shape(self, inputs: Shape) -> Shape:
        if vector_length(self, inputs) != self.rows * self.columns:
            raise DbhwError(
                f"patches of {self.rows} by {self.columns} must get {self.rows * self.columns} bits, not {inputs[0]}"
            )
        down, across = (len(range(0, length - self.size + 1, self.stride)) for length in (self.rows, self.columns))
        return (down * across * self.size**2,)

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        return x[:, self.places()]

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x.take(self.places())

    def places(self) -> np.ndarray:
        """The places of the pixels of all squares.

        >>> Patches(rows=2, columns=3, size=2, stride=1).places().tolist()
        [0, 1, 3, 4, 1, 2, 4, 5]
        """
        picture = np.arange(self.rows * self.columns).reshape(self.rows, self.columns)
        squares = np.lib.stride_tricks.sliding_window_view(picture, (self.size, self.size))
        return squares[:: self.stride, :: self.stride].ravel()
