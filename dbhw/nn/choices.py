"""Operators that choose, on margins: learned wires, look-up tables and decision lists, and their gradients.

Forward they gather, by hardened bits; backward they scatter, and the wires' gradient is one product of matrices.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from dbhw.nn.bits import TINY, harden
from dbhw.nn.margins import canonical, from_bits, pack


@jax.custom_jvp
def _with_slope_of(value: Array, _soft: Array) -> Array:
    """The value, with the gradient of the other."""
    return value


@_with_slope_of.defjvp
def _with_slope_of_jvp(primals, tangents):
    return primals[0], tangents[1]


@jax.custom_vjp
def connect(w: Array, x: Array) -> Array:
    """For each row of weights (width, n) the input (n, examples) whose weight is the highest, the first on ties.

    Where there are `groups` times as many inputs as weights in a row, rows and inputs are cut into as many runs, and a
    row chooses from its own run.

    >>> connect(jnp.array([[-0.25, -0.5], [0.0, 0.25]]), jnp.array([[0.5], [-0.5]])).tolist()
    [[0.5], [-0.5]]
    >>> connect(jnp.array([[0.0], [0.0]]), jnp.array([[0.5], [-0.5]])).tolist()
    [[0.5], [-0.5]]
    """
    return canonical(x)[chosen(w, len(x) // w.shape[1])]


def chosen(w: Array, groups: int) -> Array:
    """The place of the input of each row: in a row of weights that of the highest, counted from the row's own run.

    >>> chosen(jnp.array([[0.1, 0.2], [0.2, 0.1]]), groups=2).tolist()
    [1, 2]
    """
    rows, n = w.shape
    return highest(w) + jnp.arange(rows) // (rows // groups) * n


def highest(w: Array) -> Array:
    """The place of the highest of each row, the first on ties.

    XLA vectorises a maximum, but not the search for its place. So only the part of a row that holds the maximum is
    searched.

    >>> highest(jnp.array([[0.1, 0.3, 0.2, 0.3]])).tolist()
    [1]
    """
    rows, n = w.shape
    size = next(s for s in range(math.isqrt(n), n + 1) if n % s == 0)
    parts = w.reshape(rows, n // size, size)
    part = _normal(parts.max(-1)).argmax(-1)
    return part * size + _normal(parts[jnp.arange(rows), part]).argmax(-1)


def _normal(w: Array) -> Array:
    # Denormals, which XLA may flush to zero and NumPy keeps, count as zero everywhere.
    return jnp.where(jnp.abs(w) >= TINY, w, 0)


def _connect_forward(w: Array, x: Array) -> tuple[Array, tuple[Array, Array]]:
    return connect(w, x), (w, x)


def _connect_backward(kept: tuple[Array, Array], cotangent: Array) -> tuple[Array, Array]:
    """A weight's gradient is that of a wire to its input: the input as ±1 times the cotangent of the output."""
    w, x = kept
    groups = len(x) // w.shape[1]
    by_x = jnp.zeros_like(x).at[chosen(w, groups)].add(cotangent)
    runs = [part.reshape(groups, -1, part.shape[1]) for part in (cotangent, 2 * from_bits(harden(x)))]
    return jnp.einsum("grb,gnb->grn", *runs).reshape(w.shape), by_x


connect.defvjp(_connect_forward, _connect_backward)


@jax.custom_vjp
def look_up(w: Array, x: Array) -> Array:
    """∂LUT: the entries of tables (tables, 2^n) that inputs (tables, n, examples) address, the first input lowest.

    >>> look_up(jnp.array([[0.5, 0.25, -0.5, -0.25]]), jnp.array([[[0.1], [-0.1]]])).tolist()
    [[0.25]]
    """
    return canonical(w).ravel()[_address(x)]


def _address(x: Array) -> Array:
    """The places of the addressed entries among those of all tables."""
    tables, n, _ = x.shape
    index = (harden(x) << jnp.arange(n)[:, None]).sum(1)
    return index + (jnp.arange(tables) << n)[:, None]


