"""A pipelined core as Verilog: look-up tables, registers between stages, and plain wires or a stream around them.

The registers behind the last stage drive the outputs, and the inputs go straight into the first stage: N stages are N
clocks of latency. A result comes out in every clock. As a stream, all registers wait together while a result is not
taken.
"""

from __future__ import annotations

import re

from dbhw.logic import truth
from dbhw.rtl.core.luts import FALSE, TRUE, Luts
from dbhw.rtl.core.schedule import Schedule, schedule

_STREAM_PORTS = [
    "input wire rst",
    "input wire x_valid",
    "output wire x_ready",
    "output wire y_valid",
    "input wire y_ready",
]


def expression(table: int, inputs: list[str]) -> str:
    """A table as Verilog: a parity, or products, or products complemented, whichever is shortest.

    >>> expression(0b0111, ["a", "b"]), expression(0b1001, ["a", "b"]), expression(0b11101000, ["a", "b", "c"])
    ('~a | ~b', '~(a ^ b)', '(a & b) | (a & c) | (b & c)')
    """
    n = len(inputs)
    if table in (truth.parity(n), truth.parity(n) ^ truth.ones(n)) and n > 1:
        parity = " ^ ".join(inputs)
        return parity if table == truth.parity(n) else f"~({parity})"
    straight = _products(table, inputs)
    complemented = _products(table ^ truth.ones(n), inputs)
    complemented = f"~({complemented})" if n > 1 else f"~{complemented}"
    return min(straight, complemented, key=len)


def _products(table: int, inputs: list[str]) -> str:
    cubes = truth.cubes(table, len(inputs))
    literals = [
        [name if value >> j & 1 else f"~{name}" for j, name in enumerate(inputs) if care >> j & 1]
        for care, value in cubes
    ]
    products = [" & ".join(product) for product in literals]
    if len(products) == 1:
        return products[0]
    return " | ".join(f"({text})" if " " in text else text for text in products)


def pipelined_verilog(luts: Luts, stages: int, module: str, stream: bool, header: list[str]) -> str:
    """The Verilog of look-up tables in stages, as a stream or with plain wires.

    >>> luts = Luts(2, [0b1000], [(0, 1)], {"y": [2]})
    >>> print(pipelined_verilog(luts, 1, "net", False, []).partition(");")[2].strip())
    // stage 1 of 1
      reg lut_0_at1;
      always @(posedge clk) begin
        lut_0_at1 <= x[0] & x[1];
      end
    <BLANKLINE>
      // outputs
      assign y = lut_0_at1;
    endmodule
    """
    return _Writer(luts, schedule(luts, stages), module, stream).text(header)


def streamed(verilog: str, module: str) -> str:
    """A combinational core as a stream: what is offered on one side is offered on the other in the same clock.

    >>> text = streamed("module net (\\n  input wire x,\\n  output wire y\\n);\\n  assign y = x;\\nendmodule\\n", "net")
    >>> "assign y_valid = x_valid;" in text
    True
    """
    head = f"module {module} (\n"
    ports = "".join(f"  {port},\n" for port in ["input wire clk", *_STREAM_PORTS])
    lines = [
        *("", "  // the stream: nothing is kept, so there is nothing to clock or reset"),
        *("  assign x_ready = y_ready;", "  assign y_valid = x_valid;", "  wire unused_control = &{1'b0, clk, rst};"),
        "endmodule\n",
    ]
    return verilog.replace(head, head + ports, 1).removesuffix("endmodule\n") + "\n".join(lines)


