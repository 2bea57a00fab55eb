"""Learned tables and wires: they find what the data says, and each becomes one table of the network."""

from dataclasses import replace

import numpy as np
import pytest

from dbhw.base.names import default_names
from dbhw.data.dataset import Data
from dbhw.logic.network import LUT
from dbhw.model.freeze import freeze
from dbhw.model.model import Model
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.layers.wires import Wires
from dbhw.nn.net import Net
from dbhw.train.fit import fit, soft_outputs
from dbhw.train.settings import Settings


def data():
    """Eight bits, of which the label reads three: x1 if x4 is high, else x6."""
    x = np.random.default_rng(0).integers(0, 2, (600, 8)).astype(bool)
    return Data.of(x, np.where(x[:, 4], x[:, 1], x[:, 6]))


@pytest.mark.parametrize(
    "how", [{}, {"wire_every": 4}, {"wires_by_row": True}, {"wire_every": 2, "wires_by_row": True}]
)
def test_tables_and_wires_are_learned_together(how):
    net = Net(8, [Connect(width=8 * 3), Lookup(fan_in=3), BucketSum(buckets=2)])
    learns(net, Settings(epochs=60, batch_size=50, learning_rate=0.01, optimiser="adam", **how))


def test_wires_that_choose_from_some_of_the_inputs_are_learned_too():
    dealt = Wires((0, 1, 2, 4, 6, 1, 3, 4, 6, 7))
    net = Net(8, [dealt, Connect(width=8 * 3, groups=2), Lookup(fan_in=3), BucketSum(buckets=2)])
    model = learns(net, Settings(epochs=60, batch_size=50, learning_rate=0.01, optimiser="adam", wires_by_row=True))
    frozen = freeze(model)
    assert [type(layer) for layer in frozen.net.layers] == [Wires, Lookup, BucketSum]
    assert set(frozen.net.layers[0].places[: 4 * 3]) <= set(dealt.places[:5])
    np.testing.assert_array_equal(frozen.outputs(data().x), model.outputs(data().x))


def learns(net, settings):
    examples = data()
    model = fit(net, examples, settings)
    assert (model.predict(examples.x) == examples.y).mean() > 0.99
    np.testing.assert_array_equal(soft_outputs(model, examples.x), model.outputs(examples.x))
    return model


def test_the_first_step_of_wires_by_row_moves_a_row_by_the_learning_rate():
    net, rate = Net(8, [Connect(width=6), Lookup(fan_in=3)]), 0.001
    settings = Settings(epochs=1, batch_size=600, learning_rate=rate, optimiser="adam", wires_by_row=True)
    start, now = (fit(net, data(), replace(settings, epochs=epochs)).soft_weights[0] for epochs in (0, 1))
    np.testing.assert_allclose(np.sqrt(((now - start) ** 2).mean(axis=1)), rate, rtol=1e-3)


def test_wires_learn_in_one_step_of_a_group_and_tables_in_all():
    """Adam's first step moves a weight by the learning rate, whatever its gradient; here an epoch is one group."""
    net = Net(8, [Connect(width=6), Lookup(fan_in=3)])
    settings = Settings(epochs=1, batch_size=200, learning_rate=0.001, optimiser="adam")
    start = fit(net, data(), replace(settings, epochs=0)).soft_weights

    def moved(wire_every):
        model = fit(net, data(), replace(settings, wire_every=wire_every))
        return [np.abs(now - then) / 0.001 for now, then in zip(model.soft_weights, start, strict=True)]

    (seldom, tables), (often, same_tables) = moved(3), moved(1)
    assert set(seldom.round(2).ravel()) <= {0, 3}
    assert not set(often.round(2).ravel()) <= {0, 3}
    assert min(tables.max(), same_tables.max()) > 1.5


def test_a_weight_of_a_wire_may_leave_the_range_of_margins():
    settings = Settings(epochs=30, batch_size=50, learning_rate=0.1, optimiser="adam")
    model = fit(Net(8, [Connect(width=6), Lookup(fan_in=3)]), data(), settings)
    wires, tables = model.soft_weights
    assert np.abs(wires).max() > 0.5 >= np.abs(tables).max()


def test_each_table_becomes_one_table_of_the_network():
    random = np.random.default_rng(1)
    net = Net(20, [Connect(width=35), Lookup(fan_in=7)])
    soft = tuple(random.uniform(-0.5, 0.5, shape).astype(np.float32) for shape in net.weight_shapes())
    network = Model(net, soft, default_names("x", 20), default_names("class", 5)).to_network()
    assert list(network.kinds).count(LUT) == 5
