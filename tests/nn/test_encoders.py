"""The contract of every encoder: its conditions say what the naive reference says, on every integer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbhw.base.errors import DbhwError
from dbhw.nn import encoders, layers
from dbhw.nn.bits import BoolBits
from dbhw.nn.encoders.bits import Bits
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layers.encode import Encode
from tests.kit import naive, samples


def all_integers(width):
    return (np.arange(1 << width)[:, None] >> np.arange(width) & 1).astype(bool)


@pytest.mark.parametrize("name", encoders.names())
@pytest.mark.parametrize("width", [1, 2, 5, 8])
@pytest.mark.parametrize("signed", [False, True])
def test_bits_are_those_of_the_naive_reference(name, width, signed):
    encoder = samples.make_encoder(name, width, signed)
    x = all_integers(width)
    found = np.concatenate([bit.array for bit in encoders.on_bits(encoder, BoolBits(x))], axis=1)
    slow = [naive.encoded([encoder.to_json()], row) for row in x.astype(int).tolist()]
    np.testing.assert_array_equal(found, slow)
    assert encoders.from_json(encoder.to_json()) == encoder


@given(st.integers(1, 16), st.booleans(), st.data())
def test_any_threshold_of_any_width(width, signed, data):
    lowest = -(2 ** (width - 1)) if signed else 0
    numbers = st.integers(lowest, lowest + 2**width)
    encoder = Thermometer(width, signed, tuple(data.draw(st.lists(numbers, min_size=1, max_size=5))))
    values = data.draw(st.lists(st.integers(lowest, lowest + 2**width - 1), min_size=1, max_size=20))
    x = (np.array(values)[:, None] >> np.arange(width) & 1).astype(bool)
    found = Encode((encoder,)).hard(None, BoolBits(x)).array
    assert found.tolist() == [[value >= t for t in encoder.thresholds] for value in values]


def test_a_layer_with_encoders_comes_back_from_its_json():
    layer = Encode(samples.some_encoders(23))
    assert layers.from_json(layer.to_json()) == layer


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Thermometer(3, False, (9,)), "must be whole numbers from 0 to 8, not (9,)"),
        (lambda: Thermometer(3, True, (-5,)), "must be whole numbers from -4 to 4"),
        (lambda: Thermometer(0, False, (1,)), "encoder width must be a whole number of at least 1"),
        (lambda: Thermometer(25, False, (1,)), "encoder width must be at most 24 bits"),
        (lambda: Bits(2, False), "must get one unsigned bit, not 2"),
        (lambda: Encode(()), "must have an encoder for each integer"),
        (lambda: Encode((Thermometer(3, False, ()),)), "at least one condition"),
        (lambda: encoders.from_json({"encoder": "thermometer", "width": 3}), "must have the fields"),
        (lambda: encoders.from_json({"encoder": "gray"}), "encoder must be one of binary, bits"),
        (lambda: Encode((Bits(1, False),)).output_shape((2,)), "must get the 1 bits of its integers, not 2"),
    ],
)
def test_what_cannot_be_encoded_is_refused(make, message):
    with pytest.raises(DbhwError, match=message.replace("(", r"\(").replace(")", r"\)")):
        make()