def _look_up_forward(w: Array, x: Array) -> tuple[Array, tuple[Array, Array]]:
    return look_up(w, x), (w, x)


def _look_up_backward(kept: tuple[Array, Array], cotangent: Array) -> tuple[Array, Array]:
    """The addressed entry gets the cotangent; an input gets it times the difference that its bit makes."""
    w, x = kept
    entries, place = canonical(w), _address(x)
    by_w = jnp.zeros(w.size, w.dtype).at[place.ravel()].add(cotangent.ravel()).reshape(w.shape)
    steps = [_difference(entries, j).ravel()[place] for j in range(x.shape[1])]
    return by_w, cotangent[:, None] * jnp.stack(steps, 1)


def _difference(entries: Array, bit: int) -> Array:
    """For each entry of tables (tables, 2^n) what a bit of its index makes: the entry with it less that without."""
    pairs = entries.reshape(-1, 2, 1 << bit)
    return jnp.broadcast_to(pairs[:, 1:] - pairs[:, :1], pairs.shape).reshape(entries.shape)


look_up.defvjp(_look_up_forward, _look_up_backward)


def look_up_from_all(w: Array, x: Array) -> Array:
    """∂LUT whose gradient reaches all entries: that of their mean, each by how likely a soft address is its own.

    An input is taken for high with the probability 3/4 where it is high, and 1/4 where it is low. So an entry counts
    3^-d times the addressed one, if its address differs in d bits.

    >>> look_up_from_all(jnp.array([[0.5, 0.25, -0.5, -0.25]]), jnp.array([[[0.1], [-0.1]]])).tolist()
    [[0.25]]
    """
    return _with_slope_of(look_up(w, x), look_up(w @ _nearness(x.shape[1]), x))


def _nearness(n: int) -> Array:
    """What each entry counts (2^n, 2^n) for each address: 3/4 for every equal bit times 1/4 for every other."""
    found = np.ones((1, 1), np.float32)
    for _ in range(n):
        found = np.kron(found, np.array([[0.75, 0.25], [0.25, 0.75]], np.float32))
    return jnp.asarray(found)


def look_up_packed(w: Array, x: Array) -> Array:
    """∂LUT as an augmented bit: the margin of the addressed entry, packed with the mean of all entries.

    An entry counts as in `look_up_from_all`, but with the inputs as soft as they are, so margins of inputs matter too.

    >>> look_up_packed(jnp.array([[0.5, 0.25, -0.5, -0.25]]), jnp.array([[[0.5], [-0.5]]])).tolist()
    [[0.1640625]]
    """
    x = canonical(x)
    mean = jnp.broadcast_to(canonical(w)[..., None], (*w.shape, x.shape[-1]))
    for j in reversed(range(x.shape[1])):
        low, high = jnp.split(mean, 2, axis=1)
        mean = low + (high - low) * (0.5 + x[:, j, None] / 2)
    return pack(look_up(w, jax.lax.stop_gradient(x)), mean[:, 0], w.shape[1])


def first_answer(w: Array, x: Array) -> Array:
    """∂list: of answers (lists, n + 1) that of the first high one of n inputs (n, examples), or the last answer.

    The gradient is that of the mean answer, where each input is high with the probability that its soft-bit is.

    >>> first_answer(jnp.array([[0.5, -0.25, 0.125]]), jnp.array([[-0.5, -0.5], [0.5, -0.5]])).tolist()
    [[-0.25, 0.125]]
    """
    w = canonical(w)
    sure = jnp.ones_like(x[:1])
    high = jnp.concatenate([jnp.clip(x + 0.5, 0, 1), sure])
    none_before = jnp.concatenate([sure, jnp.cumprod(1 - high[:-1], 0)])
    place = jnp.concatenate([harden(x), sure > 0]).argmax(0)
    return _with_slope_of(w[:, place], w @ (high * none_before))
