"""Pictures that are distorted while training: whole pixels move, and nothing moves once training is over."""

import jax
import numpy as np
import pytest

from dbhw.base.errors import DbhwError
from dbhw.nn.layers.shift import Shift
from dbhw.nn.layers.warp import Warp

ROWS, COLUMNS = 4, 5
WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]


def pictures(depth, number=60):
    size = (number, ROWS * COLUMNS * depth)
    return np.random.default_rng(0).uniform(-0.5, 0.5, size).astype(np.float32)


def moved(picture, down, right):
    """A picture (rows, columns, depth) moved, low where nothing moves in."""
    rows, columns, _ = picture.shape
    out = np.full_like(picture, -0.5)
    for row in range(rows):
        for column in range(columns):
            if 0 <= row - down < rows and 0 <= column - right < columns:
                out[row, column] = picture[row - down, column - right]
    return out


def ways(layer, x, depth):
    """How each picture was moved, and whether it was mirrored too."""
    found = []
    for one, got in zip(x, np.asarray(jax.jit(layer.soft)(None, x, jax.random.key(1))), strict=True):
        one, got = (each.reshape(ROWS, COLUMNS, depth) for each in (one, got))
        shown = {(way, flip): moved(one[:, ::-1] if flip else one, *way) for way in WAYS for flip in (False, True)}
        found.append([way for way, made in shown.items() if np.array_equal(made, got)])
    return found


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("flip", [None, False, True])
def test_whole_pixels_move(depth, flip):
    if flip is None:
        layer = Shift(rows=ROWS, columns=COLUMNS, by=1, depth=depth)
    else:
        layer = Warp(ROWS, COLUMNS, depth, shift=1.0, stretch=0.0, bend=0.0, flip=flip)
    x = pictures(depth)
    found = ways(layer, x, depth)
    assert all(len(each) == 1 for each in found)
    assert len({way for ((way, _),) in found}) == 9
    assert {mirrored for ((_, mirrored),) in found} == ({False, True} if flip else {False})
    assert layer.soft(None, x) is x


def test_what_is_stretched_or_bent_keeps_its_pixels_near_and_its_middle_free():
    """Each pixel comes from one nearby or from outside; another picture is distorted in another way."""
    depth, far = 2, 3
    for stretch, bend in [(0.7, 0.0), (0.0, 0.7)]:
        layer = Warp(9, 9, depth, shift=0.0, stretch=stretch, bend=bend)
        x = np.random.default_rng(0).uniform(-0.4, 0.4, (1, 9 * 9 * depth)).astype(np.float32).repeat(40, axis=0)
        out = np.asarray(jax.jit(layer.soft)(None, x, jax.random.key(2))).reshape(40, 9, 9, depth)
        picture = np.pad(x[0].reshape(9, 9, depth), [(far, far), (far, far), (0, 0)], constant_values=-0.5)
        for row, column in np.ndindex(9, 9):
            near = picture[row : row + 2 * far + 1, column : column + 2 * far + 1].reshape(-1, depth)
            assert all((near == pixel).all(axis=1).any() for pixel in out[:, row, column])
        assert len({one.tobytes() for one in out}) > 20
        if not bend:
            np.testing.assert_array_equal(out[:, 4, 4], x[:, :].reshape(40, 9, 9, depth)[:, 4, 4])


def test_nothing_is_distorted_by_nothing():
    x = pictures(depth=1)
    layer = Warp(ROWS, COLUMNS, 1, shift=0.0, stretch=0.0, bend=0.0)
    np.testing.assert_array_equal(layer.soft(None, x, jax.random.key(0)), x)


def test_a_distortion_that_is_no_number_is_refused():
    with pytest.raises(DbhwError, match="warp bend must be a number of pixels of at least 0, not -1"):
        Warp(2, 2, 1, shift=0.0, stretch=0.0, bend=-1)
    with pytest.raises(DbhwError, match="warp of 2 by 2 by 1 must get 4 bits, not 5"):
        Warp(2, 2, 1, shift=0.0, stretch=0.0, bend=0.0).output_shape((5,))
