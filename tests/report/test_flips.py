"""Which inputs matter: flips by the packed engine against a loop that flips one bit of one example at a time."""

from dataclasses import replace

import numpy as np
import pytest

from dbhw.data.tables.column import Column
from dbhw.report.flips import measure
from tests.kit import samples
from tests.kit.nets import NETS


@pytest.mark.parametrize("number", [0, 2])
def test_flips_are_those_of_a_plain_loop(number):
    random = np.random.default_rng(number)
    model = samples.random_model(NETS[number], random)
    x = random.random((24, model.net.inputs)) < 0.5
    found = measure(model, x)
    for bit in range(model.net.inputs):
        changed, rises = 0, np.zeros(found.rises.shape[0])
        for row in x:
            high, low = row.copy(), row.copy()
            high[bit], low[bit] = True, False
            changed += int(model.predict(high[None])[0] != model.predict(low[None])[0])
            rises += model.scores(high[None])[0] - model.scores(low[None])[0]
        assert found.bits[bit] == pytest.approx(changed / 24)
        assert found.features[bit] == found.bits[bit]
        np.testing.assert_allclose(found.rises[:, bit], rises / 24)
    assert found.flips == 24 * found.read.sum()


def test_a_column_counts_an_example_once():
    random = np.random.default_rng(5)
    bits = samples.random_model(NETS[2], random)
    width = bits.net.inputs
    columns = (Column("a", "integer", 3), Column("b", "integer", width - 3))
    model = replace(bits, columns=columns)
    x = random.random((40, width)) < 0.5
    before = bits.predict(x)
    wanted = []
    for part in (range(3), range(3, width)):
        other = [bits.predict(x ^ (np.arange(width) == bit)) != before for bit in part]
        wanted.append(np.any(other, axis=0).mean())
    np.testing.assert_allclose(measure(model, x).features, wanted)


def test_fewer_examples_are_taken_where_there_are_many_bits():
    model = samples.random_model(NETS[2], np.random.default_rng(0))
    x = np.random.default_rng(1).random((500, model.net.inputs)) < 0.5
    assert measure(model, x, most=100).examples == 32
