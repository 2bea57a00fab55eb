"""Which inputs matter: how often a flip of one input bit changes the class, and which way it moves each output."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dbhw.model.model import Model

_MOST_FLIPS = 150_000  # some seconds of work; fewer examples are taken for nets that read more bits
_LEAST_EXAMPLES = 32
_AT_ONCE = 1 << 25  # bytes of inputs


@dataclass(frozen=True)
class Flips:
    """What flips of single bits did to some examples.

    A feature is a column of the user's table, or an input bit of a model of bits. `bits` and `features` hold shares of
    the examples: those whose class the flip of the bit changes, and those whose class the flip of any one bit of the
    feature changes. `rises` (outputs, features) is how much an output rises on average as a bit of the feature goes
    from low to high, added up over the feature's bits.
    """

    examples: int
    bits: np.ndarray
    features: np.ndarray
    rises: np.ndarray
    read: np.ndarray  # whether the net reads the bit at all

    @property
    def flips(self) -> int:
        return self.examples * int(self.read.sum())


def measure(model: Model, x: np.ndarray, most: int = _MOST_FLIPS) -> Flips:
    """Flips every bit that the net reads, on as many of the examples as `most` flips allow.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(2, [Negation(width=1)]), (np.array([[0.5, 0.5]], np.float32),), ("a", "b"), ("no", "yes"))
    >>> measure(model, np.array([[False, False], [True, True]])).bits.tolist()
    [0.5, 0.5]
    """
    network = model.to_network()
    read = np.array(network.reader_counts()[1 : 1 + model.net.inputs]) > 0
    number = min(len(x), max(most // max(int(read.sum()), 1), _LEAST_EXAMPLES))
    x = x[np.linspace(0, len(x) - 1, number).astype(int)]
    owners = np.array(feature_of_each_bit(model))
    engine = model.engine_for(number * int(read.sum()))
    before = model.answers(x, engine=engine)
    bits = np.zeros(model.net.inputs)
    changed = np.zeros((int(owners.max()) + 1, number), bool)
    rises = np.zeros((before.outputs.shape[1], len(changed)))
    for bit, labels, outputs in _flipped(model, x, np.flatnonzero(read), engine):
        other = labels != before.labels
        bits[bit] = other.mean()
        changed[owners[bit]] |= other
        moved = (outputs.astype(np.int64) - before.outputs) * np.where(x[:, bit], -1, 1)[:, None]
        rises[:, owners[bit]] += moved.mean(axis=0)
    return Flips(number, bits, changed.mean(axis=1), rises, read)


def _flipped(
    model: Model, x: np.ndarray, bits: np.ndarray, engine: str
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """For each bit, the classes and the outputs of the examples with that bit flipped; many bits in one call."""
    together = max(_AT_ONCE // max(x.size, 1), 1)
    for start in range(0, len(bits), together):
        part = bits[start : start + together]
        many = np.repeat(x[None], len(part), axis=0)
        many[np.arange(len(part)), :, part] ^= True
        found = model.answers(many.reshape(-1, x.shape[1]), engine=engine)
        labels, outputs = found.labels.reshape(len(part), -1), found.outputs.reshape(len(part), len(x), -1)
        yield from zip(part.tolist(), labels, outputs, strict=True)


def feature_of_each_bit(model: Model) -> list[int]:
    """The index of the feature that each input bit belongs to.

    >>> from dbhw.data.tables.column import Column
    >>> from dbhw.nn.net import Net
    >>> columns = (Column("a", "integer", 2), Column("b", "bit", 1))
    >>> feature_of_each_bit(Model(Net(3, []), (), ("a[0]", "a[1]", "b"), ("c", "d", "e"), columns=columns))
    [0, 0, 1]
    """
    if not model.columns:
        return list(range(model.net.inputs))
    return [i for i, column in enumerate(model.columns) for _ in range(column.width)]


def feature_names(model: Model) -> list[str]:
    """The names of the features: those of the columns, or of the input bits.

    >>> from dbhw.nn.net import Net
    >>> feature_names(Model(Net(2, []), (), ("a", "b"), ("c", "d")))
    ['a', 'b']
    """
    return [column.name for column in model.columns] if model.columns else list(model.features)
