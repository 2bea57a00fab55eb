"""Wrappers side by side in one simulation: their ports, their Verilog, and the plan of the bench."""

import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from dbhw.sim.run import run_bench
from dbhw.tools import yosys


@dataclass
class Top:
    """A top level whose ports are those of its parts, with the part's name in front; clock and reset are shared."""

    texts: dict[str, str] = field(default_factory=dict)
    ports: list[str] = field(default_factory=list)
    instances: list[str] = field(default_factory=list)
    plan: dict = field(default_factory=dict)

    def add(self, name, module, verilog, ports, shared, own):
        """A part: `ports` are (name, direction, width), `shared` are those that take the clock or the reset."""
        self.texts |= verilog
        wired = [f".{port}({wire})" for port, wire in shared.items()]
        for port, direction, width in ports:
            if port not in shared:
                self.ports.append((f"{name}_{port}", direction, width))
                wired.append(f".{port}({name}_{port})")
        self.instances.append(f"  {module} {name}_i ({', '.join(wired)});")
        idle = [f"{name}_{port}" for port, direction, _ in ports if direction == "in" and port not in shared]
        self.plan[name] = {**own, "idle": idle}

    def simulate(self):
        """How many values of each part were wrong."""
        head = ", ".join(f"{direction}put wire [{width - 1}:0] {name}" for name, direction, width in self.ports)
        top = "\n".join([f"module top (input wire clk, input wire rst, {head});", *self.instances, "endmodule", ""])
        names = ["clk", "rst", *(name for name, _, _ in self.ports)]
        text = "\n".join([*self.texts.values(), top])
        return run_bench("tests.kit.bench_wrappers", text, self.plan, "top", names, "verilator")[1]


def ports_of(verilog, module):
    """The ports of a module as Yosys reads them: (name, direction, width)."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "all.v").write_text(verilog)
        yosys.run(["read_verilog all.v", f"hierarchy -top {module}", "proc", "write_json all.json"], folder)
        found = json.loads((Path(folder) / "all.json").read_text())["modules"][module]["ports"]
    return [(name, port["direction"].removesuffix("put"), len(port["bits"])) for name, port in found.items()]
