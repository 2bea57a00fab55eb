"""Cores with a clock, as Verilog: look-up tables with registers between stages, with plain wires or as a stream.

A pipeline cannot be elaborated from the network like the combinational core (`writer.py`), since stages are balanced in
look-up tables, and only ABC knows which tables a net takes. So the combinational Verilog is mapped to tables
(`core/luts.py`), and what is written here is those tables, with the names of the net's wires where they survive.

The registers behind the last stage drive the outputs, and the inputs go straight into the first stage: N stages are N
cycles of latency. A result comes out in every cycle. As a stream, all registers wait together while a result is not
taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dbhw.base.names import identifiers
from dbhw.logic.network import Network
from dbhw.rtl.core.elaborate import elaborate
from dbhw.rtl.core.luts import FALSE, TRUE, Luts
from dbhw.rtl.core.schedule import Schedule, schedule
from dbhw.rtl.core.wires import ONE, ZERO, Bit, InputPort, of_table
from dbhw.rtl.verilog.writer import Interface, VerilogModule, span, with_instances

_STREAM_PORTS = {"rst": "input", "x_valid": "input", "x_ready": "output", "y_valid": "output", "y_ready": "input"}


def streamed_verilog(network: Network, module: str, interface: Interface, lut_inputs: int = 6) -> str:
    """A combinational core as a stream: what is offered on one side is offered on the other in the same cycle.

    >>> n = Network(); n.output("y", [n.input("a")])
    >>> "assign y_valid = x_valid;" in streamed_verilog(n, "net", Interface())
    True
    """
    top = _clocked_module(module, True, lut_inputs)
    elaborate(network, top, interface.inputs)
    top.section("the stream: nothing is kept, so there is nothing to clock or reset")
    top.line("assign x_ready = y_ready;")
    top.line("assign y_valid = x_valid;")
    top.line("wire unused_control = &{1'b0, clk, rst};")
    return with_instances(top, interface)


def pipelined_verilog(
    luts: Luts, stages: int, module: str, stream: bool, interface: Interface, layers: Mapping[str, str] | None = None
) -> str:
    """The Verilog of look-up tables in stages, as a stream or with plain wires.

    `layers` maps what the wires of each layer start with to the layer's title.

    >>> luts = Luts(2, [0b1000], [(0, 1)], {"y": [2]}, {2: "and_1"})
    >>> print(pipelined_verilog(luts, 1, "net", False, Interface(), {"and_1": "and 2"}).partition(");")[2].strip())
    // stage 1 of 1: and 2
      reg and_1_at1;
      always @(posedge clk) begin
        and_1_at1 <= x[0] & x[1];
      end
    <BLANKLINE>
      // outputs
      assign y = and_1_at1;
    endmodule
    """
    return _Pipeline(luts, schedule(luts, stages), module, stream, layers or {}, interface).text()


def _clocked_module(name: str, stream: bool, lut_inputs: int = 6) -> VerilogModule:
    module = VerilogModule(name, lut_inputs)
    module.port("input", "clk")
    for port, direction in _STREAM_PORTS.items() if stream else ():
        module.port(direction, port)
    return module


class _Pipeline:
    def __init__(
        self, luts: Luts, plan: Schedule, module: str, stream: bool, layers: Mapping[str, str], interface: Interface
    ) -> None:
        self.luts, self.plan, self.stream, self.titles = luts, plan, stream, layers
        self.interface, self.ports = interface, interface.inputs or (InputPort("x", luts.inputs),)
        self.layers = self._layers()
        self.module = _clocked_module(module, stream)
        self.bits: dict[tuple[int, int], Bit] = {}  # by node and stage
        self.names = self._names()
        # For every node the last stage in which it is read; beyond the last stage lie the outputs.
        self.last = list(plan.stage)
        self.read_at_once: set[int] = set()  # nodes that others of their own stage read
        for node in range(luts.inputs, len(luts)):
            for source in luts.fanin(node):
                self._reads(source, plan.stage[node])
        for nodes in luts.outputs.values():
            for node in nodes:
                if node >= 0:
                    self._reads(node, plan.stages)

    def _names(self) -> list[str]:
        """What each node is called: a table after the wire whose value it has, or by its number."""
        inputs = [f"{p.name}_{i}" if p.width > 1 else p.name for p in self.ports for i in range(p.width)]
        tables = range(self.luts.inputs, len(self.luts))
        found = [self.luts.names.get(node, f"lut_{node - self.luts.inputs}") for node in tables]
        return identifiers(inputs + [re.sub(r"\W+", "_", name).strip("_") for name in found])

    def _reads(self, node: int, stage: int) -> None:
        self.last[node] = max(self.last[node], stage)
        if stage == self.plan.stage[node]:
            self.read_at_once.add(node)

    def text(self) -> str:
        words = [self.module.input(p.name, p.width, p.signed, p.meaning) for p in self.ports]
        for node, bit in enumerate(bit for word in words for bit in word):
            self.bits[node, 0] = bit
        if self.stream:
            self._handshake()
        for stage in range(self.plan.stages):
            self.module.section(self._title(stage))
            self._wires(stage)
            self._registers(stage)
        self.module.section("outputs")
        constants = {FALSE: ZERO, TRUE: ONE}
        for name, nodes in self.luts.outputs.items():
            word = tuple(constants[n] if n < 0 else self.bits[n, self.plan.stages] for n in nodes)
            self.module.output(name, word)
        if not self.stream and all(last == first for last, first in zip(self.last, self.plan.stage, strict=True)):
            self.module.line("wire unused_clock = &{1'b0, clk};")
        return self.module.text(self.interface.header, self.interface.constants)

    def _handshake(self) -> None:
        """Which stages hold an example; all of them move on unless a result waits to be taken."""
        many = self.plan.stages
        last = f"valid[{many - 1}]" if many > 1 else "valid"
        before = f"valid[{many - 2}:0]" if many > 2 else "valid[0]"
        self.module.section("the stream: which stages hold an example, and whether all move on")
        for line in (
            f"reg {span(many)}valid;",
            f"initial valid = {many}'h0;",
            f"wire move = y_ready | ~{last};",
            "always @(posedge clk) begin",
            f"  if (rst) valid <= {many}'h0;",
            f"  else if (move) valid <= {f'{{{before}, x_valid}}' if many > 1 else 'x_valid'};",
            "end",
            "assign x_ready = move & ~rst;",
            f"assign y_valid = {last};",
        ):
            self.module.line(line)

    def _layers(self) -> dict[int, int]:
        """The number of the layer that each table belongs to: its wire's, or else the first that reads the table."""
        numbers = {layer: i for i, layer in enumerate(self.titles)}
        prefix = re.compile(rf"({'|'.join(numbers)})(?![^\W_])")
        matches = {node: prefix.match(name) for node, name in self.luts.names.items()}
        found = {node: numbers[match[1]] for node, match in matches.items() if match}
        last, named = max(found.values(), default=0), set(found)
        for node in reversed(range(self.luts.inputs, len(self.luts))):
            layer = found.setdefault(node, last)
            for source in self.luts.fanin(node):
                if source not in named:
                    found[source] = min(found.get(source, layer), layer)
        return found

    def _title(self, stage: int) -> str:
        titles, computing = list(self.titles.values()), sorted({self.layers[n] for n in self._tables(stage)})
        names = ", ".join(titles[i] for i in computing) if titles else ""
        return f"stage {stage + 1} of {self.plan.stages}{names and ': '}{names}"

    def _tables(self, stage: int) -> list[int]:
        return [n for n in range(self.luts.inputs, len(self.luts)) if self.plan.stage[n] == stage]

    def _wires(self, stage: int) -> None:
        """The tables of a stage that others of the same stage read."""
        for node in self._tables(stage):
            if node in self.read_at_once:
                (self.bits[node, stage],) = self.module.define(self.names[node], (self._value(node),))

    def _registers(self, stage: int) -> None:
        nodes = [n for n in range(len(self.luts)) if self.plan.stage[n] <= stage < self.last[n]]
        if not nodes:
            return
        values = [self.bits.get((node, stage)) or self._value(node) for node in nodes]
        names = [f"{self.names[node]}_at{stage + 1}" for node in nodes]
        for name in names:
            self.module.line(f"reg {name};")
        self.module.line(f"always @(posedge clk) {'if (move) ' if self.stream else ''}begin")
        for node, name, value in zip(nodes, names, values, strict=True):
            self.module.line(f"  {name} <= {self.module.bit(value)};")
            (self.bits[node, stage + 1],) = self.module.wire(name, 1)
        self.module.line("end")

    def _value(self, node: int) -> Bit:
        inputs = [self.bits[source, self.plan.stage[node]] for source in self.luts.fanin(node)]
        return of_table(self.luts.tables[node - self.luts.inputs], inputs, shorter=True)
