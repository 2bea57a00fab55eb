"""Soft-bits as signed margins m = x - 1/2: hardening, packing, and the batch axis.

A margin of at least `TINY`, the smallest normal float32, is high; anything else is low: negative margins, zero, and
denormals, which XLA may flush to zero and NumPy keeps. Every operator decides its bit from the bits of its inputs and
never returns a magnitude below `TINY`, so a bit survives any number of layers with tiny margins. Where a value is
raised to that floor, the gradient is that of the value before.

Layers take the batch axis first, but operators work with it last: XLA then vectorises over the examples, and the
transposes between layers cancel out when it compiles the net.
"""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
from jax import Array

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
    """`m` with the sign that `high` gives it and a magnitude of at least `TINY`; its gradient is that of `m`.

    >>> keep(jnp.array([0.0, 0.0]), jnp.array([False, True])).tolist() == [-TINY, TINY]
    True
    """
    return jnp.where(high, jnp.maximum(m, TINY), jnp.minimum(m, -TINY))


@keep.defjvp
def _keep_jvp(primals, tangents):
    return keep(*primals), tangents[0]


def canonical(m: Array) -> Array:
    """The same bits, where zeros and denormals, which are low, become -`TINY`.

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

    `op` gets the row as (n, 1) and the inputs batch last, (n, examples). Rows are computed one by one, and again for
    the gradient, so intermediate values stay in the cache and no array of (examples, width, n) is ever stored.

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
    return keep(representative * packed_fraction(high, mean), high)


def packed_fraction(high: Array, mean: Array) -> Array:
    """The fraction of a representative's margin that is packed, by its bit and the mean margin of the inputs.

    >>> packed_fraction(jnp.array([True, False]), jnp.array([0.25, 0.25])).tolist()
    [0.75, 0.25]
    """
    # A mean may round to just past +-1/2; the fraction must stay positive.
    return jnp.maximum(0.5 + jnp.where(high, mean, -mean), _SMALLEST_FRACTION)


@pack.defjvp
def _pack_jvp(n, primals, tangents):
    representative, mean = primals
    of_representative, of_mean = pack_slopes(representative, mean, n)
    return pack(representative, mean, n), of_representative * tangents[0] + of_mean * tangents[1]


def pack_slopes(representative: Array, mean: Array, n: int) -> tuple[Array, Array]:
    """The derivatives of `pack` by the representative and by the mean.

    >>> [slope.item() for slope in pack_slopes(jnp.float32(0.125), jnp.float32(0.25), 2)]
    [0.75, 0.125]
    """
    # The mean's own gradient divides by n: the floor keeps each input's part of it above zero for tiny margins.
    return packed_fraction(harden(representative), mean), jnp.maximum(jnp.abs(representative), n * TINY)
