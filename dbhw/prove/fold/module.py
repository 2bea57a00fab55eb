"""One module of a folded core, as Yosys reads it, with the modules inside it left closed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dbhw.prove.clocked.gates import Wire


@dataclass
class Module:
    """A Verilog module in Yosys' JSON, as gates, registers and instances of other modules."""

    data: dict[str, Any]
    drivers: dict[Wire, tuple[str, dict[str, Wire]]] = field(default_factory=dict)
    instances: dict[str, dict[str, list[Wire]]] = field(default_factory=dict)
    starts: dict[Wire, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for cell in self.data["cells"].values():
            pins = cell["connections"]
            if not cell["type"].startswith("$"):
                self.instances[cell["type"]] = pins
                continue
            single = {pin: bits[0] for pin, bits in pins.items()}
            self.drivers[single["Q"] if "Q" in single else single["Y"]] = cell["type"], single
        for net in self.data["netnames"].values():
            self.starts.update(zip(net["bits"], reversed(net.get("attributes", {}).get("init", "")), strict=False))

    def port(self, name: str) -> list[Wire]:
        """The wires of a port, the lowest first; none if there is no such port."""
        return self.data["ports"].get(name, {}).get("bits", [])
