"""Vote: true where more than half of the inputs are, learned from near misses. In hardware what a majority is."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, last_axis
from dbhw.nn.lazy import Array, margins, operators


@dataclass(frozen=True)
class Vote(Layer):
    """The majority over the last axis, as hard bits; an even split is false.

    ∂Maj follows the one input in the middle. A vote tells all its inputs alike which way to go, and only where it was
    close: within √n of its n inputs. After ∂¬ it trains like a neuron of a binary network, by products of matrices.

    >>> Vote().output_shape((2940, 16))
    (2940,)
    """

    symbol: ClassVar[str] = "vote"

    def output_shape(self, inputs: Shape) -> Shape:
        last_axis(self, inputs)
        return inputs[:-1]

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        return margins.batch_first(operators.vote(margins.batch_last(x)))

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x.at_least(x.shape[-1] // 2 + 1)
