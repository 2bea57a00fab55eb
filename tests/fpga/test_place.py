"""Place and route of a core by itself: the harness hides nothing of it, and the report is the tool's."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from bench import pipeline as bench
from dbhw.fpga import families
from dbhw.fpga.families import ice40
from dbhw.fpga.family import MeasuredPart
from dbhw.fpga.place import harness, place
from dbhw.fpga.synth import synthesise
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.net import Net
from dbhw.rtl.verilog.emit import emit
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.nets import NETS

CORE = """module net (input wire clk, input wire [3:0] x, output reg [1:0] y, output reg z);
  reg [3:0] early;
  always @(posedge clk) begin
    early <= x;
    y <= {&early, |early};
    z <= ^early;
  end
endmodule
"""


def test_the_harness_keeps_every_register_of_the_core():
    """Yosys merges registers that hold the same: none of the core's may be among those of the harness."""
    top = harness("net", {"clk": 1, "x": 4}, {"y": 2, "z": 1})
    own = synthesise(CORE, "ecp5").ffs
    around = (4 + 4) + 4 + 3 + (3 + 4)  # shifted, fed, kept, folded
    assert synthesise(CORE + top, "ecp5", "top").ffs == own + around
    assert own == 7


def test_a_net_that_is_too_large_is_refused(capsys, monkeypatch, tmp_path):
    small = MeasuredPart("iCE40LP384", ("--lp384", "--package", "qn32", "--pcf-allow-unconstrained"))
    tools = replace(ice40.family.place_and_route, measured=small)
    monkeypatch.setattr(ice40, "family", replace(ice40.family, place_and_route=tools))
    net = Net(128, [Negation(width=4), Reshape(shape=(4, 128)), Majority()])
    samples.random_model(net, np.random.default_rng(0)).save(tmp_path / "a.dbnet")
    code, out, err = run(capsys, "synth", tmp_path / "a.dbnet", "--target", "ice40", "--place")
    assert (code, out) == (2, "")
    assert re.fullmatch(
        r"dbhw: net must fit the iCE40LP384 to be placed: it has 384 ICESTORM_LC, and \d+ are needed\n", err
    )


@pytest.mark.parametrize("target", ["ecp5", "gowin", "ice40"])
@pytest.mark.bitstream
def test_a_core_is_placed_on_every_family(capsys, tmp_path, target):
    samples.random_model(NETS[3], np.random.default_rng(2)).save(tmp_path / "a.dbnet")
    command = ["synth", tmp_path / "a.dbnet", "--target", target, "--pipeline", "levels=1", "--place"]
    code, out, err = run(capsys, *command, "--json")
    assert code == 0, err
    placed = json.loads(out)["placed"]
    assert placed["part"] == families.find(target).place_and_route.measured.name
    assert len(placed["fmax_by_seed"]) == 5
    assert placed["fmax_mhz"] == sorted(placed["fmax_by_seed"])[2]
    path = placed["critical_path"]
    assert abs(1e3 / (path["logic_ns"] + path["routing_ns"]) - placed["fmax_mhz"]) < 0.02 * placed["fmax_mhz"]
    assert 0 < placed["luts"] < placed["luts_available"]
    assert 0 < placed["ffs"] < placed["ffs_available"]


@pytest.mark.bitstream
def test_registers_make_it_faster():
    model = samples.random_model(NETS[3], np.random.default_rng(2))
    clocks = [
        place(emit(model, lut_inputs=4, pipeline=setting).verilog, "net", "ecp5", (1,)).fmax_mhz
        for setting in ("comb", "stages=2", "levels=1")
    ]
    assert clocks == sorted(clocks)
    assert clocks[2] > 1.5 * clocks[0]


@pytest.mark.bitstream
def test_the_bench_reaches_its_goal(capsys):
    assert bench.main(["--quick", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["reached"] is True
    assert [row["core"] for row in found["rows"]] == ["shift register", "net, levels=1"]
