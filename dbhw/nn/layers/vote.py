"""Vote: true where more than half of the inputs are, trained by close votes. In hardware the same as a majority."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, last_axis
from dbhw.nn.lazy import Array, margins, operators


@dataclass(frozen=True)
class Vote(Layer):
    """The majority over the last axis, as hard bits; an even split is false.

    The gradient of ∂Maj goes mostly to the median. That of a vote goes to all n inputs equally, but only if the vote
    was close, decided by at most √n. After ∂¬ it trains like a neuron of a binary network, by products of matrices.

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
