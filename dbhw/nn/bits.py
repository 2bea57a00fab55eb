"""Hard bits of three kinds with the same operators, so that a layer's hard meaning is written once.

| kind       | element                         | first axis                 |
|------------|---------------------------------|----------------------------|
| `BoolBits` | a NumPy boolean                 | examples                   |
| `WordBits` | a uint64 with 64 examples' bits | words                      |
| `NodeBits` | a literal of a logic network    | 1: a network is one example; more in `each` |

The first axis is the batch; operators work on the others and broadcast as NumPy does. Reductions take the last axis.
Running `hard` over `NodeBits` is how a net is lowered to a logic network.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Self, TypeVar

import numpy as np

from dbhw.logic import planes
from dbhw.logic.network import Network

if TYPE_CHECKING:
    from jax import Array

TINY = float(np.finfo(np.float32).tiny)
Margins = TypeVar("Margins", np.ndarray, "Array")
AnyBits = TypeVar("AnyBits", bound="Bits")


def harden(margins: Margins) -> Margins:
    """The hard bits of margins: high from the smallest normal float32 on.

    Anything else is low: negative margins, zero, and denormals, which XLA may flush to zero and NumPy keeps.

    >>> harden(np.array([-0.5, 0.0, 1e-42, 1e-37], np.float32)).tolist()
    [False, False, False, True]
    """
    return margins >= TINY


class Bits(ABC):
    """An array of hard bits."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    @abstractmethod
    def _like(self, array: np.ndarray) -> Self: ...

    @abstractmethod
    def constant(self, bits: np.ndarray) -> Self:
        """Bits of the same kind, the same for every example (the batch axis is 1)."""

    @abstractmethod
    def __invert__(self) -> Self: ...

    @abstractmethod
    def __and__(self, other: Self) -> Self: ...

    @abstractmethod
    def __or__(self, other: Self) -> Self: ...

    @abstractmethod
    def __xor__(self, other: Self) -> Self: ...

    @abstractmethod
    def all(self) -> Self: ...

    @abstractmethod
    def any(self) -> Self: ...

    @abstractmethod
    def parity(self) -> Self: ...

    @abstractmethod
    def at_least(self, k: int) -> Self: ...

    @abstractmethod
    def exactly(self, k: int) -> Self: ...

    @abstractmethod
    def total(self) -> np.ndarray:
        """How many are high: integers, or count nodes of the network."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one example.

        >>> BoolBits(np.zeros((5, 3), bool)).shape
        (3,)
        """
        return self.array.shape[1:]

    def reshape(self, *shape: int) -> Self:
        return self._like(self.array.reshape(self.array.shape[0], *shape))

    def take(self, places: np.ndarray) -> Self:
        """The elements of a vector at the given places.

        >>> BoolBits(np.array([[True, False]])).take(np.array([1, 0, 1])).array.tolist()
        [[False, True, False]]
        """
        return self._like(self.array[:, places])

    def rows(self, width: int) -> Self:
        """The same vector `width` times, one for each row of a matrix of weights.

        >>> BoolBits(np.zeros((5, 3), bool)).rows(2).shape
        (2, 3)
        """
        spread = self.array[:, None]
        return self._like(np.broadcast_to(spread, (spread.shape[0], width, *self.shape)))

    def select(self, weights: Self) -> Self:
        """For each row of weights (outputs, n) the disjunction of those of n inputs whose weights are high.

        >>> x = BoolBits(np.array([[True, False]]))
        >>> x.select(x.constant(np.array([[False, True], [True, False]]))).array.tolist()
        [[False, True]]
        """
        high = weights.constants()
        if high is not None and (high.sum(-1) == 1).all():  # just wires
            return self.take(high.argmax(-1))
        return (weights & self.rows(weights.shape[0])).any()

    def look_up(self, tables: Self) -> Self:
        """The entries of tables (rows, 2^n) at the numbers that rows of n bits are, the first bit lowest.

        >>> x = BoolBits(np.array([[[True, False]]]))
        >>> x.look_up(x.constant(np.array([[False, True, False, False]]))).array.tolist()
        [[True]]
        """
        entries = tables.array
        for j in reversed(range(self.shape[-1])):
            half = entries.shape[-1] // 2
            high, low = (self._like(part) for part in (entries[..., half:], entries[..., :half]))
            bit = self._like(self.array[..., j, None])
            entries = ((bit & high) | (~bit & low)).array
        return self._like(entries[..., 0])

    def constants(self) -> np.ndarray | None:
        """The bits as booleans of the shape of one example, if they are the same for all examples; else None.

        >>> x = WordBits.pack(np.array([[True, False]]))
        >>> x.constants() is None, x.constant(np.array([True, False])).constants().tolist()
        (True, [True, False])
        """
        low, high = self.constant(np.array([False, True])).array[0]
        known = len(self.array) == 1 and ((self.array == low) | (self.array == high)).all()
        return self.array[0] == high if known else None

    def concatenate(self, *others: Self) -> Self:
        """This and the others along the last axis; what is the same for all examples is repeated."""
        arrays = [self.array, *(other.array for other in others)]
        batch = next((len(a) for a in arrays if len(a) != 1), 1)  # 0 too
        return self._like(np.concatenate([np.broadcast_to(a, (batch, *a.shape[1:])) for a in arrays], axis=-1))

    def part(self, first: int, upto: int) -> Self:
        """The elements of the last axis from `first` up to `upto`."""
        return self._like(self.array[..., first:upto])

    def each(self, function: Callable[[Self], Self]) -> Self:
        """A function of one example on every element of the first axis, as if each were an example of its own.

        >>> BoolBits(np.array([[[True, False], [True, True]]])).each(lambda row: row.all()).array.tolist()
        [[False, True]]
        """
        batch, many = self.array.shape[:2]
        found = function(self._like(self.array.reshape(batch * many, *self.shape[1:])))
        return self._like(found.array.reshape(batch, many, *found.shape))

    def stack(self, *others: Self) -> Self:
        """This and the others, stacked on a new last axis."""
        return self._like(np.stack([self.array, *(o.array for o in others)], axis=-1))


