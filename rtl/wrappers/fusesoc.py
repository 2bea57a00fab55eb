"""FuseSoC: a core file with the targets default, lint and sim; its test bench in Verilog checks every test vector."""

from __future__ import annotations

from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.rtl.wrappers._layout import examples, joined


def folder(emitted: Emitted, vectors: Vectors) -> dict[str, str]:
    """The files: the core, its core file, the test bench and its vectors.

    >>> from dbhw import zoo
    >>> from dbhw.rtl.verilog.emit import emit
    >>> from dbhw.rtl.verilog.vectors import Vectors
    >>> model = zoo.load("iris-small"); made = emit(model, stream=True)
    >>> sorted(folder(made, Vectors.of(model, made.manifest, [[50, 30, 14, 2]])))
    ['net.core', 'net.v', 'net_expected.hex', 'net_inputs.hex', 'net_tb.v']
    """
    name, rows = emitted.module, examples(vectors)
    inputs, outputs = emitted.manifest.inputs, emitted.manifest.outputs
    return {
        f"{name}.v": emitted.verilog,
        f"{name}.core": _core(name),
        f"{name}_tb.v": _bench(emitted, len(rows)),
        f"{name}_inputs.hex": "".join(f"{joined(inputs, given):x}\n" for given, _ in rows),
        f"{name}_expected.hex": "".join(f"{joined(outputs, answer):x}\n" for _, answer in rows),
    }


def _core(name: str) -> str:
    return f"""\
CAPI=2:
# Made by dbhw. `fusesoc --cores-root . run --target sim dbhw:user:{name}` runs the test bench.
name: dbhw:user:{name}:1.0.0
description: A learned boolean net

filesets:
  rtl:
    files: [{name}.v]
    file_type: verilogSource
  bench:
    files:
      - {name}_tb.v: {{file_type: verilogSource}}
      - {name}_inputs.hex: {{file_type: user, copyto: {name}_inputs.hex}}
      - {name}_expected.hex: {{file_type: user, copyto: {name}_expected.hex}}

targets:
  default: &default
    filesets: [rtl]
    toplevel: {name}
  lint:
    <<: *default
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
  sim:
    <<: *default
    default_tool: verilator
    filesets: [rtl, bench]
    toplevel: {name}_tb
    tools:
      verilator:
        mode: binary
        verilator_options: [--timing, -Wno-fatal, -CFLAGS, -std=c++20]
      icarus:
        iverilog_options: [-g2005-sv]
"""


_BENCH = """\
// Sends every test vector through {name} and compares every output bit. It stalls both sides now and then.
`timescale 1ns / 1ps
module {name}_tb;
  reg [{top_of_inputs}:0] inputs [0:{last}];
  reg [{top_of_answer}:0] expected [0:{last}];
  reg clk = 1'b0, rst = 1'b1;
  reg [3:0] pause = 4'h0;
  integer sent = 0, answered = 0, wrong = 0, cycles = 0;
  wire x_valid = ~rst & (sent < {count}) & (pause[1:0] != 2'd0);
  wire y_ready = pause[3:2] != 2'd0;
  wire x_ready, y_valid;
  wire [{top_of_inputs}:0] given = inputs[sent < {count} ? sent : {last}];
  wire [{top_of_answer}:0] found;

  {name} dut (
    .clk(clk), .rst(rst), .x_valid(x_valid), .x_ready(x_ready), .y_valid(y_valid), .y_ready(y_ready),
    {ports}
  );

  always #5 clk = ~clk;
  always @(posedge clk) begin
    cycles <= cycles + 1;
    rst <= cycles < 2;
    // A source may not withdraw what it offers, so it pauses only after a transfer.
    if (~x_valid | x_ready) pause[1:0] <= cycles[5:4] ^ cycles[1:0];
    pause[3:2] <= cycles[7:6] ^ cycles[2:1];
    if (x_valid & x_ready) sent <= sent + 1;
    if (y_valid & y_ready) begin
      if (found !== expected[answered]) begin
        wrong = wrong + 1;
        if (wrong == 1) $display("vector %0d: expected %h, found %h", answered, expected[answered], found);
      end
      answered = answered + 1;
    end
    if (answered == {count} || cycles > 100 * {patience}) begin
      $display("%0d of {count} vectors answered, %0d mismatches", answered, wrong);
      if (wrong != 0 || answered != {count}) $fatal(1, "FAILED");
      $finish;
    end
  end

  initial begin
    $readmemh("{name}_inputs.hex", inputs);
    $readmemh("{name}_expected.hex", expected);
  end
endmodule
"""


def _bench(emitted: Emitted, count: int) -> str:
    name, manifest = emitted.module, emitted.manifest
    wired, first = [], 0
    for port in manifest.inputs:
        wired.append(f".{port.name}(given[{first + port.width - 1}:{first}])")
        first += port.width
    first = 0
    for port in manifest.outputs:
        wired.append(f".{port.name}(found[{first + port.width - 1}:{first}])")
        first += port.width
    return _BENCH.format(
        name=name,
        count=count,
        last=count - 1,
        patience=count + 10,
        top_of_inputs=manifest.input_bits - 1,
        top_of_answer=manifest.answer_bits - 1,
        ports=",\n    ".join(wired),
    )
