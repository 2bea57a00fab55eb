"""Neighbouring layers whose soft meaning is cheaper together: the same values and gradients, for less time and memory.

| layers | together |
|---|---|
| ∂¬, any ∂harden, bucket Σ | a product of two matrices of ±1, whose gradients are products of matrices |
| a mask, reshape, ∂Maj | mask row by mask row; for the gradient the masks are made again and the medians are not |
| ∂¬, reshape, vote | for each group of inputs a product of two matrices of ±1, and so are its gradients |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from dbhw import margins
from dbhw.layer import Layer
from dbhw.layers.bucket_sum import BucketSum
from dbhw.layers.harden import Harden
from dbhw.layers.majority import Majority
from dbhw.layers.mask_false import MaskFalse
from dbhw.layers.mask_true import MaskTrue
from dbhw.layers.negation import Negation
from dbhw.layers.reshape import Reshape
from dbhw.layers.vote import Vote

_MASKS: dict[type[Layer], Callable[[Array, Array], Array]] = {MaskTrue: margins.implies, MaskFalse: margins.and_pair}


def soft(layers: Sequence[Layer], weights: Sequence[Any], x: Array, keys: Sequence[Any]) -> Array:
    """The soft meaning of layers one after the other.

    >>> layers = [Negation(width=2), BucketSum(buckets=2)]
    >>> soft(layers, [jnp.array([[-0.4], [0.3]]), None], jnp.array([[0.5]]), [None, None]).tolist()
    [[0.0, 1.0]]
    """
    at = 0
    while at < len(layers):
        rest, w = layers[at:], weights[at]
        if counted := _counted_negations(rest):
            taken, buckets = counted
            x = _negated_counts(w, x, buckets)
        elif group := _grouped(rest, tuple(_MASKS), Majority, x.shape[-1]):
            taken, x = 3, _masks_then_majority(rest[0], w, x, group)
        elif group := _grouped(rest, (Negation,), Vote, x.shape[-1]):
            taken, x = 3, _negated_votes(w, x, group)
        else:
            taken, x = 1, rest[0].soft(w, x, keys[at])
        at += taken
    return x


def _counted_negations(layers: Sequence[Layer]) -> tuple[int, int] | None:
    """How many of the first layers are ∂¬, any ∂harden, and a sum whose buckets hold whole rows; and the buckets."""
    if not isinstance(layers[0], Negation):
        return None
    last = next((i for i, layer in enumerate(layers) if i and not isinstance(layer, Harden)), 0)
    found = layers[last]
    if not isinstance(found, BucketSum) or layers[0].width % found.buckets:
        return None
    return last + 1, found.buckets


@partial(jax.custom_jvp, nondiff_argnums=(2,))
def _negated_counts(w: Array, x: Array, buckets: int) -> Array:
    # The product of two bits of ±1 is 1 where they agree; whole numbers up to 2^24 are exact in float32.
    agreeing = _product(
        2 * margins.from_bits(margins.harden(x)), _by_bucket(2 * margins.from_bits(margins.harden(w)), buckets)
    )
    return (agreeing + w.size // buckets) / 2


@_negated_counts.defjvp
def _negated_counts_jvp(buckets, primals, tangents):
    w, x = (margins.canonical(value) for value in primals)
    t_w, t_x = tangents
    slope = _product(x, _by_bucket(t_w, buckets)) + _product(t_x, _by_bucket(w, buckets))
    return _negated_counts(*primals, buckets), 2 * slope


def _by_bucket(rows: Array, buckets: int) -> Array:
    return rows.reshape(buckets, -1, rows.shape[1]).sum(1)


def _product(x: Array, w: Array) -> Array:
    return jnp.matmul(x, w.T, precision=jax.lax.Precision.HIGHEST)


def _grouped(layers: Sequence[Layer], first: tuple[type[Layer], ...], last: type[Layer], inputs: int) -> int:
    """The size of the groups where one of `first`, a reshape into whole groups and `last` come first; else 0."""
    if len(layers) < 3 or type(layers[0]) not in first or not isinstance(layers[2], last):
        return 0
    cut = layers[1]
    return cut.shape[1] if isinstance(cut, Reshape) and len(cut.shape) == 2 and inputs % cut.shape[1] == 0 else 0


@partial(jax.custom_vjp, nondiff_argnums=(2,))
def _negated_votes(w: Array, x: Array, group: int) -> Array:
    return _votes_forward(w, x, group)[0]


def _votes_forward(w: Array, x: Array, group: int) -> tuple[Array, tuple[Array, Array, Array]]:
    signs = [2 * margins.from_bits(margins.harden(value)).reshape(len(value), -1, group) for value in (x, w)]
    lead = jnp.einsum("egi,wgi->ewg", *signs, precision=jax.lax.Precision.HIGHEST)
    return margins.from_bits(lead > 0).reshape(len(x), -1), (w, x, lead)


def _votes_backward(group: int, kept: tuple[Array, Array, Array], pull: Array) -> tuple[Array, Array]:
    w, x, lead = kept
    slope = 2 * margins.vote_slope(lead, group) * pull.reshape(lead.shape)
    of_w, of_x = (margins.canonical(value).reshape(len(value), -1, group) for value in (x, w))
    exact = jax.lax.Precision.HIGHEST
    by_w = jnp.einsum("ewg,egi->wgi", slope, of_w, precision=exact)
    by_x = jnp.einsum("ewg,wgi->egi", slope, of_x, precision=exact)
    return by_w.reshape(w.shape), by_x.reshape(x.shape)


_negated_votes.defvjp(_votes_forward, _votes_backward)


def _masks_then_majority(mask: Layer, w: Array, x: Array, group: int) -> Array:
    columns = margins.batch_last(x)

    def row(weights: Array) -> Array:
        masked = _MASKS[type(mask)](weights[:, None], columns)
        return margins.majority_of_columns(masked.reshape(-1, group, columns.shape[-1]))

    kept = jax.checkpoint_policies.save_only_these_names(margins.MEDIAN)
    rows = jax.lax.map(jax.checkpoint(row, policy=kept, prevent_cse=False), w)
    return margins.batch_first(rows.reshape(-1, columns.shape[-1]))