class BoolBits(Bits):
    """NumPy booleans, shape (examples, ...).

    >>> x = BoolBits(np.array([[True, False, True]]))
    >>> x.at_least(2).array.tolist(), (~x).any().array.tolist()
    ([True], [True])
    """

    def _like(self, array: np.ndarray) -> BoolBits:
        return BoolBits(array)

    def constant(self, bits: np.ndarray) -> BoolBits:
        return BoolBits(np.asarray(bits, bool)[None])

    def __invert__(self) -> BoolBits:
        return BoolBits(~self.array)

    def __and__(self, other: BoolBits) -> BoolBits:
        return BoolBits(self.array & other.array)

    def __or__(self, other: BoolBits) -> BoolBits:
        return BoolBits(self.array | other.array)

    def __xor__(self, other: BoolBits) -> BoolBits:
        return BoolBits(self.array ^ other.array)

    def all(self) -> BoolBits:
        return BoolBits(np.logical_and.reduce(self.array, axis=-1))

    def any(self) -> BoolBits:
        return BoolBits(np.logical_or.reduce(self.array, axis=-1))

    def parity(self) -> BoolBits:
        return BoolBits(np.logical_xor.reduce(self.array, axis=-1))

    def at_least(self, k: int) -> BoolBits:
        return BoolBits(np.array(self.total() >= k))

    def exactly(self, k: int) -> BoolBits:
        return BoolBits(np.array(self.total() == k))

    def total(self) -> np.ndarray:
        return np.count_nonzero(self.array, axis=-1)


