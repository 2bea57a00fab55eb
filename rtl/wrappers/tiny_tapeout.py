"""Tiny Tapeout: a project folder; an example goes in byte by byte over eight pins, and the label comes out on eight."""

from __future__ import annotations

import json

from dbhw.base.errors import DbhwError
from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.rtl.wrappers._layout import BYTE, byte_table, described, examples, gather, instance, label, size, slots, units

# The bidirectional pins that are used, by number.
STROBE, FIRST, BUSY, DONE = 0, 1, 6, 7
_PINS = {
    STROBE: "strobe: a rising edge takes the byte",
    FIRST: "first: this byte begins an example",
    BUSY: "busy (output): the example is not taken yet",
    DONE: "done (output): the label is there",
}


def folder(emitted: Emitted, vectors: Vectors) -> dict[str, str]:
    """The files of the project: its description, the sources, the data sheet and the cocotb test.

    >>> from dbhw import zoo
    >>> from dbhw.rtl.verilog.emit import emit
    >>> from dbhw.rtl.verilog.vectors import Vectors
    >>> model = zoo.load("iris-small"); made = emit(model, stream=True)
    >>> for name in sorted(folder(made, Vectors.of(model, made.manifest, [[50, 30, 14, 2]]))): print(name)
    docs/info.md
    info.yaml
    src/net.v
    src/project.v
    test/Makefile
    test/tb.v
    test/test.py
    test/vectors.json
    """
    name, answer = emitted.module, label(emitted.manifest)
    if answer.width > BYTE:
        raise DbhwError(f"a net for Tiny Tapeout must have at most 256 classes, not {len(answer.classes or ())}")
    row = slots(emitted.manifest.inputs, BYTE)
    sent = [{"bytes": units(row, given), "label": found["label"]} for given, found in examples(vectors)]
    return {
        "info.yaml": _info(name, answer.width),
        f"src/{name}.v": emitted.verilog,
        "src/project.v": _project(emitted),
        "docs/info.md": _data_sheet(emitted),
        "test/Makefile": _makefile(name),
        "test/tb.v": _bench_top(name),
        "test/test.py": _TEST,
        "test/vectors.json": json.dumps(sent) + "\n",
    }


_PROJECT = """\
// {name} behind the pins of Tiny Tapeout. {words} bytes are an example, the lowest first.
`default_nettype none

module tt_um_{name} (
  input wire [7:0] ui_in,
  output wire [7:0] uo_out,
  input wire [7:0] uio_in,
  output wire [7:0] uio_out,
  output wire [7:0] uio_oe,
  input wire ena,
  input wire clk,
  input wire rst_n
);
  wire rst = ~rst_n;
  // The strobe may come from another clock: two registers, then one more to see it rise.
  reg [2:0] strobe;
  wire take = strobe[1] & ~strobe[2];
  wire ready, x_valid, x_ready, y_valid;
  wire y_ready = 1'b1;
  wire [{top_of_inputs}:0] x;
  {label};
  reg [{top_of_label}:0] answer;
  reg done;

  {name}_gather #(.WIDTH(8), .WORDS({words})) gather (
    .clk(clk), .rst(rst),
    .valid(take), .ready(ready), .first(uio_in[{first}]), .data(ui_in),
    .x_valid(x_valid), .x_ready(x_ready), .x(x)
  );

{core}

  always @(posedge clk) begin
    strobe <= rst ? 3'b000 : {{strobe[1:0], uio_in[{strobe}]}};
    if (y_valid) answer <= label;
    if (rst | take) done <= 1'b0;
    else if (y_valid) done <= 1'b1;
  end

  assign uo_out = {padded};
  assign uio_out = {{done, ~ready, 6'h00}};
  assign uio_oe = 8'b1100_0000;
  wire unused = &{{ena, uio_in[7:2], 1'b0}};
endmodule

`default_nettype wire

{gather}"""


def _project(emitted: Emitted) -> str:
    name, row, port = emitted.module, slots(emitted.manifest.inputs, BYTE), label(emitted.manifest)
    padded = f"{{{{{BYTE - port.width}{{1'b0}}}}, answer}}" if port.width < BYTE else "answer"
    return _PROJECT.format(
        name=name,
        words=size(row),
        first=FIRST,
        strobe=STROBE,
        label=port.wire,
        padded=padded,
        top_of_inputs=size(row) * BYTE - 1,
        top_of_label=port.width - 1,
        core=instance(emitted.manifest, row, ["label"]),
        gather=gather(f"{name}_gather"),
    )


