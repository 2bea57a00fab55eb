"""Streams: under random stalls on both sides nothing is lost, doubled or out of order; broken handshakes are seen."""

from dataclasses import replace

import numpy as np
import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring

from dbhw.base.errors import DbhwError
from dbhw.fpga.synth import synthesise
from dbhw.prove.clocked.pipeline import verilog_is_pipeline
from dbhw.rtl.link.tops import top_verilog
from dbhw.rtl.stream import Streamed
from dbhw.rtl.verilog.emit import emit
from tests.kit.many import simulate_clocked
from tests.kit.nets import the_model

SETTINGS = ["comb", "stages=1", "stages=3", "levels=2", "levels=1"]
VECTORS = 4000


def inputs(number):
    return np.random.default_rng(number).random((number, 8)) < 0.5


def core(model, module, setting):
    return emit(model, module, 4, setting, stream=True)


def broken_handshakes(verilog, latency):
    """What is wrong, whether a bench can see it too, and the broken Verilog."""
    last = f"valid[{latency - 1}]"
    faults = [
        ("results move on though nobody took them", True, f"wire move = y_ready | ~{last};", "wire move = 1'b1;"),
        ("a stage of data does not wait", True, "if (move) begin", "begin"),
        ("valid does not wait", True, "else if (move) valid", "else valid"),
        ("reset does not empty it", True, "if (rst) valid <=", "if (rst & x_valid & y_ready) valid <="),
        ("more is taken than there is room for", True, "x_ready = move & ~rst", "x_ready = ~rst"),
        ("results out of nothing", True, ", x_valid};", ", 1'b1};"),
        ("results are shown too early", True, f"assign y_valid = {last}", f"assign y_valid = valid[{latency - 2}]"),
        ("something is taken during reset", True, "x_ready = move & ~rst", "x_ready = move"),
        ("it waits without need", False, f"wire move = y_ready | ~{last};", "wire move = y_ready;"),
        ("it starts with results", False, f"initial valid = {latency}'h0", f"initial valid = {latency}'h1"),
    ]
    for what, seen, old, new in faults:
        assert old in verilog, what
        yield what, seen, verilog.replace(old, new, 1)


def test_streams_under_stalls_and_resets():
    """One simulation: every setting for four thousand vectors, every setting with resets, and the broken twins."""
    model = the_model()
    entries, right, wrong = [], {}, {}
    for i, setting in enumerate(SETTINGS):
        stalled, reset = core(model, f"stalled{i}", setting), core(model, f"reset{i}", setting)
        entries.append((model, stalled, stalled.verilog, inputs(VECTORS), {"seed": i}))
        entries.append((model, reset, reset.verilog, inputs(1000), {"seed": i, "resets": 25}))
        right |= {stalled.module: setting, reset.module: f"{setting} with resets"}
    whole = core(model, "broken", "levels=1")
    latency = whole.manifest.latency
    for i, (what, seen, verilog) in enumerate(broken_handshakes(whole.verilog, latency)):
        if seen:
            module = f"broken{i}"
            renamed = replace(whole, manifest=replace(whole.manifest, module=module))
            text = verilog.replace("module broken ", f"module {module} ")
            entries.append((model, renamed, text, inputs(300), {"seed": i, "resets": 5}))
            wrong[module] = what
    found = simulate_clocked(entries)
    for module, setting in right.items():
        assert found[module].mismatches == 0, (setting, found[module].first)
    for module, what in wrong.items():
        assert found[module].mismatches > 0, what


def test_broken_handshakes_are_refused():
    model = the_model()
    whole = core(model, "net", "levels=1")
    latency = whole.manifest.latency

    def proved(verilog):
        steps = verilog_is_pipeline(model.to_network(), verilog, "net", 4, latency, stream=True)
        return [step.proved for step in steps]

    assert proved(whole.verilog) == [True, True, True]
    for what, _, broken in broken_handshakes(whole.verilog, latency):
        data, even, control = proved(broken)
        assert data, what
        assert not (even and control), what
    comb = core(model, "net", "comb").verilog
    crossed = comb.replace("assign x_ready = y_ready;", "assign x_ready = 1'b1;")
    for text, right in ((comb, True), (crossed, False)):
        steps = verilog_is_pipeline(model.to_network(), text, "net", 4, 0, stream=True)
        assert steps[-1].proved is right


def test_streams_connect_in_amaranth():
    """Two cores, the bit of one into the other: the design synthesises with both cores inside."""
    model = the_model()
    emitted = core(model, "net", "stages=2")

    class Twice(wiring.Component):
        def __init__(self):
            self.cores = [Streamed(emitted) for _ in range(2)]
            signature = self.cores[0].signature.members
            super().__init__({"x": signature["x"], "y": signature["y"]})

        def elaborate(self, platform):
            m = Module()
            first, second = m.submodules.first, m.submodules.second = self.cores
            wiring.connect(m, wiring.flipped(self.x), first.x)
            wiring.connect(m, second.y, wiring.flipped(self.y))
            m.d.comb += [
                second.x.valid.eq(first.y.valid),
                first.y.ready.eq(second.x.ready),
                second.x.payload.eq(first.y.payload.bits.replicate(8)),
            ]
            return m

    one = synthesise(emitted.verilog, "ice40")
    two = synthesise(top_verilog(Twice(), "top") + emitted.verilog, "ice40", "top")
    assert one.ffs < two.ffs <= 2 * one.ffs
    with pytest.raises(DbhwError, match=r"^core must be emitted as a stream, not with plain wires$"):
        Streamed(emit(model))
