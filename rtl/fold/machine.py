"""The Verilog of a folded core, in five modules.

| module        | what it is                                                                               |
|---------------|------------------------------------------------------------------------------------------|
| `net`         | the ports of a stream; the machine and its ROM                                           |
| `net_machine` | counts the cycles, holds and rotates the inputs, accumulates or collects what units give |
| `net_slice`   | the units of one cycle, of the inputs' window and a row of weights: gates only           |
| `net_tail`    | from what was accumulated or collected to the outputs: gates only                        |
| `net_rom`     | a row of weights for each cycle                                                          |
"""

from __future__ import annotations

from collections.abc import Sequence

from dbhw.logic.network import Network
from dbhw.rtl.core.wires import InputPort
from dbhw.rtl.fold.slices import Slices
from dbhw.rtl.verilog.manifest import Port
from dbhw.rtl.verilog.ports import as_input
from dbhw.rtl.verilog.writer import Interface, VerilogModule, span, write

_STREAM = {"clk": "input", "rst": "input", "x_valid": "input", "x_ready": "output"}
_STREAM |= {"y_valid": "output", "y_ready": "input"}


def folded_verilog(
    slices: Slices, tail: Network, module: str, interface: Interface, ports: tuple[Sequence[Port], Sequence[Port]],
    lut_inputs: int,
) -> str:  # fmt: skip
    """All modules of a folded core, for data ports in and out.

    >>> import numpy as np
    >>> from dbhw.rtl.fold.slices import sliced
    >>> from dbhw.rtl.fold.units import Units
    >>> unit = Network(); both = unit.and_([unit.input("x"), unit.input("w")]); unit.output("bit", [both])
    >>> tail = Network(); tail.output("y", [tail.and_([tail.input("a"), tail.input("b")])])
    >>> units = Units("and", 2, unit, (0,), 1, np.array([[True], [False]]), (), (), tail)
    >>> text = folded_verilog(sliced(units, 2), tail, "net", Interface(), ((Port("x", 2),), (Port("y", 1),)), 4)
    >>> [line.strip() for line in text.splitlines() if "held" in line]
    ['reg [1:0] held;', 'if (take) held <= x;', 'else held <= {held[0:0], held[1:1]};', '.x(held[0]),']
    """
    inputs, outputs = ports
    parts = [
        _joined(slices, module, interface, inputs, outputs),
        "// verilator lint_off DECLFILENAME\n",
        _Machine(slices, f"{module}_machine", module, outputs).text(),
        _rom(slices, f"{module}_rom"),
        write(slices.network, f"{module}_slice", _slice_ports(slices), lut_inputs),
        write(tail, f"{module}_tail", Interface(("What units gave, as the outputs of the net.",)), lut_inputs),
    ]
    return "\n".join(parts)


def _joined(slices: Slices, module: str, interface: Interface, inputs: Sequence[Port], outputs: Sequence[Port]) -> str:
    top = VerilogModule(module)
    _ports(top, outputs, tuple(map(as_input, inputs)))
    top.line(f"wire {span(_row_digits(slices))}row;")
    top.line(f"wire {span(slices.row_bits)}weights;")
    top.line(f"{module}_rom rom (.clk(clk), .row(row), .weights(weights));")
    names = [*_STREAM, *(port.name for port in outputs), "row", "weights"]
    data = ", ".join(port.name for port in reversed(inputs))
    top.line(f"{module}_machine machine (")
    top.line(f"  .x({{{data}}}),")
    top.line(f"  {', '.join(f'.{name}({name})' for name in names)}")
    top.line(");")
    return top.text(interface.header, interface.constants)


def _ports(module: VerilogModule, outputs: Sequence[Port], inputs: Sequence[InputPort]) -> None:
    for name, direction in _STREAM.items():
        module.port(direction, name)
    for port in inputs:
        module.port("input", port.name, port.width, port.signed, port.meaning)
    for out in outputs:
        module.port("output", out.name, out.width)


def _row_digits(slices: Slices) -> int:
    return max((slices.cycles - 1).bit_length(), 1)


def _slice_ports(slices: Slices) -> Interface:
    ports = [InputPort("x", len(slices.window)), InputPort("weights", slices.row_bits)]
    ports += [InputPort("last", 1)] * slices.part_filled
    return Interface((f"What is computed in one cycle: {slices.lanes} of {slices.units.count} units.",), tuple(ports))


def _rom(slices: Slices, name: str) -> str:
    rom = VerilogModule(name)
    digits, width = _row_digits(slices), slices.row_bits
    rom.port("input", "clk")
    rom.port("input", "row", digits)
    rom.port("output", "weights", width)
    rom.line(f"reg {span(width)}rows [0:{(1 << digits) - 1}];")
    rom.line(f"reg {span(width)}read;")
    rom.line("initial begin")
    padded = [*slices.rows, *[0] * ((1 << digits) - slices.cycles)]
    for number, row in enumerate(padded):
        rom.line(f"  rows[{number}] = {width}'h{row:x};")
    rom.line("end")
    rom.line("always @(posedge clk) read <= rows[row];")
    rom.line("assign weights = read;")
    return rom.text(["The weights: a row for each cycle."])


