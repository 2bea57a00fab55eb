"""Neighbouring layers computed together: the same values and gradients, for less time and memory.

| layers | computed as |
|---|---|
| ∂¬, any ∂harden, bucket Σ | a product of two matrices of ±1; its gradients are products of matrices too |
| a mask, reshape, ∂Maj | one row of masks after the other; the gradient masks again but keeps the medians |
| ∂¬, reshape, vote | a product of two matrices of ±1 for each group of inputs; so are its gradients |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import jax
import jax.numpy as jnp
from jax import Array

from dbhw.nn import margins, operators
from dbhw.nn.layer import Layer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.mask_false import MaskFalse
from dbhw.nn.layers.mask_true import MaskTrue
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.layers.vote import Vote

_MASKS: dict[type[Layer], Callable[[Array, Array], Array]] = {
    MaskTrue: operators.implies,
    MaskFalse: operators.and_pair,
}


def soft(
    layers: Sequence[Layer], weights: Sequence[Array | None], x: Array, keys: Sequence[Array | None] | Array
) -> Array:
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
            majorities = _masks_then_majority(_MASKS[type(rest[0])], w, margins.batch_last(x), group)
            taken, x = 3, margins.batch_first(majorities)
        elif group := _grouped(rest, (Negation,), Vote, x.shape[-1]):
            taken, x = 3, _negated_votes(w, x, group)
        else:
            taken, x = 1, rest[0].soft(w, x, keys[at])
        at += taken
    return x


def _counted_negations(layers: Sequence[Layer]) -> tuple[int, int] | None:
    """How many layers to fuse (∂¬, any ∂harden, a bucket sum over whole rows), and into how many buckets; or None."""
    if not isinstance(layers[0], Negation):
        return None
    last = next((i for i, layer in enumerate(layers) if i and not isinstance(layer, Harden)), 0)
    found = layers[last]
    if not isinstance(found, BucketSum) or layers[0].width % found.buckets:
        return None
    return last + 1, found.buckets


@partial(jax.custom_jvp, nondiff_argnums=(2,))
def _negated_counts(w: Array, x: Array, buckets: int) -> Array:
    # The product of two bits written as ±1 is 1 where they agree; integers up to 2^24 are exact in float32.
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
    """The group size if the layers start with one of `first`, a reshape into whole groups and `last`; else 0."""
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


def _votes_backward(group: int, kept: tuple[Array, Array, Array], cotangent: Array) -> tuple[Array, Array]:
    w, x, lead = kept
    slope = 2 * operators.vote_slope(lead, group) * cotangent.reshape(lead.shape)
    of_w, of_x = (margins.canonical(value).reshape(len(value), -1, group) for value in (x, w))
    exact = jax.lax.Precision.HIGHEST
    by_w = jnp.einsum("ewg,egi->wgi", slope, of_w, precision=exact)
    by_x = jnp.einsum("ewg,wgi->egi", slope, of_x, precision=exact)
    return by_w.reshape(w.shape), by_x.reshape(x.shape)


_negated_votes.defvjp(_votes_forward, _votes_backward)


@partial(jax.custom_vjp, nondiff_argnums=(0, 3))
def _masks_then_majority(mask: Callable[[Array, Array], Array], w: Array, x: Array, group: int) -> Array:
    """∂Maj over groups of inputs (n, examples) masked by each row of weights (width, n): (groups, examples)."""
    return _masks_forward(mask, w, x, group)[0]


def _masks_forward(
    mask: Callable[[Array, Array], Array], w: Array, x: Array, group: int
) -> tuple[Array, tuple[Array, Array, Array]]:
    def row(weights: Array) -> tuple[Array, Array]:
        return operators.majority_and_median(mask(weights[:, None], x).reshape(-1, group, x.shape[1]))

    majorities, medians = jax.lax.map(row, w)
    return majorities.reshape(-1, x.shape[1]), (w, x, medians)


def _masks_backward(
    mask: Callable[[Array, Array], Array], group: int, kept: tuple[Array, Array, Array], cotangent: Array
) -> tuple[Array, Array]:
    w, x, medians = kept

    def row(by_x: Array, each: tuple[Array, Array, Array]) -> tuple[Array, Array]:
        weights, median, cotangent = each
        # Masking rounds the same way each time, so the stored medians are among the values masked again.
        masked, back = jax.vjp(mask, jnp.broadcast_to(weights[:, None], x.shape), x)
        by_masked = operators.majority_cotangent(masked.reshape(-1, group, x.shape[1]), median, cotangent)
        by_weights, by_inputs = back(by_masked.reshape(x.shape))
        # XLA sums a long row element by element, but vectorises a product of matrices.
        return by_x + by_inputs, by_weights @ jnp.ones(x.shape[1], x.dtype)

    by_x, by_w = jax.lax.scan(row, jnp.zeros_like(x), (w, medians, cotangent.reshape(medians.shape)))
    return by_w, by_x


_masks_then_majority.defvjp(_masks_forward, _masks_backward)
