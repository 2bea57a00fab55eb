"""Bucket any: the maximum of contiguous buckets. In hardware an OR over each bucket."""

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from dbhw.base.errors import whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape, equal_parts
from dbhw.nn.lazy import Array, margins


@dataclass(frozen=True)
class BucketAny(Layer):
    """Splits all bits into `buckets` equal parts and gives for each whether any bit is high.

    >>> BucketAny(buckets=3).output_shape((60,))
    (3,)
    """

    symbol: ClassVar[str] = "bucket ∨"
    buckets: int

    def __post_init__(self) -> None:
        whole("bucket_any buckets", self.buckets, 1)

    def output_shape(self, inputs: Shape) -> Shape:
        return equal_parts(self, self.buckets, inputs)

    def soft(self, weights: None, x: Array, key: Array | None = None) -> Array:
        columns = margins.canonical(margins.batch_last(x))
        return margins.batch_first(columns.reshape(self.buckets, -1, x.shape[0]).max(1))

    def hard(self, weights: None, x: AnyBits) -> AnyBits:
        return x.reshape(self.buckets, prod(x.shape) // self.buckets).any()