class _Writer:
    def __init__(self, luts: Luts, plan: Schedule, module: str, stream: bool) -> None:
        self.luts, self.plan, self.module, self.stream = luts, plan, module, stream
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

    def _reads(self, node: int, stage: int) -> None:
        self.last[node] = max(self.last[node], stage)
        if stage == self.plan.stage[node]:
            self.read_at_once.add(node)

    def text(self, header: list[str]) -> str:
        lines = [f"// {line}" for line in header]
        lines += [f"module {self.module} (", ",\n".join(f"  {port}" for port in self._ports()), ");"]
        if self.stream:
            lines += self._handshake()
        for stage in range(self.plan.stages):
            lines += ["", f"  // stage {stage + 1} of {self.plan.stages}", *self._wires(stage), *self._registers(stage)]
        lines += ["", "  // outputs", *self._outputs(), *self._unused()]
        return "\n".join([*lines, "endmodule", ""])

    def _ports(self) -> list[str]:
        return [
            "input wire clk",
            *(_STREAM_PORTS if self.stream else []),
            f"input wire {_span(self.luts.inputs)}x",
            *(f"output wire {_span(len(nodes))}{name}" for name, nodes in self.luts.outputs.items()),
        ]

    def _handshake(self) -> list[str]:
        """Which stages hold an example; all of them move on unless a result waits to be taken."""
        last = self.plan.stages - 1
        before = f"valid[{last - 1}:0]" if last > 1 else "valid[0]"
        shifted = f"{{{before}, x_valid}}" if last else "x_valid"
        return [
            "",
            "  // the stream: which stages hold an example, and whether all move on",
            f"  reg {_span(last + 1)}valid;",
            f"  initial valid = {last + 1}'h0;",
            f"  wire move = y_ready | ~{_bit('valid', last, last + 1)};",
            "  always @(posedge clk) begin",
            f"    if (rst) valid <= {last + 1}'h0;",
            f"    else if (move) valid <= {shifted};",
            "  end",
            "  assign x_ready = move & ~rst;",
            f"  assign y_valid = {_bit('valid', last, last + 1)};",
        ]

    def _wires(self, stage: int) -> list[str]:
        """The tables of a stage that others of the same stage read."""
        nodes = (n for n in range(self.luts.inputs, len(self.luts)) if self.plan.stage[n] == stage)
        return [f"  wire {self._name(n, stage)} = {self._value(n)};" for n in nodes if n in self.read_at_once]

    def _registers(self, stage: int) -> list[str]:
        nodes = [n for n in range(len(self.luts)) if self.plan.stage[n] <= stage < self.last[n]]
        if not nodes:
            return []
        moves = "if (move) " if self.stream else ""
        loads = []
        for node in nodes:
            direct = self.plan.stage[node] == stage and node >= self.luts.inputs and node not in self.read_at_once
            loads.append((self._name(node, stage + 1), self._value(node) if direct else self._name(node, stage)))
        return [
            *(f"  reg {register};" for register, _ in loads),
            f"  always @(posedge clk) {moves}begin",
            *(f"    {register} <= {value};" for register, value in loads),
            "  end",
        ]

    def _outputs(self) -> list[str]:
        constants = {FALSE: "1'h0", TRUE: "1'h1"}
        return [
            f"  assign {_bit(name, i, len(nodes))} = {constants.get(node) or self._name(node, self.plan.stages)};"
            for name, nodes in self.luts.outputs.items()
            for i, node in enumerate(nodes)
        ]

    def _unused(self) -> list[str]:
        read = {source for fanin in self.luts.fanins for source in fanin}
        read.update(node for nodes in self.luts.outputs.values() for node in nodes)
        unused = [self._name(i, 0) for i in range(self.luts.inputs) if i not in read]
        if not any(self.plan.stage[n] < self.last[n] for n in range(len(self.luts))) and not self.stream:
            unused.append("clk")
        if not unused:
            return []
        return [
            "",
            "  // The net does not look at these inputs.",
            f"  wire unused = &{{1'b0, {', '.join(unused)}}};",
        ]

    def _value(self, node: int) -> str:
        names = [self._name(source, self.plan.stage[node]) for source in self.luts.fanin(node)]
        return expression(self.luts.tables[node - self.luts.inputs], names)

    def _name(self, node: int, stage: int) -> str:
        """A node's value as it is in a stage: behind as many registers as there are stages since it was computed."""
        late = f"_at{stage}" if stage > self.plan.stage[node] else ""
        if node >= self.luts.inputs:
            return f"lut_{node - self.luts.inputs}{late}"
        bit = _bit("x", node, self.luts.inputs)
        return re.sub(r"\[(\d+)\]", r"_\1", bit) + late if late else bit


def _span(width: int) -> str:
    return f"[{width - 1}:0] " if width > 1 else ""


def _bit(name: str, i: int, width: int) -> str:
    return f"{name}[{i}]" if width > 1 else name
