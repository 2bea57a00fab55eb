"""A clocked circuit taken apart at its registers: a graph of gates, from what holds a value to what takes one.

Blocks (RAM, PLL) stay closed: what they give is free, and what they read is shown.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dbhw.prove.clocked.gates import Wire
from dbhw.prove.graphs.aig import Aig
from dbhw.tools import yosys

_TO_GATES = ("async2sync", "dffunmap", "techmap -autoproc", "opt_clean")
_CHOOSE = "opt_expr -undriven -mux_undef"  # what is left open becomes what makes the circuit smallest
_REGISTER = "$_DFF_P_"
_GIVES = re.compile(r"RDATA|PLLOUT|LOCK|SDO")  # the pins of blocks that are outputs


class UnclearError(ValueError):
    """A circuit whose values are not clear: a loop, a wire that nothing drives, a part that is not known here."""


@dataclass(frozen=True)
class Register:
    """What a register takes next, its clock, and what it holds at first; 0 where that is left open."""

    value: Wire
    clock: Wire
    start: int


@dataclass(frozen=True)
class Block:
    """A part that stays closed: its kind and settings, the wires that it reads and those that it drives, by pins."""

    kind: str
    settings: Mapping[str, str]
    reads: Mapping[str, Sequence[Wire]]
    gives: Mapping[str, Sequence[Wire]]


@dataclass
class Circuit:
    """A module: its pins, registers and blocks, and the gates between them.

    `sources` are the wires that something other than a gate drives, in the order of the graph's inputs. What is
    undefined may be chosen in a description (`open_is_low`); in something real it is an error.
    """

    module: dict[str, Any]
    open_is_low: bool = False
    inputs: dict[str, Wire] = field(default_factory=dict)
    outputs: dict[str, Wire] = field(default_factory=dict)
    registers: dict[Wire, Register] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)
    names: dict[str, Wire] = field(default_factory=dict)
    sources: list[Wire] = field(default_factory=list)
    gates: dict[Wire, list[Wire]] = field(default_factory=dict)  # one wire is inverted, of two the conjunction

    def __post_init__(self) -> None:
        starts = self._nets()
        for name, cell in self.module["cells"].items():
            self._cell(name, cell, starts)
        given = [wire for block in self.blocks.values() for wires in block.gives.values() for wire in wires]
        driven = Counter([*self.gates, *self.registers, *given])
        for name, port in self.module["ports"].items():
            for i, wire in enumerate(port["bits"]):
                # Boards have pins that may go both ways: what drives them says which way they go.
                pin = name if len(port["bits"]) == 1 else f"{name}[{i}]"
                drives = port["direction"] == "input" or not (wire in driven or isinstance(wire, str))
                (self.inputs if drives else self.outputs)[pin] = wire
        driven.update(self.inputs.values())
        if any(many > 1 or isinstance(wire, str) for wire, many in driven.items()):
            raise UnclearError("two parts drive one wire")
        self.sources = [*self.inputs.values(), *self.registers, *given]

    def _nets(self) -> dict[Wire, str]:
        starts: dict[Wire, str] = {}
        for name, net in self.module["netnames"].items():
            for i, wire in enumerate(net["bits"]):
                self.names[name if len(net["bits"]) == 1 else f"{name}[{i}]"] = wire
            starts.update(zip(net["bits"], reversed(net["attributes"].get("init", "")), strict=False))
        return starts

    def _cell(self, name: str, cell: dict[str, Any], starts: Mapping[Wire, str]) -> None:
        kind, pins = cell["type"], cell["connections"]
        if kind in ("$_AND_", "$_NOT_"):
            self._drives(pins["Y"][0])
            self.gates[pins["Y"][0]] = [pins[pin][0] for pin in "AB" if pin in pins]
        elif kind == _REGISTER:
            (value,), (clock,), (now,) = pins["D"], pins["C"], pins["Q"]
            self._drives(now)
            self.registers[now] = Register(value, clock, int(starts.get(now) == "1"))
        elif kind.startswith("$"):
            raise UnclearError(f"a {kind} is not known")
        else:
            reads, gives = ({p: pins[p] for p in sorted(pins) if bool(_GIVES.match(p)) == way} for way in (False, True))
            self.blocks[name] = Block(kind, cell["parameters"], reads, gives)

    def _drives(self, wire: Wire) -> None:
        if wire in self.gates or wire in self.registers:
            raise UnclearError("two parts drive one wire")

    def graph(self, outputs: Sequence[Wire]) -> Aig:
        """The gates between sources and some wires."""
        literals: dict[Wire, int] = {"0": 0, "1": 1}
        literals.update((wire, 2 * i) for i, wire in enumerate(self.sources, 1))
        made: list[tuple[int, int]] = []
        for wire in self._in_order(outputs, literals):
            read = [literals[other] for other in self.gates[wire]]
            if len(read) == 1:
                literals[wire] = read[0] ^ 1
            else:
                made.append((read[0], read[1]))
                literals[wire] = 2 * (len(self.sources) + len(made))
        return Aig(len(self.sources), np.array(made, np.int64).reshape(-1, 2), [literals[wire] for wire in outputs])

    def _in_order(self, roots: Sequence[Wire], known: dict[Wire, int]) -> list[Wire]:
        """The gates that wires depend on, each after those that it reads."""
        order: list[Wire] = []
        done, entered = set(known), set()
        stack = list(roots)
        while stack:
            wire = stack[-1]
            needed = [other for other in self.gates.get(wire, ()) if other not in done]
            if wire in done:
                stack.pop()
            elif wire not in self.gates:
                if not self.open_is_low:
                    raise UnclearError("nothing drives a wire that is read")
                known[wire] = 0
                done.add(wire)
            elif not needed:
                order.append(wire)
                done.add(wire)
            elif wire in entered:
                raise UnclearError("a gate depends on itself")
            else:
                entered.add(wire)
                stack += needed
        return order


def read(
    folder: Path, script: Sequence[str], top: str, open_is_low: bool = False, seconds: float | None = None
) -> Circuit:
    """The circuit of a module that Yosys commands read in a folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     text = "module top (input c, input d, output reg q = 1); always @(posedge c) q <= ~d; endmodule"
    ...     _ = (Path(name) / "top.v").write_text(text)
    ...     found = read(Path(name), ["read_verilog top.v", "hierarchy -top top", "proc"], "top")
    >>> list(found.inputs), list(found.outputs), [register.start for register in found.registers.values()]
    (['c', 'd'], ['q'], [1])
    """
    chosen = [_CHOOSE, "opt_merge", "opt_clean"] if open_is_low else []
    yosys.run([*script, *_TO_GATES, *chosen, "aigmap", "clean", "write_json circuit.json"], folder, seconds)
    return Circuit(json.loads((folder / "circuit.json").read_text())["modules"][top], open_is_low)