class WordBits(Bits):
    """Packed words, shape (words, ...): bit e % 64 of word e // 64 belongs to example e.

    >>> x = WordBits.pack(np.array([[True, False], [True, True]]))
    >>> x.all().unpack().tolist()
    [False, True]
    """

    def __init__(self, array: np.ndarray, examples: int) -> None:
        super().__init__(array)
        self.examples = examples

    @classmethod
    def pack(cls, bits: np.ndarray) -> WordBits:
        return cls(planes.pack(bits), len(bits))

    def unpack(self) -> np.ndarray:
        return planes.unpack(self.array, self.examples)

    def _like(self, array: np.ndarray) -> WordBits:
        return WordBits(array, self.examples)

    def _columns(self) -> list[np.ndarray]:
        return list(np.moveaxis(self.array, -1, 0))

    def constant(self, bits: np.ndarray) -> WordBits:
        return self._like(np.where(np.asarray(bits, bool), ~np.uint64(0), np.uint64(0))[None])

    def __invert__(self) -> WordBits:
        return self._like(~self.array)

    def __and__(self, other: WordBits) -> WordBits:
        return self._like(self.array & other.array)

    def __or__(self, other: WordBits) -> WordBits:
        return self._like(self.array | other.array)

    def __xor__(self, other: WordBits) -> WordBits:
        return self._like(self.array ^ other.array)

    def all(self) -> WordBits:
        return self._like(np.bitwise_and.reduce(self.array, axis=-1))

    def any(self) -> WordBits:
        return self._like(np.bitwise_or.reduce(self.array, axis=-1))

    def parity(self) -> WordBits:
        return self._like(np.bitwise_xor.reduce(self.array, axis=-1))

    def at_least(self, k: int) -> WordBits:
        return self._like(planes.at_least(planes.total(self._columns()), k))

    def exactly(self, k: int) -> WordBits:
        return self._like(planes.equal(planes.total(self._columns()), k))

    def total(self) -> np.ndarray:
        return planes.integers(planes.total(self._columns()), self.examples)


class NodeBits(Bits):
    """Literals of a logic network, shape (1, ...).

    >>> n = Network()
    >>> x = NodeBits(np.array([[n.input("a"), n.input("b")]]), n)
    >>> (x.all().array == n.and_([2, 4])).tolist()
    [True]
    """

    def __init__(self, array: np.ndarray, network: Network) -> None:
        super().__init__(array)
        self.network = network

    def _like(self, array: np.ndarray) -> NodeBits:
        return NodeBits(array, self.network)

    def constant(self, bits: np.ndarray) -> NodeBits:
        return self._like(np.asarray(bits, bool).astype(np.int64)[None])

    def _pairwise(self, other: NodeBits, make: Callable[[tuple[int, int]], int]) -> NodeBits:
        a, b = np.broadcast_arrays(self.array, other.array)
        made = [make(pair) for pair in zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)]
        return self._like(np.array(made, np.int64).reshape(a.shape))

    def _reduce(self, make: Callable[[list[int]], int]) -> np.ndarray:
        lines = self.array.reshape(-1, self.array.shape[-1]).tolist()
        return np.array([make(line) for line in lines], np.int64).reshape(self.array.shape[:-1])

    def __invert__(self) -> NodeBits:
        return self._like(self.array ^ 1)

    def __and__(self, other: NodeBits) -> NodeBits:
        return self._pairwise(other, self.network.and_)

    def __or__(self, other: NodeBits) -> NodeBits:
        return self._pairwise(other, self.network.or_)

    def __xor__(self, other: NodeBits) -> NodeBits:
        return self._pairwise(other, self.network.xor)

    def all(self) -> NodeBits:
        return self._like(self._reduce(self.network.and_))

    def any(self) -> NodeBits:
        return self._like(self._reduce(self.network.or_))

    def parity(self) -> NodeBits:
        return self._like(self._reduce(self.network.xor))

    def at_least(self, k: int) -> NodeBits:
        return self._like(self._reduce(lambda line: self.network.at_least([(m, 1) for m in line], k)))

    def exactly(self, k: int) -> NodeBits:
        return self._like(self._reduce(lambda line: self.network.exactly([(m, 1) for m in line], k)))

    def look_up(self, tables: NodeBits) -> NodeBits:
        """One table node for each row, where the tables are constants."""
        entries = tables.constants()
        if entries is None:
            return super().look_up(tables)
        numbers = [int("".join("01"[bit] for bit in row[::-1]), 2) for row in entries.tolist()]
        made = [[self.network.lut(*row) for row in zip(numbers, rows, strict=True)] for rows in self.array.tolist()]
        return self._like(np.array(made, np.int64))

    def total(self) -> np.ndarray:
        return self._reduce(lambda line: self.network.count([(m, 1) for m in line]))
