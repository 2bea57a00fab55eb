"""Bucket sum: integer class scores, the number of high bits in each bucket. In hardware an adder tree for each."""

from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np

from dbhw.base.errors import whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, equal_parts
from dbhw.nn.lazy import Array, margins


@dataclass(frozen=True)
class BucketSum(Layer):
    """Splits all bits into `buckets` equal parts and counts the high bits of each; only as the last layer.

    Soft scores count hardened bits, with the gradient straight through: counts of soft-bits would not be the hard
    net's counts.

    >>> BucketSum(buckets=10).output_shape((20, 2940))
    (10,)
    """

    symbol: ClassVar[str] = "bucket Σ"
    gradient_rich: ClassVar[bool] = True
    integer_output: ClassVar[bool] = True
    buckets: int

    def __post_init__(self) -> None:
        whole("bucket_sum buckets", self.buckets, 1)

    def output_shape(self, inputs: Shape) -> Shape:
        return equal_parts(self, self.buckets, inputs)

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        buckets = margins.batch_last(x).reshape(self.buckets, -1, x.shape[0])
        # Margins of +-1/2 add up to the count less half the bits, exactly.
        return margins.batch_first(margins.harden_straight_through(buckets).sum(1) + buckets.shape[1] / 2)

    def hard(self, weights: None, x: AnyBits) -> np.ndarray:
        return x.reshape(self.buckets, prod(x.shape) // self.buckets).total()
