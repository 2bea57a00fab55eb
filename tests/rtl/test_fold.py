"""Folded cores: nets of several kinds by Verilator and by proof, and broken ones that both refuse."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dbhw.base.errors import DbhwError
from dbhw.boards import Device
from dbhw.data.stimuli import choose
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.mask_true import MaskTrue
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.net import Net
from dbhw.prove.fold.folded import prove_folded, verilog_is_folded
from dbhw.rtl.fold.emit import emit_folded
from dbhw.rtl.link.tops import SelfTest, top_verilog
from dbhw.rtl.loadable import emit_as
from dbhw.sim.board import simulated
from tests.kit import samples
from tests.kit.leds import BENCH, leds
from tests.kit.link import DIVISOR
from tests.kit.many import simulate_clocked
from tests.kit.nets import NETS, the_model

# The paper's net for MNIST, small. Its windows rotate, and its last slice is not full.
PAPER = Net(
    10, [MaskTrue(width=4), Reshape(shape=(8, 5)), Majority(), Negation(width=4), Harden(), BucketSum(buckets=2)]
)
AROUND = Net(6, [MaskTrue(width=4), Reshape(shape=(6, 4)), Majority(), Negation(width=3), BucketSum(buckets=3)])
RIGHT = {"slices": (PAPER, 3), "around": (AROUND, 6), "collected": (NETS[0], 4)}
BREAKS = {
    "rom": ("rows[1] = 27'h5310cdf", "rows[1] = 27'h5310cff"),
    "short": ("wire last = cycle == 3'd4;", "wire last = cycle == 3'd3;"),
    "uncleared": ("total0 <= 5'd0;", "total0 <= total0;"),
    "untold": (".last(cycle == 3'd3)", ".last(1'd0)"),
    "rotation": ("held[4:0], held[9:5]", "held[3:0], held[9:4]"),
    "unstable": ("end else if (adding) begin", "end else begin"),
}


def folded(net, fold):
    model = samples.random_model(net, np.random.default_rng(1))
    return model, emit_folded(model, fold, lut_inputs=4)


def renamed(verilog, name):
    return re.sub(r"\bnet(?=_|\b)", name, verilog)


def broken(verilog, name):
    right, wrong = BREAKS[name]
    assert verilog.count(right) == 1
    return verilog.replace(right, wrong)


@pytest.fixture(scope="module")
def seen():
    """What one simulation of all cores saw, right ones and broken ones."""
    cores = {name: folded(*choice) for name, choice in RIGHT.items()}
    texts = {name: (*core, core[1].verilog) for name, core in cores.items()}
    model, emitted = cores["slices"]
    texts |= {name: (model, emitted, broken(emitted.verilog, name)) for name in BREAKS}
    entries = [
        (
            model,
            replace(emitted, manifest=replace(emitted.manifest, module=name)),
            renamed(text, name),
            choose(model.net.inputs, "100"),
            {"resets": 3},
        )
        for name, (model, emitted, text) in texts.items()
    ]
    return simulate_clocked(entries)


@pytest.mark.parametrize("name", RIGHT)
def test_a_folded_net_is_the_net(seen, name):
    _, emitted = folded(*RIGHT[name])
    assert seen[name].mismatches == 0
    assert [s.name for s in verilog_is_folded(emitted, emitted.verilog, 4) if not s.proved] == []


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_core_is_refused_by_simulation_and_by_proof(seen, name):
    _, emitted = folded(*RIGHT["slices"])
    assert seen[name].mismatches > 0
    assert not all(s.proved for s in verilog_is_folded(emitted, broken(emitted.verilog, name), 4))


def test_the_netlist_is_proved():
    _, emitted = folded(AROUND, 3)
    assert prove_folded(emitted, "ice40")[-1].proved


def test_the_manifest_tells_the_time():
    _, emitted = folded(*RIGHT["slices"])
    manifest = emitted.manifest
    assert (manifest.fold, manifest.latency, manifest.interval) == (3, 5, 5)
    assert manifest.stream is not None


def test_the_link_and_the_self_test_wait_for_a_folded_core(tmp_path):
    model = the_model()
    emitted = emit_folded(model, 5, lut_inputs=4)
    x = choose(8, "all")
    top = top_verilog(SelfTest(emitted, model, x), "tester")
    bench = BENCH.replace("CORES", "1").replace("CLOCKS", str(264 * (emitted.manifest.interval + 1)))
    assert leds("\n".join([emitted.verilog, top, bench]), tmp_path) == ["10"]
    with (
        simulated(emitted, DIVISOR) as board,
        board.serve() as port,
        Device.open(model, port, baud=1_000_000, patience=60.0) as device,
    ):
        labels, outputs = device.answers(x[:40])
    np.testing.assert_array_equal(labels, model.predict(x[:40]))
    np.testing.assert_array_equal(outputs, model.scores(x[:40]))


def test_what_cannot_be_folded_is_said_in_one_line():
    model = samples.random_model(Net(4, [Reshape(shape=(2, 2)), Majority()]), np.random.default_rng(0))
    with pytest.raises(DbhwError, match=r"net must have a layer of like units.* to be folded, but it has none"):
        emit_folded(model, 2)
    with pytest.raises(DbhwError, match="fold must be a number of cycles, at least 1, not 0"):
        emit_as("baked", the_model(), fold=0)
    with pytest.raises(DbhwError, match="a folded net must have the weights baked and the pipeline comb"):
        emit_as("baked", the_model(), fold=2, pipeline="stages=1")
