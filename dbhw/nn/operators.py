"""The paper's operators on margins, and the gradients of those that JAX would derive at a higher cost."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import Array

from dbhw.nn import rank
from dbhw.nn.bits import TINY, harden
from dbhw.nn.margins import batch_first, batch_last, canonical, from_bits, keep, pack, pack_slopes, packed_fraction


def negate(w: Array, x: Array) -> Array:
    """∂¬: the margin of ¬(w ⊕ x), which is 1 - w + x(2w - 1) on soft-bits.

    >>> negate(jnp.float32(-0.5), jnp.float32(0.25)).item()
    -0.25
    """
    w, x = canonical(w), canonical(x)
    return keep(2 * w * x, harden(w) == harden(x))


def and_pair(x: Array, y: Array) -> Array:
    """∂∧ of two margins, elementwise.

    >>> and_pair(jnp.float32(0.5), jnp.float32(-0.25)).item()
    -0.09375
    """
    x, y = canonical(x), canonical(y)
    return pack(jnp.minimum(x, y), (x + y) / 2, 2)


def or_pair(x: Array, y: Array) -> Array:
    """∂∨ of two margins, elementwise.

    >>> or_pair(jnp.float32(0.5), jnp.float32(-0.25)).item()
    0.3125
    """
    x, y = canonical(x), canonical(y)
    return pack(jnp.maximum(x, y), (x + y) / 2, 2)


def implies(w: Array, x: Array) -> Array:
    """∂⇒: x where w is high, true where w is low (the paper's mask to true).

    >>> implies(jnp.float32(-0.5), jnp.float32(-0.5)).item()
    0.25
    """
    return or_pair(x, -canonical(w))


def and_all(x: Array) -> Array:
    """∂∧ over the last axis.

    >>> round(and_all(jnp.array([0.5, 0.25, 0.25])).item(), 4)
    0.2083
    """
    x = canonical(x)
    return pack(x.min(-1), x.mean(-1), x.shape[-1])


def xor_all(x: Array, axis: int = -1) -> Array:
    """∂⊕ over an axis: the parity of the bits, with the least magnitude among them, packed with their mean magnitude.

    >>> xor_all(jnp.array([0.5, -0.25])).item()
    0.21875
    """
    x = canonical(x)
    magnitudes = jnp.abs(x)
    odd = (harden(x).sum(axis) % 2) == 1
    magnitude = pack(magnitudes.min(axis), magnitudes.mean(axis), x.shape[axis])
    return jnp.where(odd, magnitude, -magnitude)


def majority(x: Array) -> Array:
    """∂Maj over the last axis: the ⌈n/2⌉-th smallest margin, packed.

    >>> round(majority(jnp.array([-0.1, 0.4, -0.3])).item(), 6)
    -0.05
    """
    return _uncolumns(_majority_of_columns(_columns(x)), x)


@jax.custom_vjp
def _majority_of_columns(x: Array) -> Array:
    return majority_and_median(x)[0]


def majority_and_median(x: Array) -> tuple[Array, Array]:
    """∂Maj over the last axis but one (the last is the batch), and the medians, which `majority_cotangent` needs.

    >>> [found.tolist() for found in majority_and_median(jnp.array([[-0.125], [0.5], [-0.375]]))]
    [[-0.0625], [-0.125]]
    """
    x, n = canonical(x), x.shape[-2]
    median = rank.kth_smallest(x, (n + 1) // 2)
    return pack(median, x.mean(-2), n), median


def majority_cotangent(x: Array, median: Array, cotangent: Array) -> Array:
    """The cotangent of x from that of ∂Maj over the last axis but one; equal medians get equal parts of it.

    >>> majority_cotangent(jnp.array([[-0.5], [0.5]]), jnp.array([-0.5]), jnp.ones(1)).tolist()
    [[0.75], [0.25]]
    """
    x, n = canonical(x), x.shape[-2]
    chosen = x == median[..., None, :]
    of_median, of_mean = pack_slopes(median, x.mean(-2), n)
    share = cotangent * of_median / chosen.sum(-2)
    return jnp.where(chosen, share[..., None, :], 0) + (cotangent * of_mean / n)[..., None, :]


def _majority_forward(x: Array) -> tuple[Array, tuple[Array, Array]]:
    value, median = majority_and_median(x)
    return value, (x, median)


def _majority_backward(kept: tuple[Array, Array], cotangent: Array) -> tuple[Array]:
    return (majority_cotangent(*kept, cotangent),)


_majority_of_columns.defvjp(_majority_forward, _majority_backward)


@jax.custom_jvp
def vote(x: Array) -> Array:
    """Whether more than half of the last axis but one are high, as hard bits; the last axis is the batch.

    The gradient is that of the sum of n margins over √n, clipped to [-1/2, 1/2], with the inputs hardened.

    >>> vote(jnp.array([[-0.125], [0.5], [0.25]])).tolist()
    [0.5]
    """
    return from_bits(2 * harden(x).sum(-2) > x.shape[-2])


@vote.defjvp
def _vote_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    lead = 2 * harden(x).sum(-2) - x.shape[-2]
    return vote(x), vote_slope(lead, x.shape[-2]) * t.sum(-2)


def vote_slope(lead: Array, n: int) -> Array:
    """The derivative of a vote by each of its n inputs; `lead` is how many more of them are high than low.

    >>> vote_slope(jnp.array([-4, 3]), 9).tolist() == [0, jnp.float32(1 / 3)]
    True
    """
    return jnp.where(jnp.abs(lead) <= n**0.5, jnp.float32(n**-0.5), 0)


@jax.custom_vjp
def any_selected(w: Array, x: Array) -> Array:
    """∂∨ neurons: for each row of weights (width, n) the greatest ∂∧ of a weight and its input, (n, examples).

    The gradient is that of the formula, but computed row by row in the cache: far cheaper than JAX's own.

    >>> any_selected(jnp.array([[0.5, -0.5]]), jnp.array([[0.25], [0.5]])).tolist()
    [[0.21875]]
    """
    return jax.lax.map(lambda row: and_pair(row[:, None], x).max(0), w)


def _any_selected_forward(w: Array, x: Array) -> tuple[Array, tuple[Array, Array]]:
    return any_selected(w, x), (w, x)


def _any_selected_backward(kept: tuple[Array, Array], cotangent: Array) -> tuple[Array, Array]:
    w, x = kept
    inputs, ones = canonical(x), jnp.ones(x.shape[1], x.dtype)

    def row(by_x: Array, each: tuple[Array, Array]) -> tuple[Array, Array]:
        weights, cotangent = each
        weights = canonical(weights)[:, None]
        lesser, mean = jnp.minimum(weights, inputs), (weights + inputs) / 2
        high = harden(lesser)
        fraction = packed_fraction(high, mean)
        packed = keep(lesser * fraction, high)
        # The greatest is taken again here: the forward pass is compiled apart and may round it otherwise.
        chosen = packed == packed.max(0)
        of_each = jnp.where(chosen, cotangent / chosen.sum(0), 0)
        # The lesser of the two gets the fraction, equal ones half of it each; both get half of the mean's derivative.
        of_lesser, of_mean = of_each * fraction, of_each * jnp.maximum(jnp.abs(lesser), 2 * TINY) / 2
        of_equal = jnp.where(inputs == weights, of_lesser / 2, 0)
        by_weights = of_mean + jnp.where(weights < inputs, of_lesser, of_equal)
        # XLA sums a long row element by element, but vectorises a product of matrices.
        return by_x + of_mean + jnp.where(inputs < weights, of_lesser, of_equal), by_weights @ ones

    by_x, by_w = jax.lax.scan(row, jnp.zeros_like(x), (w, cotangent))
    return by_w, by_x


any_selected.defvjp(_any_selected_forward, _any_selected_backward)


def all_selected(w: Array, x: Array) -> Array:
    """∂∧ neurons: for each row of weights (width, n) the least ∂⇒ of a weight and its input, (n, examples).

    >>> all_selected(jnp.array([[0.5, -0.5]]), jnp.array([[0.25], [-0.5]])).tolist()
    [[0.09375]]
    """
    return -any_selected(w, -canonical(x))


def count_hot(x: Array) -> Array:
    """∂count-hot over the last axis: n + 1 bits, high at the index that is the number of low bits.

    >>> harden(count_hot(jnp.array([-0.4, 0.4, -0.3]))).tolist()
    [False, False, True, False]
    """
    ascending = jnp.sort(canonical(x), axis=-1)
    edge = jnp.full_like(ascending[..., :1], 0.5)
    return and_pair(jnp.concatenate([edge, -ascending], -1), jnp.concatenate([ascending, edge], -1))


def count(x: Array, k: int) -> Array:
    """∂count over the last axis: exactly k bits are high, that is, the k largest are high and all others low.

    The paper packs one element of count-hot with the mean of x; the two gradients may cancel. ∂∧ over the k largest and
    the negated others has the same representative, and its gradient cannot vanish.

    >>> bool(harden(count(jnp.array([-0.4, 0.4, -0.3]), 1)))
    True
    """
    ascending = jnp.sort(canonical(x), axis=-1)
    lows = x.shape[-1] - k
    return and_all(jnp.concatenate([-ascending[..., :lows], ascending[..., lows:]], -1))


def _columns(x: Array) -> Array:
    return batch_last(jnp.atleast_2d(x))


def _uncolumns(reduced: Array, x: Array) -> Array:
    return batch_first(reduced).reshape(x.shape[:-1])
