"""Counts as modules of their own: the same function, proved, simulated and clean; and broken ones are refused."""

import re

import numpy as np
import pytest
from amaranth.back import rtlil
from hypothesis import HealthCheck, Phase, given, settings

from dbhw.base.names import default_names
from dbhw.data.stimuli import choose
from dbhw.logic import passes
from dbhw.logic.network import Network
from dbhw.model.lower import lower
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.net import Net
from dbhw.prove.equivalence import network_is_verilog
from dbhw.rtl.core import elaborate
from dbhw.rtl.core.component import Core
from dbhw.rtl.flat import flat
from dbhw.rtl.verilog.emit import emit, emit_network
from dbhw.tools import yosys
from tests.kit import samples
from tests.kit.lint import lint
from tests.kit.many import simulate_many
from tests.kit.nets import NETS


@pytest.fixture
def all_are_large(monkeypatch):
    monkeypatch.setattr(elaborate, "LARGE", 0)


def test_random_nets(all_are_large, tmp_path):
    found = []

    @settings(
        max_examples=12,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(samples.models())
    def right(model):
        hardware = emit(model, module=f"net{len(found)}", lut_inputs=[6, 4][len(found) % 2])
        lint(tmp_path, hardware)
        assert network_is_verilog(model.to_network(), *flat(hardware, hardware.verilog)).proved
        found.append((model, hardware, hardware.verilog, choose(model.net.inputs, "256")))

    right()
    assert simulate_many(found) == [0] * len(found)


@pytest.mark.parametrize("number", range(len(NETS)))
def test_broken_ones_are_refused(all_are_large, number, tmp_path):
    model = samples.random_model(NETS[number], np.random.default_rng(10 + number))
    hardware = emit(model)
    lint(tmp_path, hardware)
    place = r"\.x\(\{?" if ".x(" in hardware.verilog else r"assign bits\S* = "
    broken = re.sub(place, lambda found: f"{found[0]}~", hardware.verilog, count=1)
    assert network_is_verilog(model.to_network(), hardware.verilog).proved
    assert not network_is_verilog(model.to_network(), broken).proved


def count_hot(n):
    network = Network()
    x = [network.input(f"x{i}") for i in range(n)]
    network.begin_layer("count_hot")
    network.output("y", [network.exactly([(b, 1) for b in x], k) for k in range(n + 1)])
    network.output("most", [network.at_least([(b, 1) for b in x], k) for k in (n // 2, n // 2 + 2)])
    return network


@pytest.mark.parametrize("large", [0, 1000])
def test_a_shared_count_answers_all_that_ask(large, monkeypatch, tmp_path):
    """One count, compared with every number; that all bits are high, or none, is read off it as well."""
    monkeypatch.setattr(elaborate, "LARGE", large)
    network = count_hot(13)
    hardware = emit_network(network, "net", "0" * 64, ())
    lint(tmp_path, hardware)
    assert network_is_verilog(network, hardware.verilog).proved
    assert len(re.findall(r"== 4'h", hardware.verilog)) == 14
    for k in (0, 13):
        broken = hardware.verilog.replace(f"== 4'h{k:x};", f"== 4'h{k ^ 1:x};")
        assert broken != hardware.verilog
        assert not network_is_verilog(network, broken).proved


def test_a_deep_net(tmp_path):
    """More nodes than one module holds, the way they are emitted without being asked."""
    majorities = [Reshape(shape=(112, 16)), Majority(), Reshape(shape=(7, 16)), Majority()]
    net = Net(112, [Negation(width=16), *majorities, BucketSum(buckets=7)])
    random = np.random.default_rng(1)
    weights = [None if shape is None else random.random(shape) < 0.5 for shape in net.weight_shapes()]
    network = lower(net, weights, default_names("x", net.inputs))
    simple = passes.simplify(network)
    assert len(simple) > elaborate.LARGE
    hardware = emit_network(simple, "net", "0" * 64, ())
    lint(tmp_path, hardware)
    assert "net_at_least_9_of_16 " in hardware.verilog
    assert network_is_verilog(network, hardware.verilog, simplified=simple).proved
    broken = hardware.verilog.replace("net_at_least_9_of_16 maj", "net_at_least_8_of_16 maj", 1)
    assert broken != hardware.verilog
    assert not network_is_verilog(network, broken, simplified=simple).proved


def test_a_kind_of_count_that_repeats_is_a_module(tmp_path):
    network = Network()
    x = [network.input(f"x{i}") for i in range(30)]
    network.begin_layer("majority")
    network.output("y", [network.at_least([(b, 1) for b in x[i : i + 10]], 5) for i in (0, 10, 20)])
    network.output("z", [network.at_least([(b, 1) for b in x[:9]], 4)])
    hardware = emit_network(network, "net", "0" * 64, ())
    lint(tmp_path, hardware)
    assert network_is_verilog(network, hardware.verilog).proved
    assert re.findall(r"^module (\w+)", hardware.verilog, re.MULTILINE) == ["net", "net_at_least_5_of_10"]
    assert len(re.findall(r"net_at_least_5_of_10 majority_1_gate\d", hardware.verilog)) == 3


def from_amaranth(network, lut_inputs=6):
    core = rtlil.convert(Core(network, lut_inputs), name="net", emit_src=False)
    return yosys.verilog_from_rtlil(core)


@pytest.mark.parametrize(("number", "lut_inputs"), [(0, 6), (1, 4), (2, 6), (3, 4)])
def test_the_amaranth_component_is_the_network(number, lut_inputs):
    """The component is elaborated like the Verilog, with modules and without."""
    network = samples.random_model(NETS[number], np.random.default_rng(20 + number)).to_network()
    verilog = from_amaranth(network, lut_inputs)
    assert network_is_verilog(network, verilog, lut_inputs=lut_inputs).proved
    broken = re.sub(r" [&^|] ", " ~^ ", verilog, count=1)
    assert broken == verilog or not network_is_verilog(network, broken, lut_inputs=lut_inputs).proved


def test_the_amaranth_component_of_sums_and_scores():
    network = count_hot(13)
    scores = [network.count([(literal, 1 + i) for literal in (2, 4, 6, 9)], i) for i in range(3)]
    network.integer_output("scores", [network.sum_of([(scores[1], 2), (scores[0], -1)], 5)], 6)
    network.integer_output("label", [network.argmax(scores)], 2)
    assert network_is_verilog(network, from_amaranth(network)).proved
