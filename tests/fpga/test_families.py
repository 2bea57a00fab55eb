"""The contract that every family keeps, and how nextpnr's report is read."""

from dataclasses import replace

import numpy as np
import pytest

from dbhw import boards
from dbhw.fpga import families
from dbhw.fpga.families import ice40
from dbhw.fpga.synth import has_memories, synthesis_script, synthesise
from dbhw.rtl.verilog.emit import emit
from dbhw.tools import nextpnr, yosys
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.nets import NETS, the_model

SUM = """module net (input wire clk, input wire [7:0] a, b, output reg [8:0] y);
  always @(posedge clk) y <= a + b;
endmodule
"""


@pytest.mark.parametrize("name", families.names())
def test_every_family_knows_its_cells(name):
    """Nine flip-flops, an adder and nothing else: every cell of an adder is counted."""
    area = synthesise(SUM, name)
    assert area.ffs == 9
    assert area.luts + area.carries >= 8
    assert area.depth >= 1


MEMORY = """module net (input wire clk, we, input wire [9:0] a, input wire [7:0] d, output reg [7:0] q);
  reg [7:0] rows [0:1023];
  always @(posedge clk) begin
    if (we) rows[a] <= d;
    q <= rows[a];
  end
endmodule
"""


def synthesised(script, verilog, folder):
    (folder / "net.v").write_text(verilog)
    yosys.run(["read_verilog net.v", *script, "write_verilog -noattr synth.v"], folder)
    return (folder / "synth.v").read_text()


@pytest.mark.parametrize("name", families.names())
def test_stages_that_are_left_out_would_do_nothing(name, tmp_path):
    """Yosys's own command, as it is, makes the same netlist; and memories become block RAMs as ever."""
    verilog, family = emit(the_model(), pipeline="stages=9", stream=True).verilog, families.find(name)
    assert not has_memories(verilog)
    short = synthesis_script(name, "net", verilog=verilog)
    whole = ["scratchpad -set abc9.verify false", f"{family.synthesis} {family.without_pins} -top net"]
    assert synthesised(short, verilog, tmp_path) == synthesised(whole, verilog, tmp_path)
    assert synthesise(MEMORY, name).rams > 0


@pytest.mark.parametrize("name", families.names())
def test_every_family_makes_a_bitstream_or_a_project(name):
    family = families.find(name)
    assert (family.place_and_route is None) != (family.project is None)
    if tools := family.place_and_route:
        assert tools.constraints in " ".join(tools.files)
        assert tools.bitstream in tools.pack


def test_a_family_without_place_and_route_has_no_bitstreams(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(ice40, "family", replace(ice40.family, place_and_route=None))
    assert boards.find("icestick").what_can_be_built() == "nothing: no place and route is known for ice40"
    samples.random_model(NETS[0], np.random.default_rng(0)).save(tmp_path / "a.dbnet")
    message = "dbhw: board icestick must be of a family with place and route or a vendor's project, not 'ice40'\n"
    assert run(capsys, "build", tmp_path / "a.dbnet", "--board", "icestick", "-o", tmp_path) == (2, "", message)
    message = "dbhw: target to place on must be one of ecp5, gowin, not 'ice40'\n"
    assert run(capsys, "synth", tmp_path / "a.dbnet", "--target", "ice40", "--place") == (2, "", message)


def test_the_longest_path_is_between_registers():
    def path(start, end, *delays):
        kinds = ("clk-to-q", "routing", "logic", "routing", "setup")
        hops = [
            {"type": kind, "delay": delay, "from": {"cell": "a"}, "to": {"cell": "b"}}
            for kind, delay in zip(kinds, delays, strict=False)
        ]
        return {"from": start, "to": end, "path": hops}

    paths = [path("posedge clk", "posedge clk", 0.5, 1, 0.25), path("<async>", "posedge clk", 9, 9)]
    paths.append(path("posedge clk", "posedge clk", 0.5, 1, 0.25, 2, 0.125))
    found = nextpnr.read({"utilization": {}, "fmax": {}, "critical_paths": paths})
    assert found.fmax_mhz == float("inf")
    assert found.critical_path() == nextpnr.CriticalPath("a", "b", 1, 0.88, 3)
