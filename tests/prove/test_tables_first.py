"""Large nets of tables: their tables become cells before synthesis, at no cost, and a mistake in one is refused."""

import pytest

from bench.pipeline_proof import random_model
from dbhw.fpga import synth
from dbhw.fpga.synth import synthesis_script, synthesise
from dbhw.prove import workshop
from dbhw.prove.equivalence import verilog_is_netlist
from dbhw.rtl.flat import flat
from dbhw.rtl.verilog.emit import emit


@pytest.fixture
def small_nets_too(monkeypatch):
    monkeypatch.setattr(synth, "_LARGE", 0)


@pytest.fixture(scope="module")
def emitted():
    return emit(random_model(40))


def places(script, beginning):
    return [i for i, command in enumerate(script) if command.startswith(beginning)]


def test_only_large_nets_of_tables_are_mapped_so(emitted, monkeypatch):
    def mapped(target, verilog):
        return bool(places(synthesis_script(target, "net", verilog=verilog), "abc -lut 6"))

    assert not mapped("xilinx", emitted.verilog)
    monkeypatch.setattr(synth, "_LARGE", 0)
    assert mapped("xilinx", emitted.verilog)
    assert not mapped("ice40", emitted.verilog)
    assert not mapped("xilinx", "module net (input wire [2:0] x, output wire y); assign y = &x; endmodule")


def test_it_costs_no_area_and_no_depth(emitted, monkeypatch):
    without = synthesise(emitted.verilog, "xilinx")
    monkeypatch.setattr(synth, "_LARGE", 0)
    ours = synthesise(emitted.verilog, "xilinx")
    assert ours.luts <= without.luts
    assert ours.carries <= without.carries
    assert ours.depth <= without.depth


@pytest.mark.parametrize(
    ("behind", "fault", "proved"),
    [
        ("abc -lut 6", "select -none", True),
        ("abc -lut 6", "setparam -set LUT 64'h1 t:$lut r:WIDTH=6 %i", False),
        ("techmap", "setparam -set INIT 64'h1 t:LUT6", False),
        ("techmap", "delete t:LUT6", False),
    ],
)
def test_a_mistake_in_the_tables_is_refused(emitted, small_nets_too, monkeypatch, behind, fault, proved):
    def broken(*arguments, **named):
        script = synthesis_script(*arguments, **named)
        (place,) = places(script, behind)
        return [*script[: place + 1], "select -clear", fault, "select -clear", *script[place + 1 :]]

    monkeypatch.setattr(workshop, "synthesis_script", broken)
    text, module = flat(emitted, emitted.verilog)
    assert verilog_is_netlist(text, module, "xilinx").proved is proved
