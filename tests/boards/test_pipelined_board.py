"""A pipelined core on a board: the link and the self-test wait for it, and a wait that is too short is seen."""

from dataclasses import replace

import numpy as np
import pytest

from dbhw.boards import Device
from dbhw.data.stimuli import choose
from dbhw.rtl.link.tops import SelfTest, top_verilog
from dbhw.rtl.verilog.emit import emit
from dbhw.sim.board import simulated
from tests.kit.leds import BENCH, leds
from tests.kit.link import DIVISOR
from tests.kit.nets import the_model


def test_the_link_waits_for_the_pipeline():
    model = the_model()
    emitted = emit(model, lut_inputs=4, pipeline="levels=1")
    assert emitted.manifest.latency > 3
    x = choose(8, "all")
    with (
        simulated(emitted, DIVISOR) as board,
        board.serve() as port,
        Device.open(model, port, baud=1_000_000, patience=60.0) as device,
    ):
        labels, outputs = device.answers(x)
    np.testing.assert_array_equal(labels, model.predict(x))
    np.testing.assert_array_equal(outputs, model.scores(x))


@pytest.mark.parametrize(("early", "seen"), [(0, "10"), (1, "01")])
def test_the_self_test_waits_for_the_pipeline(tmp_path, early, seen):
    model = the_model()
    emitted = emit(model, lut_inputs=4, pipeline="stages=3")
    believed = replace(emitted, manifest=replace(emitted.manifest, latency=3 - early))
    top = top_verilog(SelfTest(believed, model, choose(8, "all")), "tester")
    bench = BENCH.replace("CORES", "1").replace("CLOCKS", str(256 + 8))
    assert leds("\n".join([emitted.verilog, top, bench]), tmp_path) == [seen]
