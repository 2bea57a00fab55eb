"""Learned tables and wires: they find what the data says, and each becomes one table of the network."""

import numpy as np

from dbhw.base.names import default_names
from dbhw.data.dataset import Data
from dbhw.logic.network import LUT
from dbhw.model.model import Model
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.net import Net
from dbhw.train.fit import fit, soft_outputs
from dbhw.train.settings import Settings


def data():
    """Eight bits, of which the label reads three: x1 if x4 is high, else x6."""
    x = np.random.default_rng(0).integers(0, 2, (600, 8)).astype(bool)
    return Data.of(x, np.where(x[:, 4], x[:, 1], x[:, 6]))


def test_tables_and_wires_are_learned_together():
    examples = data()
    net = Net(8, [Connect(width=8 * 3), Lookup(fan_in=3), BucketSum(buckets=2)])
    model = fit(net, examples, Settings(epochs=60, batch_size=50, learning_rate=0.01, optimiser="adam"))
    assert (model.predict(examples.x) == examples.y).mean() > 0.99
    np.testing.assert_array_equal(soft_outputs(model, examples.x), model.outputs(examples.x))


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
