"""Polishing a trained net: single weight bits are flipped where that helps on the training data.

Gradient descent ends near a good hard net, not at one. A sweep flips the weight bits one by one, in random order, and
keeps the flip if more training examples are right, or as many while one input less is selected; so the net also gets
simpler. A flip costs one pass over the training data: this is for small nets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.flatten_util import ravel_pytree

from dbhw.data.dataset import Data
from dbhw.model.model import Model
from dbhw.nn import margins
from dbhw.nn.net import Net
from dbhw.train.loss import Weights, loss_and_accuracy, merged_votes, stacked


def polish(models: Sequence[Model], data: Sequence[Data], seeds: Sequence[int], sweeps: int) -> list[Model]:
    """The models of one net, each polished on its own data, all at once.

    >>> from dbhw.nn.layers.negation import Negation
    >>> data = Data.of([[0], [1]], [0, 1], name="toy")
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[0.5], [-0.5]], np.float32),), ("x",), data.classes)
    >>> polish([model], [data], [0], sweeps=1)[0].predict(data.x).tolist()
    [0, 1]
    """
    net = models[0].net
    x, votes = stacked([merged_votes(net, part) for part in data])
    bits = [tuple(None if w is None else jnp.asarray(w) for w in model.weights) for model in models]
    together = jax.tree.map(lambda *leaves: jnp.stack(leaves), *bits)
    run = jax.jit(jax.vmap(lambda *each: _polished(net, sweeps, *each)))
    flipped = run(together, x, votes, jnp.array(seeds))
    return [
        replace(model, soft_weights=_moved(model.soft_weights, new), provenance={**model.provenance, "polish": sweeps})
        for model, new in zip(models, _each(flipped, len(models)), strict=True)
    ]


def _polished(net: Net, sweeps: int, bits: Weights, x: Array, votes: Array, seed: Array) -> Weights:
    flat, unravel = ravel_pytree(bits)
    selects = np.concatenate(
        [np.full(b.size, layer.selects) for layer, b in zip(net.layers, bits, strict=True) if b is not None]
    )

    def right(flat: Array) -> Array:
        weights = jax.tree.map(margins.from_bits, unravel(flat))
        return jnp.round(loss_and_accuracy(net, weights, x, votes, 1.0)[1] * votes.sum())

    def attempt(carried: tuple[Array, Array], place: Array) -> tuple[tuple[Array, Array], None]:
        flat, most = carried
        candidate = flat.at[place].set(~flat[place])
        found = right(candidate)
        better = (found > most) | ((found == most) & jnp.asarray(selects)[place] & flat[place])
        return (jnp.where(better, candidate, flat), jnp.where(better, found, most)), None

    def sweep(number: Array, carried: tuple[Array, Array]) -> tuple[Array, Array]:
        order = jax.random.permutation(jax.random.fold_in(jax.random.key(seed), number), flat.size)
        return jax.lax.scan(attempt, carried, order)[0]

    return unravel(jax.lax.fori_loop(0, sweeps, sweep, (flat, right(flat)))[0])


def _each(trees: Weights, many: int) -> list[Sequence[np.ndarray | None]]:
    return [jax.tree.map(lambda leaf, i=i: np.asarray(leaf[i]), trees) for i in range(many)]


def _moved(soft: Sequence[np.ndarray | None], bits: Sequence[np.ndarray | None]) -> tuple[np.ndarray | None, ...]:
    """The soft weights, each moved across the threshold if its bit was flipped."""
    return tuple(
        None
        if w is None or b is None
        else np.where(b, np.float32(1), np.float32(-1)) * np.maximum(np.abs(w), np.float32(margins.TINY))
        for w, b in zip(soft, bits, strict=True)
    )
