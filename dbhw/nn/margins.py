"""Soft-bits as signed margins m = x - 1/2, and the paper's operators on them.

A margin of at least `TINY`, the smallest normal float32, is high; anything else is low: negative margins, zero, and
denormals, which XLA may flush to zero and NumPy keeps. Every operator decides its bit from the bits of its inputs and
never returns a magnitude below `TINY`, so a bit survives any depth of tiny margins. Where a value is lifted to that
floor the gradient passes through as if it had not been.

Shapes are batch first, but the work is done batch last: loops over examples are then the vector loops, and the
transposes between layers cancel out when XLA compiles the net.
"""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
from jax import Array

from dbhw.nn import rank
from dbhw.nn.bits import TINY, harden

_SMALLEST_FRACTION = 2.0**-24


def from_soft_bits(x: Array) -> Array:
    """Margins of soft-bits in [0,1].

    >>> from_soft_bits(jnp.array([0.0, 0.75])).tolist()
    [-0.5, 0.25]
    """
    return jnp.asarray(x, jnp.float32) - 0.5


def to_soft_bits(m: Array) -> Array:
    """Soft-bits in [0,1] of margins.

    >>> to_soft_bits(jnp.array([-0.5, 0.25])).tolist()
    [0.0, 0.75]
    """
    return m + 0.5


def from_bits(bits: Array) -> Array:
    """The margins -1/2 and +1/2 of hard bits.

    >>> from_bits(jnp.array([False, True])).tolist()
    [-0.5, 0.5]
    """
    return jnp.where(bits, jnp.float32(0.5), jnp.float32(-0.5))


@jax.custom_jvp
def keep(m: Array, high: Array) -> Array:
    """`m` with the sign that `high` says and a magnitude of at least `TINY`; its gradient is that of `m`.

    >>> keep(jnp.array([0.0, 0.0]), jnp.array([False, True])).tolist() == [-TINY, TINY]
    True
    """
    return jnp.where(high, jnp.maximum(m, TINY), jnp.minimum(m, -TINY))


@keep.defjvp
def _keep_jvp(primals, tangents):
    return keep(*primals), tangents[0]


def canonical(m: Array) -> Array:
    """The same bits, with zeros and denormals written as the low bits they are.

    >>> canonical(jnp.array([0.25, 0.0, -0.25])).tolist() == [0.25, -TINY, -0.25]
    True
    """
    return keep(m, harden(m))


@jax.custom_jvp
def harden_straight_through(m: Array) -> Array:
    """Margins of the hardened bits, with the gradient of the identity.

    >>> harden_straight_through(jnp.array([-0.1, 0.2])).tolist()
    [-0.5, 0.5]
    """
    return from_bits(harden(m))


@harden_straight_through.defjvp
def _harden_jvp(primals, tangents):
    return harden_straight_through(*primals), tangents[0]


def batch_last(x: Array) -> Array:
    """The batch axis moved from first to last.

    >>> batch_last(jnp.zeros((5, 2, 3))).shape
    (2, 3, 5)
    """
    return jnp.moveaxis(x, 0, -1)


def batch_first(x: Array) -> Array:
    """The batch axis moved back from last to first.

    >>> batch_first(jnp.zeros((2, 3, 5))).shape
    (5, 2, 3)
    """
    return jnp.moveaxis(x, -1, 0)


def each_row(op: Callable[[Array, Array], Array], w: Array, x: Array) -> Array:
    """`op` on every row of weights (width, n) with the inputs (examples, n): (examples, width, ...).

    `op` gets the row as (n, 1) and the inputs batch last, (n, examples). Row by row, and computed again for the
    gradient, its intermediate values stay in the cache and never take the memory of a whole (examples, width, n).

    >>> each_row(lambda w, x: (w * x).sum(0), jnp.ones((3, 2)), jnp.ones((5, 2))).shape
    (5, 3)
    """
    columns = batch_last(x)
    row = jax.checkpoint(lambda weights: op(weights[:, None], columns), prevent_cse=False)
    return batch_first(jax.lax.map(row, w))


