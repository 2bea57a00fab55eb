"""Pruning learned tables: entries that no training example addresses are chosen so that a table reads fewer inputs.

Gradient descent never touches such entries: they hold what they were initialised with, and cost area for nothing. The
pruned net is the model, so it is as exact as before; on the training examples it answers as before.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dbhw.data.dataset import Data
from dbhw.model.model import Model
from dbhw.nn.bits import WordBits
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.net import Net

_AT_ONCE = 1000  # examples: the addresses of thousands of tables in all of them would take 20 GB


def prune(model: Model, data: Data) -> Model:
    """The model with simpler tables in its layers `lookup`; it answers as before on every example of the data.

    >>> from dbhw.nn.layers.bucket_sum import BucketSum
    >>> soft = np.array([[-0.5, 0.5, 0.5, -0.5]], np.float32)  # exclusive or
    >>> model = Model(Net(2, [Lookup(fan_in=2)]), (soft,), ("a", "b"), ("no", "yes"))
    >>> prune(model, Data.of([[0, 0], [1, 0]], [0, 1])).weights[0].astype(int).tolist()  # b is always low
    [[0, 1, 0, 1]]
    """
    soft = list(model.soft_weights)
    for i, layer in enumerate(model.net.layers):
        if isinstance(layer, Lookup):
            inputs = _inputs_of(model.net, i, soft, data.x)
            tables = np.stack([_simpler(*each) for each in zip(*_seen(layer, soft[i], inputs), strict=True)])
            soft[i] = np.where(tables, 0.5, -0.5).astype(np.float32)
    return replace(model, soft_weights=tuple(soft))


def _inputs_of(net: Net, layer: int, soft: list[np.ndarray | None], x: np.ndarray) -> np.ndarray:
    """The bits that a layer gets for each example."""
    before = zip(net.layers[:layer], soft[:layer], strict=True)
    weights = [None if w is None else part.harden(w) for part, w in before]
    found = Net(net.inputs, net.layers[:layer]).hard(weights, WordBits.pack(x))
    assert isinstance(found, WordBits)
    return found.unpack()


def _seen(layer: Lookup, soft: np.ndarray | None, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The tables (tables, entries), and how many examples address each of their entries."""
    assert soft is not None
    values = 1 << np.arange(layer.fan_in)
    counts = np.zeros(soft.shape, np.int64)
    for first in range(0, len(inputs), _AT_ONCE):
        part = inputs[first : first + _AT_ONCE]
        addresses = part.reshape(len(part), -1, layer.fan_in) @ values
        np.add.at(counts, (np.arange(len(soft))[None, :], addresses), 1)
    return layer.harden(soft), counts


def _simpler(table: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The table without the inputs that no seen entry depends on; what then is still open follows its neighbours.

    An input can go where no two seen entries that differ in it alone hold different bits. Of those that can, the one
    that tells the fewest examples apart goes first.
    """
    table, counts = table.copy(), counts.copy()
    places = np.arange(len(table))
    left = list(range(len(table).bit_length() - 1))
    while True:
        costs = {j: _told_apart(table, counts, places ^ (1 << j)) for j in left}
        free = [j for j in left if costs[j] >= 0]
        if not free:
            return _filled(table, counts)
        gone = min(free, key=costs.__getitem__)
        other = places ^ (1 << gone)
        table = np.where(counts > 0, table, table[other])
        counts = counts + counts[other]
        left.remove(gone)


def _told_apart(table: np.ndarray, counts: np.ndarray, other: np.ndarray) -> int:
    """How many examples lie at entries that differ in one input only; -1 where their bits differ too."""
    both = (counts > 0) & (counts[other] > 0)
    return -1 if (both & (table != table[other])).any() else int(counts[both].sum())


def _filled(table: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Entries that nothing addresses take the bit that most of the seen examples near them have."""
    seen = counts > 0
    if not seen.any():
        return np.zeros_like(table)
    places = np.arange(len(table))
    distance = np.bitwise_count(places[:, None] ^ places[None, :])
    votes = (0.25**distance) * np.where(table, 1, -1) * np.log1p(counts)
    return np.where(seen, table, votes.sum(axis=1) > 0)
