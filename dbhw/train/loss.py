"""The loss, over distinct inputs and the votes of the examples they stand for."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from dbhw.data.dataset import Data
from dbhw.nn import margins
from dbhw.nn.net import Net

Weights = Sequence[Array | None]  # one entry per layer, None for a layer without weights


def merged_votes(net: Net, data: Data) -> tuple[np.ndarray, np.ndarray]:
    """The distinct inputs, and for each how many examples of each class it stands for.

    >>> from dbhw.nn.layers.negation import Negation
    >>> merged_votes(Net(1, [Negation(width=2)]), Data.of([[1], [0], [1]], [0, 1, 1]))[1].tolist()
    [[0.0, 1.0], [1.0, 1.0]]
    """
    x, place = np.unique(data.x, axis=0, return_inverse=True)
    votes = np.zeros((len(x), net.classes), np.float32)
    np.add.at(votes, (place, data.y), 1)
    return x, votes


def balanced(votes: np.ndarray, balance: float) -> np.ndarray:
    """The votes (inputs, classes), where those of rare classes count for more; the sum of all votes stays.

    >>> votes = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], np.float32)
    >>> balanced(votes, 1.0).sum(axis=0).tolist(), balanced(votes, 0.0).sum(axis=0).tolist()
    ([2.0, 2.0], [3.0, 1.0])
    """
    counts = votes.sum(axis=0)
    weights = np.maximum(counts, 1) ** -np.float32(balance)
    return votes * (weights * (counts.sum() / (counts * weights).sum()))


def stacked(parts: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and votes of several data sets, filled up to one length with inputs that have no votes.

    >>> stacked([(np.ones((1, 2)), np.ones((1, 2))), (np.ones((2, 2)), np.ones((2, 2)))])[1].tolist()
    [[[1.0, 1.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]]]
    """
    longest = max(len(x) for x, _ in parts)

    def filled(rows: np.ndarray) -> np.ndarray:
        return np.pad(rows, [(0, longest - len(rows)), (0, 0)])

    return np.stack([filled(x) for x, _ in parts]), np.stack([filled(votes) for _, votes in parts])


def loss_and_accuracy(
    net: Net, weights: Weights, x: Array, votes: Array, temperature: float, key: Array | None = None
) -> tuple[Array, Array]:
    """Softmax cross-entropy of the soft net, and the accuracy of its hardened outputs, over the votes for each class.

    >>> from dbhw.nn.layers.negation import Negation
    >>> net = Net(1, [Negation(width=2)])
    >>> weights, x, votes = [jnp.array([[-0.5], [0.5]])], jnp.array([[True]]), jnp.array([[0.0, 1.0]])
    >>> float(loss_and_accuracy(net, weights, x, votes, 1.0)[1])
    1.0
    """
    out = net.soft(weights, margins.from_bits(x), key)
    if net.integer_scores:
        logits, hard = out / temperature, out
    else:
        # The paper's logits are the soft-bits themselves; a single bit y stands for the pair [1 - y, y].
        out = margins.canonical(out)
        pair = out if out.shape[1] > 1 else jnp.concatenate([-out, out], 1)
        logits, hard = margins.to_soft_bits(pair) / temperature, margins.harden(pair)
    right = jnp.take_along_axis(votes, hard.argmax(1)[:, None], axis=1)
    return -(votes * jax.nn.log_softmax(logits)).sum() / votes.sum(), right.sum() / votes.sum()
