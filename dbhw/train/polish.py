"""Polishing a trained net on its hard bits: single weights that are flipped where the training data is better off.

Gradient descent ends near a good hard net, not at one. A sweep flips every weight bit in turn, in a random order, and
keeps the flip if more training examples come out right, or as many with one input less selected. What only ties hold
in place goes, so the net gets simpler too. A flip costs one pass over the training data: this is for small nets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from dbhw.data.dataset import Data
from dbhw.model.model import Model
from dbhw.nn import margins
from dbhw.nn.net import Net
from dbhw.train.loss import loss_and_accuracy, merged_votes, stacked


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


def _polished(net: Net, sweeps: int, bits: Any, x: Any, votes: Any, seed: Any) -> Any:
    flat, unravel = ravel_pytree(bits)
    selects = np.concatenate(
        [np.full(b.size, layer.selects) for layer, b in zip(net.layers, bits, strict=True) if b is not None]
    )

    def right(flat: Any) -> Any:
        weights = jax.tree.map(margins.from_bits, unravel(flat))
        return jnp.round(loss_and_accuracy(net, weights, x, votes, 1.0)[1] * votes.sum())

    def attempt(carried: Any, place: Any) -> Any:
        flat, most = carried
        candidate = flat.at[place].set(~flat[place])
        found = right(candidate)
        better = (found > most) | ((found == most) & jnp.asarray(selects)[place] & flat[place])
        return (jnp.where(better, candidate, flat), jnp.where(better, found, most)), None

    def sweep(number: Any, carried: Any) -> Any:
        order = jax.random.permutation(jax.random.fold_in(jax.random.key(seed), number), flat.size)
        return jax.lax.scan(attempt, carried, order)[0]

    return unravel(jax.lax.fori_loop(0, sweeps, sweep, (flat, right(flat)))[0])


def _each(trees: Any, many: int) -> list[Any]:
    return [jax.tree.map(lambda leaf, i=i: np.asarray(leaf[i]), trees) for i in range(many)]


def _moved(soft: Sequence[np.ndarray | None], bits: Sequence[np.ndarray | None]) -> tuple[np.ndarray | None, ...]:
    """The soft weights, on the other side of the threshold where the bit is another."""
    return tuple(
        None
        if w is None or b is None
        else np.where(b, np.float32(1), np.float32(-1)) * np.maximum(np.abs(w), np.float32(margins.TINY))
        for w, b in zip(soft, bits, strict=True)
    )
