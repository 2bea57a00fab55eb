"""Thresholds, decision lists, convolutions and skips: each learns a small task, and its hardware is proved."""

from dataclasses import replace

import numpy as np
import pytest

from dbhw import to_verilog
from dbhw.base.errors import DbhwError
from dbhw.data.dataset import Data
from dbhw.logic.formats import python
from dbhw.nn.initialisers import Uniform
from dbhw.nn.layers.beside import Beside
from dbhw.nn.layers.bucket_any import BucketAny
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.convolution import Convolution
from dbhw.nn.layers.decision_list import DecisionList
from dbhw.nn.layers.dropout import Dropout
from dbhw.nn.layers.lookup import GRADIENTS, Lookup
from dbhw.nn.layers.mask_true import MaskTrue
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.skip import Skip
from dbhw.nn.layers.threshold import Threshold
from dbhw.nn.layers.with_negation import WithNegation
from dbhw.nn.net import Net
from dbhw.prove.equivalence import network_is_verilog
from dbhw.rtl.flat import flat
from dbhw.rtl.loadable import emit_loadable
from dbhw.train.fit import fit
from dbhw.train.settings import Settings
from tests.kit import samples

SETTINGS = Settings(epochs=100, batch_size=50, learning_rate=0.01, optimiser="adam")


def examples(bits, number=600):
    return np.random.default_rng(0).integers(0, 2, (number, bits)).astype(bool)


def learned(net, x, y, settings=SETTINGS):
    """How many of the examples a trained net gets right."""
    model = fit(net, Data.of(x, y.astype(int)), settings)
    return (model.predict(x) == y).mean()


@pytest.mark.parametrize("k", [1, 3, 4])
def test_a_threshold_learns_how_many(k):
    x = examples(5, 100)
    assert learned(Net(5, [Threshold()]), x, x.sum(1) >= k) == 1


def test_clauses_learn_to_tolerate_a_failed_literal():
    """Of eight inputs four matter, and three of these are enough; as many plain conjunctions get 85 % right."""
    x = examples(8)
    clauses = [MaskTrue(width=10, init=Uniform(0.3, 0.7)), Threshold(init=Uniform(0.4, 0.5))]
    net = Net(8, [WithNegation(), *clauses, BucketSum(buckets=2)])
    assert learned(net, x, x[:, 1:5].sum(1) >= 3) > 0.95


def test_a_decision_list_learns_the_answers():
    x, answers = examples(5), np.array([1, 0, 1, 1, 0, 1])
    first = np.where(x.any(1), x.argmax(1), 5)
    assert learned(Net(5, [DecisionList(width=1)]), x, answers[first]) == 1


def test_a_decision_list_learns_its_rules():
    x = examples(6)
    y = np.where(x[:, 3], 1, np.where(~x[:, 0], 0, x[:, 5]))
    net = Net(6, [WithNegation(), Connect(width=4), DecisionList(width=1)])
    assert max(learned(net, x, y, replace(SETTINGS, temperature=0.1, seed=seed)) for seed in range(3)) > 0.95


def test_a_convolution_finds_a_pattern_wherever_it_is():
    """Two pixels, one below and to the right of the other, in one of 25 squares; the table has 16 entries in all."""
    x = np.random.default_rng(0).random((600, 36)) < 0.14
    pictures = x.reshape(-1, 6, 6)
    y = (pictures[:, :-1, :-1] & pictures[:, 1:, 1:]).any((1, 2))
    layer = Convolution(of=Lookup(fan_in=4), rows=6, columns=6, size=2, stride=1)
    assert 0.3 < y.mean() < 0.7
    assert learned(Net(36, [layer, BucketAny(buckets=1)]), x, y) > 0.98


def test_what_skips_a_layer_is_there_for_the_next_one():
    """Three of five inputs through a table, and two more at the second layer of tables."""
    x = examples(5)
    y = np.where(x[:, 4], x[:, 0] ^ x[:, 1] ^ x[:, 2], x[:, 3])
    layers = [Skip(of=Connect(width=12)), Beside(of=Lookup(fan_in=3), bits=12), Connect(width=24), Lookup(fan_in=3)]
    assert learned(Net(5, [*layers, BucketSum(buckets=2)]), x, y) > 0.9


@pytest.mark.parametrize("gradient", GRADIENTS[1:])
def test_tables_are_learned_with_the_other_gradients(gradient):
    x = examples(6)
    y = np.where(x[:, 4], x[:, 1], x[:, 3] ^ x[:, 0])
    net = Net(6, [Connect(width=40), Lookup(fan_in=4, gradient=gradient), BucketSum(buckets=2)])
    assert learned(net, x, y) > 0.95


SMALL = [
    Net(4, [MaskTrue(width=2), Threshold()]),
    Net(4, [DecisionList(width=3)]),
    Net(9, [Convolution(of=DecisionList(width=2), rows=3, columns=3, size=2, stride=1), BucketAny(buckets=2)]),
    Net(4, [Skip(of=Negation(width=1)), Beside(of=Lookup(fan_in=2), bits=4), BucketSum(buckets=2)]),
]


@pytest.mark.parametrize("net", SMALL, ids=["threshold", "decision_list", "convolution", "skip"])
def test_they_are_proved_in_hardware_with_weights_baked_in_and_loaded(net):
    model = samples.random_model(net, np.random.default_rng(5))
    network, verilog = model.to_network(), to_verilog(model)
    assert network_is_verilog(network, verilog).proved
    loaded = emit_loadable(model)
    text, *rest = flat(loaded, loaded.verilog)
    assert network_is_verilog(loaded.lowered, text, *rest).proved
    assert "def " in python.write(network)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: Skip(of=Dropout(p=0.1)), "skip must be of a layer of bits that is not random, not dropout"),
        (lambda: Skip(of=3), "skip must be of a layer, not 3"),
        (lambda: Net(1, [Threshold()]), "threshold must get at least 2 bits in the last axis, not 1"),
        (lambda: Net(4, [Beside(of=Lookup(2), bits=6)]), "beside of 6 bits must get at least as many, not 4"),
        (
            lambda: Net(8, [Convolution(of=Lookup(2), rows=3, columns=3, size=2, stride=1)]),
            "convolution of 3 by 3 must get 9 pixels, not shape [8]",
        ),
        (
            lambda: Lookup(fan_in=2, gradient="none"),
            "lookup gradient must be one of nearest, all, packed, not 'none'",
        ),
    ],
)
def test_wrong_nets_are_told(made, message):
    with pytest.raises(DbhwError) as told:
        made()
    assert str(told.value) == message


def test_a_wrapped_layer_comes_back_from_its_file_form():
    net = Net(9, [Convolution(of=Lookup(2, gradient="all"), rows=3, columns=3, size=2, stride=1)])
    assert Net.from_json(net.to_json()) == net
    assert Net.from_json({"inputs": 4, "layers": [Lookup(2).to_json()]}).layers[0].gradient == "nearest"