@partial(jax.custom_jvp, nondiff_argnums=(2,))
def pack(representative: Array, mean: Array, n: int) -> Array:
    """The paper's augmented bit: the representative's margin, packed with the mean margin of its `n` inputs.

    >>> [round(m, 3) for m in pack(jnp.array([0.25, -0.25]), jnp.array([0.1, 0.1]), 2).tolist()]
    [0.15, -0.1]
    """
    high = harden(representative)
    return keep(representative * _fraction(high, mean), high)


def _fraction(high: Array, mean: Array) -> Array:
    # A mean may round to just past +-1/2; the fraction of the margin that is packed stays positive all the same.
    return jnp.maximum(0.5 + jnp.where(high, mean, -mean), _SMALLEST_FRACTION)


@pack.defjvp
def _pack_jvp(n, primals, tangents):
    representative, mean = primals
    of_representative, of_mean = _pack_slopes(representative, mean, n)
    return pack(representative, mean, n), of_representative * tangents[0] + of_mean * tangents[1]


def _pack_slopes(representative: Array, mean: Array, n: int) -> tuple[Array, Array]:
    # The mean's own gradient divides by n: the floor keeps every input's share of a tiny margin above zero.
    return _fraction(harden(representative), mean), jnp.maximum(jnp.abs(representative), n * TINY)


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


def or_all(x: Array) -> Array:
    """∂∨ over the last axis.

    >>> or_all(jnp.array([-0.5, -0.25])).item()
    -0.21875
    """
    x = canonical(x)
    return pack(x.max(-1), x.mean(-1), x.shape[-1])


def xor_all(x: Array, axis: int = -1) -> Array:
    """∂⊕ over an axis: the parity of the bits, as sure as the least sure of them, packed with their mean sureness.

    >>> xor_all(jnp.array([0.5, -0.25])).item()
    0.21875
    """
    x = canonical(x)
    sureness = jnp.abs(x)
    odd = (harden(x).sum(axis) % 2) == 1
    sure = pack(sureness.min(axis), sureness.mean(axis), x.shape[axis])
    return jnp.where(odd, sure, -sure)


def majority(x: Array) -> Array:
    """∂Maj over the last axis: the ⌈n/2⌉-th ascending margin, packed.

    >>> round(majority(jnp.array([-0.1, 0.4, -0.3])).item(), 6)
    -0.05
    """
    return _uncolumns(majority_of_columns(_columns(x)), x)


@jax.custom_vjp
def majority_of_columns(x: Array) -> Array:
    """∂Maj over the last axis but one, the last being the examples.

    >>> majority_of_columns(jnp.array([[-0.125], [0.5], [-0.375]])).tolist()
    [-0.0625]
    """
    return majority_and_median(x)[0]


