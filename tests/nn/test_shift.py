"""Pictures that are moved while training: whole pixels move, and nothing moves once training is over."""

import jax
import numpy as np
import pytest

from dbhw.nn.layers.shift import Shift


def moved(picture, down, right):
    """A picture (rows, columns, depth) moved, low where nothing moves in."""
    rows, columns, _ = picture.shape
    out = np.full_like(picture, -0.5)
    for row in range(rows):
        for column in range(columns):
            if 0 <= row - down < rows and 0 <= column - right < columns:
                out[row, column] = picture[row - down, column - right]
    return out


@pytest.mark.parametrize("depth", [1, 3])
def test_whole_pixels_move(depth):
    layer = Shift(rows=4, columns=5, by=1, depth=depth)
    x = np.random.default_rng(0).uniform(-0.5, 0.5, (60, 4 * 5 * depth)).astype(np.float32)
    seen = set()
    for one, got in zip(x, np.asarray(layer.soft(None, x, jax.random.key(1))), strict=True):
        ways = [(d, r) for d in (-1, 0, 1) for r in (-1, 0, 1)]
        here = [way for way in ways if np.array_equal(moved(one.reshape(4, 5, depth), *way).ravel(), got)]
        assert len(here) == 1
        seen.update(here)
    assert len(seen) == 9
    assert layer.soft(None, x) is x
