"""Soft-bits as signed margins m = x - 1/2, and the paper's operators on them.

A margin of at least `TINY`, the smallest normal float32, is high; anything else is low: negative margins, zero, and
denormals, which XLA may flush to zero and NumPy keeps. Every operator decides its bit from the bits of its inputs and
never returns a magnitude below `TINY`, so a bit survives any depth of tiny margins. Where a value is lifted to that
floor the gradient passes through as if it had not been.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

TINY = float(np.finfo(np.float32).tiny)
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


def harden(m: Array) -> Array:
    """The hard bits of margins.

    >>> harden(jnp.array([-0.5, 0.0, 1e-42, 1e-37])).tolist()
    [False, False, False, True]
    """
    return m >= TINY


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
    """The same bits, with zeros and denormals written as the low bits they are."""
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


@partial(jax.custom_jvp, nondiff_argnums=(2,))
def pack(representative: Array, mean: Array, n: int) -> Array:
    """The paper's augmented bit: the representative's margin, packed with the mean margin of its `n` inputs.

    >>> pack(jnp.array([0.25, -0.25]), jnp.array([0.1, 0.1]), 2).round(3).tolist()
    [0.15000000596046448, -0.10000000149011612]
    """
    high = harden(representative)
    return keep(representative * _fraction(high, mean), high)


def _fraction(high: Array, mean: Array) -> Array:
    # A mean may round to just past +-1/2; the fraction of the margin that is packed stays positive all the same.
    return jnp.maximum(0.5 + jnp.where(high, mean, -mean), _SMALLEST_FRACTION)


@pack.defjvp
def _pack_jvp(n, primals, tangents):
    representative, mean = primals
    t_representative, t_mean = tangents
    # The mean's own gradient divides by n: the floor keeps every input's share of a tiny margin above zero.
    slope = jnp.maximum(jnp.abs(representative), n * TINY)
    fraction = _fraction(harden(representative), mean)
    return pack(representative, mean, n), fraction * t_representative + slope * t_mean


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

    >>> and_all(jnp.array([0.5, 0.25, 0.25])).round(4).item()
    0.20829999446868896
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


def xor_all(x: Array) -> Array:
    """∂⊕ over the last axis: the parity of the bits, as sure as the least sure of them, packed with their mean sureness.

    >>> xor_all(jnp.array([0.5, -0.25])).item()
    0.21875
    """
    x = canonical(x)
    sureness = jnp.abs(x)
    odd = (harden(x).sum(-1) % 2) == 1
    sure = pack(sureness.min(-1), sureness.mean(-1), x.shape[-1])
    return jnp.where(odd, sure, -sure)


def majority(x: Array) -> Array:
    """∂Maj over the last axis: the ⌈n/2⌉-th ascending margin, packed.

    >>> majority(jnp.array([-0.1, 0.4, -0.3])).round(4).item()
    -0.05000000074505806
    """
    x = canonical(x)
    n = x.shape[-1]
    return pack(kth_smallest(x, (n + 1) // 2), x.mean(-1), n)


def count_hot(x: Array) -> Array:
    """∂count-hot over the last axis: n + 1 bits, high at the index that is the number of low bits.

    >>> to_soft_bits(count_hot(from_soft_bits(jnp.array([0.1, 0.9, 0.2])))).round(3).tolist()
    [0.3199999928474426, 0.36500000953674316, 0.7549999952316284, 0.3199999928474426]
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


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def kth_smallest(x: Array, k: int) -> Array:
    """The k-th smallest (1 is the smallest) over the last axis.

    It bisects on the floats' bit patterns, which order as integers: 32 counting sweeps cost far less than a sort of
    the hundreds of inputs that a majority may have. Equal elements share the gradient.

    >>> kth_smallest(jnp.array([0.3, -0.2, 0.1]), 2).item() == np.float32(0.1)
    True
    """
    if x.shape[-1] <= 32:
        return jnp.sort(x, axis=-1)[..., k - 1]
    keys = _ordered_keys(x)

    def narrow(bit, floor):
        # floor is the largest multiple of the bits settled so far with fewer than k keys below it.
        candidate = floor | (jnp.uint32(1) << (31 - jnp.uint32(bit)))
        below = (keys < candidate[..., None]).sum(-1)
        return jnp.where(below < k, candidate, floor)

    found = jax.lax.fori_loop(0, 32, narrow, jnp.zeros(x.shape[:-1], jnp.uint32))
    return _from_ordered_keys(found)


def _ordered_keys(x: Array) -> Array:
    raw = jax.lax.bitcast_convert_type(x, jnp.uint32)
    return jnp.where(raw >> 31 == 1, ~raw, raw | jnp.uint32(0x80000000))


def _from_ordered_keys(keys: Array) -> Array:
    raw = jnp.where(keys >> 31 == 1, keys & jnp.uint32(0x7FFFFFFF), ~keys)
    return jax.lax.bitcast_convert_type(raw, jnp.float32)


@kth_smallest.defjvp
def _kth_smallest_jvp(k, primals, tangents):
    (x,), (t,) = primals, tangents
    value = kth_smallest(x, k)
    chosen = x == value[..., None]
    return value, jnp.where(chosen, t, 0).sum(-1) / chosen.sum(-1)