def majority_and_median(x: Array) -> tuple[Array, Array]:
    """∂Maj of columns, and the margins it chose, by which `majority_pull` knows them again.

    >>> [found.tolist() for found in majority_and_median(jnp.array([[-0.125], [0.5], [-0.375]]))]
    [[-0.0625], [-0.125]]
    """
    x, n = canonical(x), x.shape[-2]
    median = rank.kth_smallest(x, (n + 1) // 2)
    return pack(median, x.mean(-2), n), median


def majority_pull(x: Array, median: Array, pull: Array) -> Array:
    """The gradient by x where the gradient by ∂Maj of columns is `pull`; equal margins in the middle share theirs.

    >>> majority_pull(jnp.array([[-0.5], [0.5]]), jnp.array([-0.5]), jnp.ones(1)).tolist()
    [[0.75], [0.25]]
    """
    x, n = canonical(x), x.shape[-2]
    chosen = x == median[..., None, :]
    of_median, of_mean = _pack_slopes(median, x.mean(-2), n)
    share = pull * of_median / chosen.sum(-2)
    return jnp.where(chosen, share[..., None, :], 0) + (pull * of_mean / n)[..., None, :]


def _majority_forward(x: Array) -> tuple[Array, tuple[Array, Array]]:
    value, median = majority_and_median(x)
    return value, (x, median)


def _majority_backward(kept: tuple[Array, Array], pull: Array) -> tuple[Array]:
    return (majority_pull(*kept, pull),)


majority_of_columns.defvjp(_majority_forward, _majority_backward)


@jax.custom_jvp
def vote(x: Array) -> Array:
    """Whether more than half over the last axis but one are high, as hard bits, the last axis being the examples.

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
    """The slope of a vote by how many more of its n inputs are high than low.

    >>> vote_slope(jnp.array([-4, 3]), 9).tolist() == [0, jnp.float32(1 / 3)]
    True
    """
    return jnp.where(jnp.abs(lead) <= n**0.5, jnp.float32(n**-0.5), 0)


@jax.custom_vjp
def any_selected(w: Array, x: Array) -> Array:
    """∂∨ neurons: for each row of weights (width, n) the greatest ∂∧ of a weight and its input, (n, examples).

    The gradient is that of the formula, row by row in the cache, and far cheaper than what is derived from it.

    >>> any_selected(jnp.array([[0.5, -0.5]]), jnp.array([[0.25], [0.5]])).tolist()
    [[0.21875]]
    """
    return jax.lax.map(lambda row: and_pair(row[:, None], x).max(0), w)


def _any_selected_forward(w: Array, x: Array) -> tuple[Array, tuple[Array, Array]]:
    return any_selected(w, x), (w, x)


def _any_selected_backward(kept: tuple[Array, Array], pull: Array) -> tuple[Array, Array]:
    w, x = kept
    inputs, ones = canonical(x), jnp.ones(x.shape[1], x.dtype)

    def row(by_x: Array, each: tuple[Array, Array]) -> tuple[Array, Array]:
        weights, pull = each
        weights = canonical(weights)[:, None]
        lesser, mean = jnp.minimum(weights, inputs), (weights + inputs) / 2
        high = harden(lesser)
        fraction = _fraction(high, mean)
        packed = keep(lesser * fraction, high)
        # The greatest of these, not the forward one's: compiled apart, the two may be rounded otherwise.
        chosen = packed == packed.max(0)
        of_each = jnp.where(chosen, pull / chosen.sum(0), 0)
        # The lesser of the two gets the fraction, equal ones half of it each; both get half of the mean's slope.
        of_lesser, of_mean = of_each * fraction, of_each * jnp.maximum(jnp.abs(lesser), 2 * TINY) / 2
        of_equal = jnp.where(inputs == weights, of_lesser / 2, 0)
        by_weights = of_mean + jnp.where(weights < inputs, of_lesser, of_equal)
        # XLA adds up long rows one by one, but takes products of matrices many at a time.
        return by_x + of_mean + jnp.where(inputs < weights, of_lesser, of_equal), by_weights @ ones

    by_x, by_w = jax.lax.scan(row, jnp.zeros_like(x), (w, pull))
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

    >>> [round(x, 3) for x in to_soft_bits(count_hot(from_soft_bits(jnp.array([0.1, 0.9, 0.2])))).tolist()]
    [0.32, 0.365, 0.755, 0.32]
    """
    ascending = jnp.sort(canonical(x), axis=-1)
    edge = jnp.full_like(ascending[..., :1], 0.5)
    return and_pair(jnp.concatenate([edge, -ascending], -1), jnp.concatenate([ascending, edge], -1))


def count(x: Array, k: int) -> Array:
    """∂count over the last axis: exactly k bits are high, that is, the k largest are high and all others low.

    The paper packs one element of count-hot with the mean of x, whose gradient the element's own may cancel; ∂∧ over
    what each bit should be has the same representative, and no gradient that can vanish.

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
