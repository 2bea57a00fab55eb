"""A Verilog module as gates and registers, as Yosys reads it, and parts of it written as BLIF for a proof."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dbhw.tools import yosys

Wire = int | str  # a wire's number in Yosys' JSON, or "0", "1", "x"
CONSTANTS: tuple[Wire, ...] = ("0", "1", "x")
# By kind of gate: the pins whose values it passes on, and its rows in BLIF. A register's are those of its next value.
READS = {"$_AND_": ["A", "B"], "$_NOT_": ["A"], "$_DFF_P_": ["D"], "$_DFFE_PP_": ["D"]}
_ROWS = {"$_AND_": "11 1", "$_NOT_": "0 1", "$_DFF_P_": "1 1", "$_DFFE_PP_": "1 1"}


@dataclass(frozen=True)
class Gates:
    """A module as gates and registers: what drives each wire, and the wires of each port."""

    inputs: dict[str, list[Wire]]
    outputs: dict[str, list[Wire]]
    drivers: dict[Wire, tuple[str, dict[str, Wire]]]  # the gate's kind, and the wires at its pins
    starts: dict[Wire, str]  # what a register holds at first, where the Verilog says so

    def driver(self, wire: Wire) -> tuple[str, dict[str, Wire]]:
        """The gate that drives a wire: its kind and its pins, both empty where there is none."""
        return self.drivers.get(wire, ("", {}))


def is_register(kind: str) -> bool:
    """Whether a gate is a register.

    >>> is_register("$_DFF_P_"), is_register("$_AND_")
    (True, False)
    """
    return kind.startswith("$_DFF")


def read_gates(folder: Path, module: str, read: Sequence[str] = ("read_verilog net.v",)) -> Gates:
    """The gates of `net.v` in a folder, or of what other Yosys commands read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     text = "module net (input wire [1:0] x, output wire y); assign y = &x; endmodule"
    ...     _ = (Path(name) / "net.v").write_text(text)
    ...     gates = read_gates(Path(name), "net")
    >>> [kind for kind, _ in gates.drivers.values()]
    ['$_AND_']
    """
    script = [
        *read,
        f"hierarchy -check -top {module}",
        *("proc", *yosys.FLATTEN, "opt_expr", "opt_clean", "opt_dff", "techmap"),
        *("dfflegalize -cell $_DFF_P_ 01 -cell $_DFFE_PP_ 01", "techmap", "opt_clean", "check -assert"),
        *("aigmap", "clean", "write_json gates.json"),
    ]
    yosys.run(script, folder)
    return _parsed(json.loads((folder / "gates.json").read_text())["modules"][module])


def _parsed(module: dict[str, Any]) -> Gates:
    drivers: dict[Wire, tuple[str, dict[str, Wire]]] = {}
    for cell in module["cells"].values():
        pins = {pin: bits[0] for pin, bits in cell["connections"].items()}
        drivers[pins["Q"] if "Q" in pins else pins["Y"]] = cell["type"], pins
    starts: dict[Wire, str] = {}
    for net in module["netnames"].values():
        values = net.get("attributes", {}).get("init", "")
        starts.update(zip(net["bits"], reversed(values), strict=False))
    sides: dict[str, dict[str, list[Wire]]] = {"input": {}, "output": {}}
    for name, port in module["ports"].items():
        sides[port["direction"]][name] = port["bits"]
    return Gates(sides["input"], sides["output"], drivers, starts)


@dataclass
class Part:
    """Some gates of a module, written as BLIF one after another; `names` are those of the wires that are inputs."""

    gates: Gates
    names: dict[Wire, str]
    lines: list[str] = field(default_factory=lambda: [".names n0", ".names n1", "1", ".names nx"])

    def name(self, wire: Wire) -> str:
        """What a wire is called in the BLIF."""
        return self.names.get(wire, f"n{wire}")

    def add_gate(self, wire: Wire) -> None:
        """Writes the gate that drives a wire; a register as if it were a wire."""
        kind, pins = self.gates.drivers[wire]
        self.lines += [f".names {' '.join(self.name(pins[p]) for p in READS[kind])} {self.name(wire)}", _ROWS[kind]]

    def add_latch(self, wire: Wire) -> None:
        """Writes a register. One without a first value, or on another clock, is left out, and so undriven."""
        pins, start = self.gates.drivers[wire][1], self.gates.starts.get(wire)
        if start not in ("0", "1") or [pins["C"]] != self.gates.inputs.get("clk"):
            return
        value, now = self.name(pins["D"]), self.name(wire)
        if "E" in pins:
            self.lines += [f".names {self.name(pins['E'])} {value} {now} next_{now}", "11- 1", "0-1 1"]
            value = f"next_{now}"
        self.lines.append(f".latch {value} {now} {start}")

    def blif(self, inputs: Sequence[str], outputs: Sequence[tuple[str, Wire]]) -> str:
        """All that was written, with the wires that the outputs show."""
        buffers = [line for name, wire in outputs for line in (f".names {self.name(wire)} {name}", "1 1")]
        return model(inputs, [name for name, _ in outputs], [*self.lines, *buffers])


def model(inputs: Sequence[str], outputs: Sequence[str], lines: Sequence[str]) -> str:
    """A BLIF file.

    >>> model(["x"], ["y"], [".names x y", "0 1"]).splitlines()[1:3]
    ['.inputs x', '.outputs y']
    """
    head = [".model gates", f".inputs {' '.join(inputs)}", f".outputs {' '.join(outputs)}"]
    return "\n".join([*head, *lines, ".end", ""])
