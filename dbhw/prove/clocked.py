"""Proof of a pipelined core: its outputs are the network's, of the inputs a fixed number of cycles ago.

1. With every register replaced by a wire, the data path is the network.
2. Every path from `x` to an output has as many registers as the latency says, all on one clock. So the value of an
   output is the network's, of what `x` was that many cycles ago.
3. In a stream, all these registers have one enable, and the wires of the handshake are those of a shift register of
   that length: sequential equivalence from reset on, for every sequence of inputs.
4. All of it holds for the synthesised netlist too: its data path is that of the Verilog, with as many registers on
   every path. Where synthesis has made another kind of circuit of it, both are compared on every sequence of inputs,
   which ends for small ones only.

What the outputs are before the first inputs have come through is not a part of this. All this is read off the gates
that Yosys makes of the Verilog text and of the netlist; nothing here knows how registers were placed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dbhw.logic.formats.blif import bit_names
from dbhw.logic.network import Network
from dbhw.prove.gates import CONSTANTS, READS, Gates, Part, Wire, is_register, model, read_gates
from dbhw.prove.points import Points
from dbhw.prove.watch import Watch
from dbhw.prove.workshop import Step, Workshop
from dbhw.tools import yosys

_CONTROL_INPUTS = ["rst", "x_valid", "y_ready"]
_CONTROL_OUTPUTS = ["x_ready", "y_valid"]


def prove_clocked(
    network: Network,
    verilog: str,
    module: str,
    target: str,
    lut_inputs: int,
    latency: int,
    stream: bool,
    simplified: Network | None = None,
    watch: Watch | None = None,
) -> list[Step]:
    """Proves a pipelined core, part by part.

    >>> n = Network(); a = n.input("a"); n.output("y", [a ^ 1])
    >>> text = "module net (input wire clk, x, output reg y); always @(posedge clk) y <= ~x; endmodule"
    >>> [(s.name, s.proved) for s in prove_clocked(n, text, "net", "ice40", 4, latency=1, stream=False)]
    [('network = Verilog', True), ('1 register on every path', True), ('Verilog = ice40 netlist', True)]
    """
    with Workshop(verilog, watch) as shop:
        proof = _Proof(shop, module, latency, stream)
        return [*proof.of_verilog(network, lut_inputs, simplified), proof.of_netlist(target)]


def verilog_is_pipeline(
    network: Network,
    verilog: str,
    module: str,
    lut_inputs: int,
    latency: int,
    stream: bool,
    simplified: Network | None = None,
    watch: Watch | None = None,
) -> list[Step]:
    """Proves that Verilog gives a network's outputs after `latency` cycles; and if a stream, that it keeps its rules.

    >>> n = Network(); a = n.input("a"); n.output("y", [a])
    >>> text = "module net (input wire clk, x, output reg y); always @(posedge clk) y <= x; endmodule"
    >>> [s.proved for s in verilog_is_pipeline(n, text, "net", 4, latency=2, stream=False)]
    [True, False]
    """
    with Workshop(verilog, watch) as shop:
        return _Proof(shop, module, latency, stream).of_verilog(network, lut_inputs, simplified)


def netlist_is_verilog(
    verilog: str, module: str, target: str, latency: int, stream: bool, watch: Watch | None = None
) -> Step:
    """Proves that what Yosys synthesises from a pipeline is the same pipeline.

    >>> text = "module net (input wire clk, x, output reg y); always @(posedge clk) y <= ~x; endmodule"
    >>> netlist_is_verilog(text, "net", "ice40", latency=1, stream=False).proved
    True
    """
    with Workshop(verilog, watch) as shop:
        return _Proof(shop, module, latency, stream).of_netlist(target)


class _Proof:
    """The steps that prove a pipeline; the points at which one was cut are those of the next one."""

    def __init__(self, shop: Workshop, module: str, latency: int, stream: bool) -> None:
        self.shop, self.module, self.latency, self.stream = shop, module, latency, stream
        self.path = DataPath(read_gates(shop.folder, module))
        self.points: Points = ()
        (shop.folder / "verilog.blif").write_text(self.path.blif())

    def of_verilog(self, network: Network, lut_inputs: int, simplified: Network | None) -> list[Step]:
        def is_network() -> bool:
            proved = self.shop.is_network("verilog.blif", network, lut_inputs, simplified)
            self.points = self.shop.outcome.points
            return proved

        registers = f"{self.latency} register{'s' * (self.latency != 1)} on every path"
        to_prove = {
            "network = Verilog": is_network,
            registers: lambda: self.path.is_even(self.latency, self.stream),
        }
        if self.stream:
            to_prove["stream = its rules"] = lambda: _control_is_right(self.shop, self.path, self.latency)
        return [self.shop.step(name, proves) for name, proves in to_prove.items()]

    def of_netlist(self, target: str) -> Step:
        return self.shop.step(f"Verilog = {target} netlist", lambda: self._netlist_is_verilog(target))

    def _netlist_is_verilog(self, target: str) -> bool:
        read = self.shop.netlist(target, self.module)
        path = DataPath(read_gates(self.shop.folder, self.module, read))
        if not self._is_pipeline(self.path) or not self._is_pipeline(path):
            return _same_on_every_sequence(self.shop, self.module, read)
        if self.shop.watch.record:
            claim = f"the {target} netlist has as many registers on every path"
            self.shop.watch.record.believed(claim, "dbhw/prove/clocked.py")
        (self.shop.folder / "synth.blif").write_text(path.blif())
        return self.shop.equivalent("verilog.blif", "synth.blif", self.points)

    def _is_pipeline(self, path: DataPath) -> bool:
        even = path.is_even(self.latency, self.stream)
        return even and (not self.stream or _control_is_right(self.shop, path, self.latency))


def _same_on_every_sequence(shop: Workshop, module: str, read_netlist: list[str]) -> bool:
    """Whether the Verilog and its netlist, both from their first state, answer every sequence of inputs alike."""
    for file, read in (("verilog.blif", ["read_verilog net.v"]), ("synth.blif", read_netlist)):
        yosys.run([*read, *_to_latches(module), f"write_blif {file}"], shop.folder, shop.watch.left())
    return _same_on_one_clock(shop, "verilog.blif", "synth.blif")


def _to_latches(module: str) -> list[str]:
    return [
        f"hierarchy -check -top {module}",
        *("proc", *yosys.FLATTEN, "opt_clean", "techmap", "opt_clean", "check -assert"),
        # Enables and resets become gates before a register that has neither, and starts at 0.
        *("async2sync", "dffunmap", "setundef -init -zero", "techmap", "aigmap", "clean"),
    ]


def _same_on_one_clock(shop: Workshop, a: str, b: str) -> bool:
    """Sequential equivalence, which does not look at clocks, of files whose registers are all on `clk`, rising."""
    clocks = (re.findall(r"^\.latch \S+ \S+ (\S+ \S+)", (shop.folder / file).read_text(), re.M) for file in (a, b))
    return all(set(found) <= {"re clk"} for found in clocks) and shop.sequentially_equivalent(a, b)


@dataclass
class DataPath:
    """Everything between `x` and the data outputs, gate by gate."""

    gates: Gates
    registers: dict[Wire, int | None] = field(default_factory=dict)  # on the paths from `x` to a wire; None if no path
    enables: set[Wire | None] = field(default_factory=set)  # None stands for a register that is always enabled
    clocks: set[Wire] = field(default_factory=set)
    sound: bool = True  # every gate known, no loops, equally many registers on all paths that meet
    order: list[Wire] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.registers.update(dict.fromkeys(CONSTANTS))
        self.registers.update(dict.fromkeys(self.gates.inputs.get("x", []), 0))
        self.outputs = {n: bits for n, bits in self.gates.outputs.items() if n not in _CONTROL_OUTPUTS}
        for bits in self.outputs.values():
            for wire in bits:
                self._walk(wire)

    def _walk(self, root: Wire) -> None:
        """Visits what a wire depends on, the deepest first; a stack instead of recursion, since chains may be long."""
        stack, entered = [root], set()
        while stack:
            wire = stack[-1]
            kind, pins = self.gates.driver(wire)
            if wire in self.registers or kind not in READS:
                self.sound &= wire in self.registers
                self.registers.setdefault(wire, None)
                stack.pop()
                continue
            needed = [pins[p] for p in READS[kind] if pins[p] not in self.registers]
            if not needed:
                self._visit(wire, kind, pins)
                stack.pop()
            elif wire in entered:  # It depends on itself.
                self.sound = False
                self.registers[wire] = None
            else:
                entered.add(wire)
                stack += needed

    def _visit(self, wire: Wire, kind: str, pins: dict[str, Wire]) -> None:
        depths = {self.registers[pins[p]] for p in READS[kind]} - {None}
        self.sound &= len(depths) <= 1
        depth = depths.pop() if depths else None
        if is_register(kind):
            self.clocks.add(pins["C"])
            self.enables.add(pins.get("E"))
            depth = None if depth is None else depth + 1
        self.registers[wire] = depth
        self.order.append(wire)

    def is_even(self, latency: int, stream: bool) -> bool:
        """Whether every path has that many registers, on one clock, and under one enable if it is a stream."""
        depths = {self.registers[wire] for bits in self.outputs.values() for wire in bits} - {None}
        enables = len(self.enables) <= 1 and (None not in self.enables if stream else self.enables <= {None})
        clock = set(self.gates.inputs.get("clk", []))
        return self.sound and depths <= {latency} and self.clocks <= clock and enables

    def blif(self) -> str:
        """The data path with wires for registers."""
        part = Part(self.gates, {wire: name for name, wire in _named("x", self.gates.inputs.get("x", []))})
        for wire in self.order:
            part.add_gate(wire)
        outputs = [pair for name, bits in self.outputs.items() for pair in _named(name, bits)]
        return part.blif(list(part.names.values()), outputs)


def _named(port: str, bits: list[Wire]) -> list[tuple[str, Wire]]:
    return list(zip(bit_names(port, len(bits)), bits, strict=True))


def _control_is_right(shop: Workshop, path: DataPath, latency: int) -> bool:
    """Whether the handshake, and the data path's enable, do what a shift register of the latency's length does."""
    enables = [wire for wire in path.enables if wire is not None]
    (shop.folder / "control.blif").write_text(_control_blif(path.gates, enables))
    (shop.folder / "rules.blif").write_text(_rules(latency, bool(enables)))
    return shop.sequentially_equivalent("control.blif", "rules.blif")


def _control_blif(gates: Gates, enables: list[Wire]) -> str:
    """The wires of the handshake and what they depend on, data excepted, with latches for registers."""
    part = Part(gates, {gates.inputs[name][0]: name for name in _CONTROL_INPUTS if name in gates.inputs})
    outputs = [(name, gates.outputs[name][0]) for name in _CONTROL_OUTPUTS if name in gates.outputs]
    outputs += [("enable", wire) for wire in enables]
    pending, seen = [wire for _, wire in outputs], {*part.names, *CONSTANTS}
    while pending:
        wire = pending.pop()
        if wire in seen:
            continue
        seen.add(wire)
        kind, pins = gates.driver(wire)
        if is_register(kind):
            part.add_latch(wire)
        elif kind in READS:
            part.add_gate(wire)
        pending += [pins[p] for p in (*READS.get(kind, []), "E") if p in pins]
    return part.blif(_CONTROL_INPUTS, outputs)


def _rules(latency: int, enable: bool) -> str:
    """A stream as it should be: `latency` places, which move on unless the last holds a result not yet taken.

    Without any place, `x_valid` is `y_valid`, and `y_ready` is `x_ready`.
    """
    if not latency:
        return model(
            _CONTROL_INPUTS, _CONTROL_OUTPUTS, [".names y_ready x_ready", "1 1", ".names x_valid y_valid", "1 1"]
        )
    lines = [f".names y_ready place{latency} move", "1- 1", "-0 1", ".names move rst x_ready", "10 1"]
    lines += [f".names place{latency} y_valid", "1 1", ".names x_valid place0", "1 1"]
    for i in range(1, latency + 1):
        lines += [f".names move rst place{i - 1} place{i} next{i}", "101- 1", "00-1 1", f".latch next{i} place{i} 0"]
    if enable:
        lines += [".names move enable", "1 1"]
    return model(_CONTROL_INPUTS, [*_CONTROL_OUTPUTS, *["enable"] * enable], lines)
