"""Netlists from elsewhere: imported, they are simulated, proved and exported as any model; broken ones are caught."""

import json

import numpy as np
import pytest

from dbhw import importers, load
from dbhw.base.errors import DbhwError
from dbhw.importers import Options
from dbhw.model.message import check_loadable
from dbhw.prove.equivalence import network_is_verilog
from dbhw.rtl.flat import flat
from dbhw.rtl.verilog.emit import emit
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.tools import yosys
from tests.kit.command_line import run
from tests.kit.many import simulate_many

MULTIPLIER = """
module multiplier (
  input wire [15:0] a, input wire [15:0] b, input wire [7:0] c, input wire invert,
  output wire [31:0] product, output wire [15:0] folded, output wire larger
);
  assign product = a * b + c;
  assign folded = (product[31:16] ^ product[15:0]) ^ {16{invert}};
  assign larger = a > b;
endmodule
"""
TO_GATES = ["read_verilog a.v", "synth -flatten -top multiplier", "abc -g AND,OR,XOR", "opt_clean -purge"]
ADDER = """
module half (input p, input q, output s, output c); assign s = p ^ q; assign c = p & q; endmodule
module adder (input [1:0] a, input [1:0] b, input go, output [2:0] y, output [0:0] reg_);
  wire c0, c1, c2, s1;
  half low (a[0], b[0], y[0], c0);
  half mid (a[1], b[1], s1, c1);
  half top (s1, c0, y[1], c2);
  assign y[2] = c1 | c2;
  assign reg_ = ~go;
endmodule
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A multiplier that Yosys turned into gates: Verilog, BLIF and AIGER."""
    folder = tmp_path_factory.mktemp("netlists")
    (folder / "a.v").write_text(MULTIPLIER)
    files = ["write_verilog -noattr gates.v", "write_blif gates.blif", "aigmap", "write_aiger -symbols gates.aig"]
    yosys.run([*TO_GATES, *files], folder)
    (folder / "adder.v").write_text(ADDER)
    return folder


@pytest.fixture(scope="module")
def adder(folder):
    return importers.read([folder / "adder.v"])


def numbers(model, outputs):
    """The outputs as numbers, by port."""
    found, first = {}, 0
    for name, width in model.net.ports.items():
        found[name] = outputs[:, first : first + width] @ (1 << np.arange(width))
        first += width
    return found


@pytest.mark.parametrize("file", ["gates.v", "gates.blif", "gates.aig"])
def test_more_than_a_thousand_gates_multiply(folder, file):
    model = importers.read([folder / file])
    assert model.net.layers[-1].tables > 1000
    assert {c.name: c.width for c in model.columns} == {"a": 16, "b": 16, "c": 8, "invert": 1}
    assert model.net.ports == {"product": 32, "folded": 16, "larger": 1}
    random = np.random.default_rng(0)
    x = {c.name: random.integers(0, 1 << c.width, 10_000) for c in model.columns}
    found = numbers(model, model.outputs(np.stack(list(x.values()), axis=1), engine="numpy"))
    product = (x["a"] * x["b"] + x["c"]) % 2**32
    np.testing.assert_array_equal(found["product"], product)
    np.testing.assert_array_equal(found["folded"], product >> 16 ^ product & 0xFFFF ^ 0xFFFF * x["invert"])
    np.testing.assert_array_equal(found["larger"], x["a"] > x["b"])


def whole(emitted, verilog):
    """The network, and Verilog with one port of all inputs, as the proof takes them."""
    return emitted.lowered, *flat(emitted, verilog)


def test_more_than_a_thousand_gates_are_proved(folder):
    emitted = emit(importers.read([folder / "gates.blif"]))
    assert [port.wire for port in emitted.manifest.outputs] == [
        *("wire [31:0] product", "wire [15:0] folded", "wire larger")
    ]
    assert network_is_verilog(*whole(emitted, emitted.verilog)).proved
    gate = next(line for line in emitted.verilog.splitlines() if " = a[3] & " in line)
    broken = emitted.verilog.replace(gate, gate.replace(" & ", " | "))
    assert not network_is_verilog(*whole(emitted, broken)).proved


def test_an_imported_net_simulates_with_its_own_ports(adder):
    emitted = emit(adder)
    x = np.array([[i >> j & 1 for j in range(5)] for i in range(32)], bool)
    vectors = Vectors.of(adder, emitted.manifest, x)
    assert vectors.outputs["y"] == tuple(f"{(i & 3) + (i >> 2 & 3):x}" for i in range(32))
    other = emit(adder, module="broken")
    right, wrong = simulate_many(
        [(adder, emitted, emitted.verilog, x), (adder, other, other.verilog.replace(" ^ ", " | ", 1), x)]
    )
    assert right == 0 < wrong


