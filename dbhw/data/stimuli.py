"""The inputs of a simulation: all there are, a user's data, or corner cases and random ones."""

from __future__ import annotations

import numpy as np

from dbhw.base.errors import DbhwError

_MOST_VECTORS = 1 << 24
_MOST_INPUTS_FOR_ALL = 20


def choose(inputs: int, vectors: str, data: np.ndarray | None = None) -> np.ndarray:
    """As many inputs as the option asks for, as booleans (vectors, inputs); of the user's data if there are any.

    >>> choose(2, "all").astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    number = _number(vectors)
    if data is not None:
        return data if number is None else data[:number]
    if number is None and inputs > _MOST_INPUTS_FOR_ALL:
        raise DbhwError(
            f"vectors must be a number for more than {_MOST_INPUTS_FOR_ALL} inputs, not all: there are {inputs} inputs"
        )
    if inputs <= _MOST_INPUTS_FOR_ALL and (number is None or number >= 1 << inputs):
        return (np.arange(1 << inputs)[:, None] >> np.arange(inputs) & 1).astype(bool)
    assert number is not None
    return _corners_and_random(inputs, number)


def _corners_and_random(inputs: int, number: int) -> np.ndarray:
    """All low, all high, some with one high or one low; then, at least half, random vectors of random densities."""
    random = np.random.default_rng(0)
    vectors = random.random((number, inputs), np.float32) < random.random((number, 1), np.float32)
    flips = min(2 * inputs, max(number // 2 - 2, 0))
    odd = np.sort(random.permutation(2 * inputs)[:flips])  # of all that have one high and, after them, one low
    corners = np.concatenate([[False, True], odd >= inputs])[:number]
    vectors[: len(corners)] = corners[:, None]
    vectors[np.arange(2, 2 + flips), odd % inputs] ^= True
    return vectors


def _number(vectors: str) -> int | None:
    if vectors == "all":
        return None
    if not vectors.isdecimal() or not 1 <= int(vectors) <= _MOST_VECTORS:
        raise DbhwError(f"vectors must be a number from 1 to {_MOST_VECTORS}, or all, not {vectors!r}")
    return int(vectors)