def _info(name: str, label_bits: int) -> str:
    pins = [f'  ui[{i}]: "byte bit {i}"' for i in range(8)]
    pins += [f'  uo[{i}]: "{f"label bit {i}" if i < label_bits else ""}"' for i in range(8)]
    pins += [f'  uio[{i}]: "{_PINS.get(i, "")}"' for i in range(8)]
    listed = "\n".join(pins)
    return f"""\
# Made by dbhw. Fill in your name, and give the top module a name of your own, here and in src/project.v and test/tb.v.
project:
  title: "A learned boolean net: {name}"
  author: ""
  discord: ""
  description: "Classifies an example that is sent byte by byte"
  language: "Verilog"
  clock_hz: 10000000
  tiles: "1x1"
  top_module: "tt_um_{name}"
  source_files:
    - "project.v"
    - "{name}.v"

pinout:
{listed}

yaml_version: 6
"""


def _data_sheet(emitted: Emitted) -> str:
    row = slots(emitted.manifest.inputs, BYTE)
    return f"""\
## How it works

A boolean net that was learned from examples: comparators, look-up tables and adders, no multipliers. It takes an
example of {size(row)} bytes and answers with its class.

{byte_table(row)}

The label on `uo`: {described(label(emitted.manifest))}.

## How to test

For each byte: put it on `ui`, put `first` (`uio[{FIRST}]`) high if it is byte 0, and raise `strobe` (`uio[{STROBE}]`).
Keep all of them for four clock cycles, lower `strobe`, and wait four more. When `done` (`uio[{DONE}]`) is high, `uo`
is the label. `cd test && make` sends the test vectors in this way.

## External hardware

None.
"""


def _makefile(name: str) -> str:
    return f"""\
# Runs test.py in a simulator: `make` with Icarus Verilog, `make SIM=verilator` with Verilator, and `make GATES=yes` on
# the hardened netlist.
SIM ?= icarus
TOPLEVEL_LANG = verilog
SOURCES = $(CURDIR)/../src

ifeq ($(GATES),yes)
SIM_BUILD = sim_build/gates
COMPILE_ARGS += -DGL_TEST -DFUNCTIONAL -DSIM
VERILOG_SOURCES += $(wildcard $(PDK_ROOT)/sky130A/libs.ref/sky130_fd_sc_hd/verilog/*.v)
VERILOG_SOURCES += $(CURDIR)/gate_level_netlist.v
else
SIM_BUILD = sim_build/rtl
VERILOG_SOURCES += $(SOURCES)/project.v $(SOURCES)/{name}.v
endif

ifeq ($(SIM),verilator)
EXTRA_ARGS += -Wno-fatal --timing
endif

VERILOG_SOURCES += $(CURDIR)/tb.v
COCOTB_TOPLEVEL = tb
COCOTB_TEST_MODULES = test

include $(shell cocotb-config --makefiles)/Makefile.sim
"""


def _bench_top(name: str) -> str:
    return f"""\
`timescale 1ns / 1ps
// The pins of the project, for test.py.
module tb;
  reg clk, rst_n, ena;
  reg [7:0] ui_in, uio_in;
  wire [7:0] uo_out, uio_out, uio_oe;

  tt_um_{name} project (
    .ui_in(ui_in), .uo_out(uo_out), .uio_in(uio_in), .uio_out(uio_out), .uio_oe(uio_oe),
    .ena(ena), .clk(clk), .rst_n(rst_n)
  );
endmodule
"""


_TEST = f'''\
"""Sends the test vectors through the pins and compares every label. It runs inside the simulator. Made by dbhw."""

import json
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles

STROBE, FIRST = 1 << {STROBE}, 1 << {FIRST}
DONE = 1 << {DONE}


async def send(dut, number, byte):
    """One byte, as slow as a microcontroller that knows nothing of the clock."""
    first = FIRST if number == 0 else 0
    dut.ui_in.value = byte
    dut.uio_in.value = first | STROBE
    await ClockCycles(dut.clk, 4)
    dut.uio_in.value = first
    await ClockCycles(dut.clk, 4)


async def label(dut, patience=1000):
    for _ in range(patience):
        if int(dut.uio_out.value) & DONE:
            return int(dut.uo_out.value)
        await ClockCycles(dut.clk, 1)
    raise AssertionError("no answer")


@cocotb.test()
async def every_vector_gets_its_label(dut):
    vectors = json.loads(Path(__file__).with_name("vectors.json").read_text())
    cocotb.start_soon(Clock(dut.clk, 100, unit="ns").start())
    dut.ena.value, dut.ui_in.value, dut.uio_in.value, dut.rst_n.value = 1, 0, 0, 0
    await ClockCycles(dut.clk, 5)
    dut.rst_n.value = 1
    await send(dut, 0, 0x55)  # a broken-off example must not disturb the next
    for vector in vectors:
        for number, byte in enumerate(vector["bytes"]):
            await send(dut, number, byte)
        assert await label(dut) == vector["label"], vector
    dut._log.info("%d vectors, no mismatch", len(vectors))
'''