def test_an_imported_net_goes_through_every_command(capsys, folder, tmp_path):
    path = tmp_path / "adder.dbnet"
    code, out, err = run(capsys, "import", folder / "adder.v", "-o", path, "--json")
    assert (code, err) == (0, "")
    said = json.loads(out)
    assert list(said) == ["output", "format", "inputs", "columns", "tables", "outputs", "sha256"]
    assert (said["inputs"], said["outputs"]) == (5, {"y": 3, "reg_out": 1})
    check_loadable(load(path).net)
    code, out, _ = run(capsys, "explain", path)
    assert code == 0
    assert "checked: 32 of 32 inputs agree" in out
    assert "y[0]: " in out
    for command in (["prove", "--target", "ice40"], ["synth", "--target", "ice40"], ["emit", "-o", tmp_path / "out"]):
        assert run(capsys, command[0], path, *command[1:])[0] == 0
    # The model's names of inputs and outputs come back from an export.
    assert run(capsys, "export", path, "--format", "verilog", "-o", tmp_path / "again.v")[0] == 0
    again = importers.read([tmp_path / "again.v"])
    assert (again.columns, again.net.ports) == (load(path).columns, load(path).net.ports)
    x = np.array([[i >> j & 1 for j in range(5)] for i in range(32)], bool)
    np.testing.assert_array_equal(again.outputs(x), load(path).outputs(x))
    code, out, err = run(capsys, "export", path, "--format", "aiger")
    assert (code, out, err) == (2, "", "dbhw: export of aiger must have --output, for it is no text\n")


def test_a_wide_bus_is_part_of_one_port_of_all_bits(tmp_path):
    (tmp_path / "wide.v").write_text("module wide (input [39:0] a, input b, output y); assign y = ^a & b; endmodule")
    model = importers.read([tmp_path / "wide.v"])
    assert (model.columns, model.features[0], model.features[-1]) == ((), "a[0]", "b")
    assert model.classes == ("0", "1")
    assert [port.wire for port in emit(model).manifest.inputs] == ["wire [40:0] x"]


def test_a_module_is_chosen_and_cells_are_read_beside_it(folder, tmp_path):
    (tmp_path / "net.v").write_text("module net (input a, input b, output y); CELL c (.A(a), .B(b), .Z(y)); endmodule")
    (tmp_path / "cells.v").write_text("module CELL (input A, input B, output Z); assign Z = ~(A & B); endmodule")
    model = importers.read([tmp_path / "net.v", tmp_path / "cells.v"])
    assert model.outputs([[0, 1], [1, 1]]).tolist() == [[True], [False]]
    half = importers.read([folder / "adder.v"], options=Options(top="half"))
    assert half.net.ports == {"s": 1, "c": 1}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("module m (input c, input d, output reg q); always @(posedge c) q <= d; endmodule", "combinational, but it "),
        ("module m (input a, output y); ram r (a, y); endmodule", "must be Verilog that Yosys reads: "),
        (
            "(* blackbox *) module r (input p, output q); endmodule"
            " module m (input a, output y); r i (a, y); endmodule",
            "must be flat, but it has a black box",
        ),
        ("module m (input a, output y); wire z; assign z = y & a; assign y = z | a; endmodule", "combinational, but "),
        ("module m (input a, output y); endmodul", "must be Verilog that Yosys reads: 0.v:1: ERROR: syntax error"),
        ("", "must be Verilog that Yosys reads: "),
    ],
)
def test_what_is_no_combinational_module_is_refused_in_one_line(capsys, tmp_path, text, error):
    (tmp_path / "m.v").write_text(text)
    code, out, err = run(capsys, "import", tmp_path / "m.v", "-o", tmp_path / "m.dbnet", "--top", "m")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"dbhw: file {tmp_path}/m.v")
    assert error in err
    assert not (tmp_path / "m.dbnet").exists()


def test_a_wrong_choice_is_told(capsys, tmp_path):
    (tmp_path / "m.v").touch()
    wrong = run(capsys, "import", tmp_path / "m.v", "-o", tmp_path / "m.dbnet", "--top", "m; exec")[2]
    assert wrong == "dbhw: top must be the name of a module, not 'm; exec'\n"
    names = "aiger, blif, difflogic, dwn, torchlogix, verilog"
    wrong = run(capsys, "import", tmp_path / "m.v", "-o", tmp_path / "m.dbnet", "--format", "vhdl")[2]
    assert wrong == f"dbhw: importer must be one of {names}, not 'vhdl'\n"
    with pytest.raises(DbhwError, match="import of blif must have one file, not 2"):
        importers.read(["a.blif", "b.blif"])
