"""Convolution: one layer over every square of a picture, with the same weights. In hardware a copy for each square."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Shape, WrappingLayer
from dbhw.nn.layers.patches import Patches
from dbhw.nn.lazy import Array


@dataclass(frozen=True)
class Convolution(WrappingLayer):
    """The layer `of` over each square of `size` by `size` pixels that begins at every `stride`-th row and column.

    A picture is a vector of pixels, row by row, or a matrix with a row of bits for each pixel; the layer gets all bits
    of a square as a vector. What comes out is a picture again, with a row for each square. A convolution of size 1
    applies a layer to every pixel.

    >>> from dbhw.nn.layers.conjunction import Conjunction
    >>> first = Convolution(of=Conjunction(width=6), rows=28, columns=28, size=5, stride=1)
    >>> first.output_shape((784,)), first.weight_shape((784,))
    ((576, 6), (6, 25))
    >>> Convolution(of=Conjunction(width=9), rows=24, columns=24, size=3, stride=3).output_shape((576, 6))
    (64, 9)
    """

    symbol: ClassVar[str] = "convolution"
    rows: int
    columns: int
    size: int
    stride: int

    def __post_init__(self) -> None:
        super().__post_init__()
        self._squares()

    def inner_shape(self, inputs: Shape) -> Shape:
        pixels = self.rows * self.columns
        if not 1 <= len(inputs) <= 2 or inputs[0] != pixels:
            raise DbhwError(
                f"convolution of {self.rows} by {self.columns} must get {pixels} pixels, not shape {list(inputs)}"
            )
        return (self.size**2 * (1 if len(inputs) == 1 else inputs[1]),)

    def output_shape(self, inputs: Shape) -> Shape:
        return (len(self._squares()), *self.of.output_shape(self.inner_shape(inputs)))

    def soft(self, weights: Array | None, x: Array, key: Array | None = None) -> Array:
        squares = self._squares()
        found = self.of.soft(weights, x[:, squares].reshape(len(x) * len(squares), -1))
        return found.reshape(len(x), len(squares), *found.shape[1:])

    def hard(self, weights: AnyBits | None, x: AnyBits) -> AnyBits:
        squares = self._squares()
        bits = x.take(squares.ravel()).reshape(len(squares), *self.inner_shape(x.shape))
        return bits.each(lambda square: self.of.hard(weights, square))

    def _squares(self) -> np.ndarray:
        """The places of the pixels of each square."""
        return Patches(self.rows, self.columns, self.size, self.stride).places().reshape(-1, self.size**2)