class _Machine:
    """The registers between the parts."""

    def __init__(self, slices: Slices, name: str, prefix: str, outputs: Sequence[Port]) -> None:
        self.slices, self.prefix, self.outputs = slices, prefix, outputs
        self.module = VerilogModule(name)
        self.digits = (slices.cycles + 1).bit_length()

    def text(self) -> str:
        module, slices = self.module, self.slices
        _ports(module, self.outputs, [InputPort("x", slices.units.inputs)])
        module.port("output", "row", _row_digits(slices))
        module.port("input", "weights", slices.row_bits)
        self._control()
        self._inputs()
        self._slice()
        (self._accumulators if slices.units.totals else self._collector)()
        return module.text([f"{slices.cycles} cycles for each input, one before to take it, and one behind to add up."])

    def _control(self) -> None:
        module, digits = self.module, self.digits
        module.section("0: waiting for an input; n: slice n is at work, and what slice n - 1 gave is added")
        module.line(f"reg {span(digits)}cycle;")
        module.line("reg valid;")
        module.line("initial begin")
        module.line(f"  cycle = {digits}'d0;")
        module.line("  valid = 1'd0;")
        module.line("end")
        module.line(f"wire waiting = cycle == {digits}'d0;")
        module.line(f"wire adding = cycle > {digits}'d1;")
        module.line(f"wire last = cycle == {digits}'d{self.slices.cycles + 1};")
        module.line("assign x_ready = waiting & ~rst & (~valid | y_ready);")
        module.line("assign y_valid = valid;")
        low = _row_digits(self.slices)
        module.line(f"assign row = {'cycle' if low == digits else f'cycle[{low - 1}:0]'};")
        module.line("wire take = x_valid & x_ready;")
        module.line("always @(posedge clk)")
        module.line(f"  if (rst | last) cycle <= {digits}'d0;")
        module.line(f"  else if (take | ~waiting) cycle <= cycle + {digits}'d1;")
        module.line("always @(posedge clk)")
        module.line("  if (rst) valid <= 1'd0;")
        module.line("  else if (last) valid <= 1'd1;")
        module.line("  else if (y_ready) valid <= 1'd0;")

    def _inputs(self) -> None:
        module, n, step = self.module, self.slices.units.inputs, self.slices.step
        module.section("the inputs, which rotate to the units that read them")
        module.line(f"reg {span(n)}held;")
        module.line("always @(posedge clk)")
        module.line("  if (take) held <= x;")
        if step:
            module.line(f"  else held <= {{held[{step - 1}:0], held[{n - 1}:{step}]}};")

    def _slice(self) -> None:
        module, slices = self.module, self.slices
        (output,) = slices.network.outputs
        width = len(output.members) * output.width
        module.section("the units of this cycle")
        module.line(f"wire {span(width)}now;")
        module.line(f"reg {span(width)}given;")
        module.line(f"{self.prefix}_slice units (")
        module.line(f"  .x({_window(slices)}),")
        last = f" .last(cycle == {self.digits}'d{slices.cycles})," * slices.part_filled
        module.line(f"  .weights(weights),{last} .{output.name}(now)")
        module.line(");")
        module.line("always @(posedge clk) given <= now;")

    def _accumulators(self) -> None:
        module, units = self.module, self.slices.units
        field = self.slices.network.outputs[0].width
        module.section("the totals of all units so far")
        for i, width in enumerate(units.widths):
            module.line(f"reg {span(width)}total{i};")
        module.line("always @(posedge clk)")
        module.line("  if (take) begin")
        for i, width in enumerate(units.widths):
            module.line(f"    total{i} <= {width}'d0;")
        module.line("  end else if (adding) begin")
        for i, width in enumerate(units.widths):
            module.line(f"    total{i} <= total{i} + {_field(i, field, width, len(units.widths))};")
        module.line("  end")
        names = ", ".join(f"total{i}" for i in reversed(range(len(units.widths))))
        self._tail(f"{{{names}}}")

    def _collector(self) -> None:
        module, lanes, count = self.module, self.slices.lanes, self.slices.units.count
        width = lanes * self.slices.cycles
        module.section("the bits of all units, those of the first at last lowest")
        module.line(f"reg {span(width)}bits_so_far;")
        above = f"{{given, bits_so_far[{width - 1}:{lanes}]}}" if width > lanes else "given"
        module.line(f"always @(posedge clk) if (adding) bits_so_far <= {above};")
        self._tail(f"bits_so_far[{count - 1}:0]" if width > 1 else "bits_so_far")

    def _tail(self, given: str) -> None:
        names = ", ".join(f".{port.name}({port.name})" for port in self.outputs)
        self.module.section("the outputs")
        self.module.line(f"{self.prefix}_tail outputs (.x({given}), {names});")


def _field(number: int, field: int, width: int, fields: int) -> str:
    """A field of what the units give, as wide as the total that it is added to."""
    used, low = min(field, width), number * field
    one = f"given[{low}]" if fields * field > 1 else "given"
    part = f"given[{low + used - 1}:{low}]" if used > 1 else one
    return f"{{{width - used}'d0, {part}}}" if used < width else part


def _window(slices: Slices) -> str:
    """The bits of the register that the units read, highest first; neighbours as one slice."""
    n, runs = slices.units.inputs, list[list[int]]()
    for place in slices.window:
        if runs and place == runs[-1][1] + 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    if n == 1:
        return "held"
    texts = [f"held[{low}]" if low == high else f"held[{high}:{low}]" for low, high in reversed(runs)]
    return texts[0] if len(texts) == 1 else f"{{{', '.join(texts)}}}"
