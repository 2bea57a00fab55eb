"""Proof of a pipelined core, in parts that together say: after so many clocks the outputs are the network's.

1. With every register replaced by a wire, the data path is the network.
2. Every path from `x` to an output has as many registers as the latency says, all on one clock. So the value that an
   output has is the network's, of what `x` was that many clocks ago.
3. In a stream, all these registers move under one enable, and the wires of the handshake are those of a shift
   register of that length: sequential equivalence from reset on, for every sequence of inputs there is.
4. The synthesised netlist is sequentially equivalent to the Verilog.

What is looked at is what Yosys reads out of the Verilog text, gate by gate; nothing here knows how registers were
placed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dbhw.fpga.synth import TARGETS, synthesis_script
from dbhw.logic.formats.blif import bit_names
from dbhw.logic.network import Network
from dbhw.prove.equivalence import Step, _equivalent, _ports, _Workshop
from dbhw.tools import yosys

Wire = int | str  # a wire's number in Yosys' JSON, or "0", "1", "x"

_CONTROL_INPUTS = ["rst", "x_valid", "y_ready"]
_CONTROL_OUTPUTS = ["x_ready", "y_valid"]
# What each kind of gate is in BLIF; a register's next value comes out of it the same way.
_ROWS = {"$_AND_": ["11"], "$_NOT_": ["0"], "$_DFF_P_": ["1"], "$_DFFE_PP_": ["1"]}
_READS = {"$_AND_": ["A", "B"], "$_NOT_": ["A"], "$_DFF_P_": ["D"], "$_DFFE_PP_": ["D"]}


def prove_clocked(
    network: Network,
    verilog: str,
    module: str,
    target: str,
    lut_inputs: int,
    latency: int,
    stream: bool,
    simplified: Network | None = None,
) -> list[Step]:
    """Proves a pipelined core, part by part.

    >>> n = Network(); a = n.input("a"); n.output("y", [a ^ 1])
    >>> text = "module net (input wire clk, x, output reg y); always @(posedge clk) y <= ~x; endmodule"
    >>> [(s.name, s.proved) for s in prove_clocked(n, text, "net", "ice40", 4, latency=1, stream=False)]
    [('network = Verilog', True), ('1 register on every path', True), ('Verilog = ice40 netlist', True)]
    """
    steps = verilog_is_pipeline(network, verilog, module, lut_inputs, latency, stream, simplified)
    return [*steps, netlist_is_verilog(verilog, module, target)]


def verilog_is_pipeline(
    network: Network,
    verilog: str,
    module: str,
    lut_inputs: int,
    latency: int,
    stream: bool,
    simplified: Network | None = None,
) -> list[Step]:
    """Proves that Verilog gives a network's outputs a number of clocks late; and if a stream, by a stream's rules.

    >>> n = Network(); a = n.input("a"); n.output("y", [a])
    >>> text = "module net (input wire clk, x, output reg y); always @(posedge clk) y <= x; endmodule"
    >>> [s.proved for s in verilog_is_pipeline(n, text, "net", 4, latency=2, stream=False)]
    [True, False]
    """
    with _Workshop("network = Verilog", verilog) as shop:
        path = DataPath(read_gates(shop.folder, module))
        (shop.folder / "verilog.blif").write_text(path.blif())
        steps = [shop.verdict(shop.is_network("verilog.blif", network, lut_inputs, simplified))]
        many = f"{latency} register{'s' * (latency != 1)} on every path"
        steps.append(shop.verdict(path.is_even(latency, stream), many))
        if stream:
            steps.append(shop.verdict(_control_is_right(shop.folder, path, latency), "stream = its rules"))
        return steps


def netlist_is_verilog(verilog: str, module: str, target: str) -> Step:
    """Proves that what Yosys synthesises from clocked Verilog answers every sequence of inputs as the Verilog does.

    >>> text = "module net (input wire clk, x, output reg y); always @(posedge clk) y <= ~x; endmodule"
    >>> netlist_is_verilog(text, "net", "ice40").proved
    True
    """
    with _Workshop(f"Verilog = {target} netlist", verilog) as shop:
        yosys.run(["read_verilog net.v", *_to_latches(module, "verilog.blif")], shop.folder)
        script = ["read_verilog net.v", *synthesis_script(target, module), "write_verilog -noattr synth.v"]
        yosys.run(script, shop.folder)
        models = f"read_verilog -defer -nooverwrite +/{TARGETS[target].models}"
        yosys.run([models, "read_verilog -overwrite synth.v", *_to_latches(module, "synth.blif")], shop.folder)
        one_clock = all(_clocks(shop.folder / name) <= {"re clk"} for name in ("verilog.blif", "synth.blif"))
        same = one_clock and _sequentially_equivalent(shop.folder, "verilog.blif", "synth.blif")
        return shop.verdict(same)


def _to_latches(module: str, blif: str) -> list[str]:
    return [
        f"hierarchy -check -top {module}",
        *("proc", "flatten", "opt_clean", "techmap", "opt_clean", "check -assert"),
        # Enables and resets become gates before a register that has neither, and starts at 0.
        *("async2sync", "dffunmap", "setundef -init -zero", "techmap", "aigmap", "clean"),
        f"write_blif {blif}",
    ]


def _clocks(blif: Path) -> set[str]:
    return {f"{edge} {clock}" for edge, clock in re.findall(r"^\.latch \S+ \S+ (\S+) (\S+)", blif.read_text(), re.M)}


def _sequentially_equivalent(folder: Path, a: str, b: str) -> bool:
    if not any(".latch" in (folder / name).read_text() for name in (a, b)):
        return _equivalent(folder, a, b)
    if _ports(folder / a) != _ports(folder / b):
        return False
    said = yosys.abc([f"dsec {a} {b}"], folder)
    return "Networks are equivalent" in said and "NOT" not in said


@dataclass
class Gates:
    """A module as gates and registers: who drives each wire, and the wires of each port."""

    inputs: dict[str, list[Wire]]
    outputs: dict[str, list[Wire]]
    drivers: dict[Wire, tuple[str, dict[str, Wire]]]  # the gate's kind, and the wires at its pins
    starts: dict[Wire, str]  # what a register holds at first, where the Verilog says so


def read_gates(folder: Path, module: str) -> Gates:
    """The gates of `net.v` in a folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     text = "module net (input wire [1:0] x, output wire y); assign y = &x; endmodule"
    ...     _ = (Path(name) / "net.v").write_text(text)
    ...     gates = read_gates(Path(name), "net")
    >>> [kind for kind, _ in gates.drivers.values()]
    ['$_AND_']
    """
    script = [
        "read_verilog net.v",
        f"hierarchy -check -top {module}",
        *("proc", "flatten", "opt_clean", "opt_dff", "techmap"),
        *("dfflegalize -cell $_DFF_P_ 01 -cell $_DFFE_PP_ 01", "techmap", "opt_clean", "check -assert"),
        *("aigmap", "clean", "write_json gates.json"),
    ]
    yosys.run(script, folder)
    found: dict[str, Any] = json.loads((folder / "gates.json").read_text())["modules"][module]
    drivers: dict[Wire, tuple[str, dict[str, Wire]]] = {}
    for cell in found["cells"].values():
        pins = {pin: bits[0] for pin, bits in cell["connections"].items()}
        drivers[pins["Q"] if "Q" in pins else pins["Y"]] = cell["type"], pins
    starts: dict[Wire, str] = {}
    for net in found["netnames"].values():
        values = net.get("attributes", {}).get("init", "")
        starts.update(zip(net["bits"], reversed(values), strict=False))
    sides: dict[str, dict[str, list[Wire]]] = {"input": {}, "output": {}}
    for name, port in found["ports"].items():
        sides[port["direction"]][name] = port["bits"]
    return Gates(sides["input"], sides["output"], drivers, starts)


@dataclass
class DataPath:
    """Everything between `x` and the data outputs, looked at gate by gate."""

    gates: Gates
    registers: dict[Wire, int | None] = field(default_factory=dict)  # on the paths to a wire; None if no path
    enables: set[Wire | None] = field(default_factory=set)  # None stands for a register that always moves
    clocks: set[Wire] = field(default_factory=set)
    sound: bool = True  # every gate known, no loops, equally many registers on all paths that meet
    order: list[Wire] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.registers.update({"0": None, "1": None, "x": None})
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
            kind, pins = self.gates.drivers.get(wire, ("", {}))
            if wire in self.registers or kind not in _READS:
                self.sound &= wire in self.registers
                self.registers.setdefault(wire, None)
                stack.pop()
                continue
            needed = [pins[p] for p in _READS[kind] if pins[p] not in self.registers]
            if not needed:
                self._visit(wire, kind, pins)
                stack.pop()
            elif wire in entered:  # It was waited for, and now waits for itself.
                self.sound = False
                self.registers[wire] = None
            else:
                entered.add(wire)
                stack += needed

    def _visit(self, wire: Wire, kind: str, pins: dict[str, Wire]) -> None:
        depths = {self.registers[pins[p]] for p in _READS[kind]} - {None}
        self.sound &= len(depths) <= 1
        depth = depths.pop() if depths else None
        if kind.startswith("$_DFF"):
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
        names = {wire: name for name, wire in _named("x", self.gates.inputs.get("x", []))}
        lines = [".names n0", ".names n1", "1", ".names nx"]
        for wire in self.order:
            lines += _gate(self.gates, wire, names)
        outputs = [pair for name, bits in self.outputs.items() for pair in _named(name, bits)]
        return _blif(list(names.values()), outputs, lines, names)


def _control_is_right(folder: Path, path: DataPath, latency: int) -> bool:
    """Whether the handshake, and the data path's enable, do what a shift register of the latency's length does."""
    enables = [wire for wire in path.enables if wire is not None]
    (folder / "control.blif").write_text(_control_blif(path.gates, enables))
    (folder / "rules.blif").write_text(_rules(latency, bool(enables)))
    return _sequentially_equivalent(folder, "control.blif", "rules.blif")


def _control_blif(gates: Gates, enables: list[Wire]) -> str:
    """The wires of the handshake, as far as they depend on anything but data, with latches for registers."""
    names = {gates.inputs[name][0]: name for name in _CONTROL_INPUTS if name in gates.inputs}
    outputs = [(name, gates.outputs[name][0]) for name in _CONTROL_OUTPUTS if name in gates.outputs]
    outputs += [("enable", wire) for wire in enables]
    lines = [".names n0", ".names n1", "1", ".names nx"]
    pending, seen = [wire for _, wire in outputs], set(names) | {"0", "1", "x"}
    while pending:
        wire = pending.pop()
        if wire in seen:
            continue
        seen.add(wire)
        kind, pins = gates.drivers.get(wire, ("", {}))
        if kind.startswith("$_DFF"):
            lines += _latch(gates, wire, pins, names)
        elif kind in _ROWS:
            lines += _gate(gates, wire, names)
        pending += [pins[p] for p in (*_READS.get(kind, []), "E") if p in pins]
    return _blif(_CONTROL_INPUTS, outputs, lines, names)


def _latch(gates: Gates, wire: Wire, pins: dict[str, Wire], names: dict[Wire, str]) -> list[str]:
    """A register of the handshake. One without a first value, or on another clock, is left out, and so undriven."""
    if gates.starts.get(wire) not in ("0", "1") or [pins["C"]] != gates.inputs.get("clk"):
        return []
    value, now = _name(pins["D"], names), _name(wire, names)
    if "E" not in pins:
        return [f".latch {value} {now} {gates.starts[wire]}"]
    following = f"next_{now}"
    return [
        f".names {_name(pins['E'], names)} {value} {now} {following}",
        *("11- 1", "0-1 1"),
        f".latch {following} {now} {gates.starts[wire]}",
    ]


def _rules(latency: int, enable: bool) -> str:
    """A stream as it should be: as many places as the latency, which move on unless the last holds an untaken result.

    Without any place, what is offered on one side is offered on the other.
    """
    if not latency:
        lines = [*(".names y_ready x_ready", "1 1"), *(".names x_valid y_valid", "1 1")]
        return _blif(_CONTROL_INPUTS, [], lines, {}, _CONTROL_OUTPUTS)
    lines = [f".names y_ready place{latency} move", "1- 1", "-0 1", ".names move rst x_ready", "10 1"]
    lines += [f".names place{latency} y_valid", "1 1", ".names x_valid place0", "1 1"]
    for i in range(1, latency + 1):
        lines += [f".names move rst place{i - 1} place{i} next{i}", "101- 1", "00-1 1", f".latch next{i} place{i} 0"]
    if enable:
        lines += [".names move enable", "1 1"]
    return _blif(_CONTROL_INPUTS, [], lines, {}, [*_CONTROL_OUTPUTS, *["enable"] * enable])


def _gate(gates: Gates, wire: Wire, names: dict[Wire, str]) -> list[str]:
    kind, pins = gates.drivers[wire]
    read = " ".join(_name(pins[p], names) for p in _READS[kind])
    return [f".names {read} {_name(wire, names)}", *(f"{row} 1" for row in _ROWS[kind])]


def _blif(
    inputs: list[str],
    outputs: list[tuple[str, Wire]],
    lines: list[str],
    names: dict[Wire, str],
    more: Sequence[str] = (),
) -> str:
    buffers = [line for name, wire in outputs for line in (f".names {_name(wire, names)} {name}", "1 1")]
    shown = [*(name for name, _ in outputs), *more]
    head = [".model gates", f".inputs {' '.join(inputs)}", f".outputs {' '.join(shown)}"]
    return "\n".join([*head, *lines, *buffers, ".end", ""])


def _named(port: str, bits: list[Wire]) -> list[tuple[str, Wire]]:
    return list(zip(bit_names(port, len(bits)), bits, strict=True))


def _name(wire: Wire, names: dict[Wire, str]) -> str:
    return names.get(wire, f"n{wire}")
