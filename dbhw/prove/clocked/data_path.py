"""The data path of a pipeline, gate by gate: how many registers its paths have, and its logic without them."""

from __future__ import annotations

from dataclasses import dataclass, field

from dbhw.logic.formats.blif import bit_names
from dbhw.prove.clocked.gates import CONSTANTS, READS, Gates, Part, Wire, is_register

CONTROL_INPUTS = ["rst", "x_valid", "y_ready"]
CONTROL_OUTPUTS = ["x_ready", "y_valid"]


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
        self.outputs = {n: bits for n, bits in self.gates.outputs.items() if n not in CONTROL_OUTPUTS}
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
