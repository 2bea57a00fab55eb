"""Wishbone: the core as a slave with 32-bit registers, an address for each input and output."""

from __future__ import annotations

from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.rtl.wrappers._layout import WORD, Slot, described, instance, size, slots

_FIRST = 1  # register 0 starts and tells


def registers(emitted: Emitted) -> tuple[list[Slot], list[Slot]]:
    """The registers of the inputs and those of the outputs, which follow them.

    >>> from dbhw import zoo
    >>> from dbhw.rtl.verilog.emit import emit
    >>> inputs, outputs = registers(emit(zoo.load("iris-small"), stream=True))
    >>> [(slot.port.name, slot.first) for slot in (*inputs, *outputs)]
    [('sepal_length', 1), ('sepal_width', 2), ('petal_length', 3), ('petal_width', 4), ('label', 5), ('scores', 6)]
    """
    inputs = slots(emitted.manifest.inputs, WORD, _FIRST)
    return inputs, slots(emitted.manifest.outputs, WORD, _FIRST + size(inputs))


def folder(emitted: Emitted, vectors: Vectors) -> dict[str, str]:
    """The files: the core, the slave, the list of registers.

    >>> from dbhw import zoo
    >>> from dbhw.rtl.verilog.emit import emit
    >>> sorted(folder(emit(zoo.load("iris-small"), stream=True), None))
    ['README.md', 'net.v', 'net_wishbone.v']
    """
    name = emitted.module
    return {
        f"{name}.v": emitted.verilog,
        f"{name}_wishbone.v": _slave(emitted),
        "README.md": _readme(emitted),
    }


_SLAVE = """\
// A Wishbone B4 classic slave with 32-bit registers around {name}; README.md lists them.
module {name}_wishbone (
  input wire clk,
  input wire rst,
  input wire wb_cyc,
  input wire wb_stb,
  input wire wb_we,
  input wire [{top_of_address}:0] wb_adr,  // in words
  input wire [3:0] wb_sel,
  input wire [31:0] wb_dat_w,
  output reg [31:0] wb_dat_r,
  output reg wb_ack
);
  reg [{top_of_inputs}:0] x;
  reg [{top_of_answer}:0] answer;
  reg x_valid, done;
  wire x_ready, y_valid;
  wire y_ready = 1'b1;
{wires}
  wire access = wb_cyc & wb_stb & ~wb_ack;
  integer word, lane;

{core}

  initial {{x_valid, done, wb_ack}} = 3'b000;
  initial answer = {answer_bits}'h0;

  always @(posedge clk) begin
    wb_ack <= access;
    wb_dat_r <= {{30'h0, x_valid, done}};
    for (word = 0; word < {words}; word = word + 1)
      if (wb_adr == word + {first}) begin
        wb_dat_r <= x[word * 32 +: 32];
        for (lane = 0; lane < 4; lane = lane + 1)
          if (access & wb_we & wb_sel[lane]) x[word * 32 + lane * 8 +: 8] <= wb_dat_w[lane * 8 +: 8];
      end
    for (word = 0; word < {answers}; word = word + 1)
      if (wb_adr == word + {ends}) wb_dat_r <= answer[word * 32 +: 32];
    if (y_valid) begin
      done <= 1'b1;
{taken}
    end
    if (x_ready) x_valid <= 1'b0;
    if (access & wb_we & (wb_adr == 0)) begin
      x_valid <= 1'b1;
      done <= 1'b0;
    end
    if (rst) {{x_valid, done, wb_ack}} <= 3'b000;
  end
endmodule
"""


def _slave(emitted: Emitted) -> str:
    inputs, outputs = registers(emitted)
    words, answers = size(inputs), size(outputs)
    names = [port.name for port in emitted.manifest.outputs]
    wires = "\n".join(f"  {port.wire};" for port in emitted.manifest.outputs)
    ends = _FIRST + words
    taken = "\n".join(f"      answer[{(s.first - ends) * WORD} +: {s.port.width}] <= {s.port.name};" for s in outputs)
    return _SLAVE.format(
        name=emitted.module,
        first=_FIRST,
        words=words,
        ends=ends,
        answers=answers,
        answer_bits=answers * WORD,
        top_of_address=(ends + answers - 1).bit_length() - 1,
        top_of_inputs=words * WORD - 1,
        top_of_answer=answers * WORD - 1,
        wires=wires,
        core=instance(emitted.manifest, slots(emitted.manifest.inputs, WORD), names),
        taken=taken,
    )


def _readme(emitted: Emitted) -> str:
    inputs, outputs = registers(emitted)
    rows = [("0x00", "control", "write anything: classify; read: bit 0 = the answer is there, bit 1 = not yet taken")]
    for slot in (*inputs, *outputs):
        first, last = (4 * n for n in (slot.first, slot.first + slot.count - 1))
        place = f"{first:#04x}" if slot.count == 1 else f"{first:#04x} to {last:#04x}"
        rows.append((place, slot.port.name, described(slot.port)))
    table = "\n".join(f"| {place} | `{name}` | {said} |" for place, name, said in rows)
    return f"""\
# {emitted.module} on Wishbone

`{emitted.module}_wishbone` is a classic slave of 32 bits; `wb_adr` counts words. Write the inputs, write the control
register, read it until bit 0 is high, and read the answer. Inputs must stay as they are until bit 0 is high.

| address (bytes) | register | meaning |
|---|---|---|
{table}
"""
