"""Place and route of a core by itself: which clock it reaches on a real part, and where its longest path is.

A harness around the core keeps the part's pins out of the measurement. A shift register fills the registers that feed
the inputs, and the outputs go into registers that are folded into one bit, with a single look-up table between
registers. The inputs are inverted: otherwise Yosys would merge registers of the core with those of the harness.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import median
from typing import Any

from dbhw.base import terminal
from dbhw.base.errors import DbhwError, one_of
from dbhw.fpga import families
from dbhw.fpga.family import Family, PlaceAndRoute
from dbhw.fpga.synth import synthesis_script
from dbhw.tools import nextpnr, process, yosys
from dbhw.tools.nextpnr import CriticalPath, Report

_NEAR_PINS = 4  # registers between a pin and the harness, so that no pin pulls the core across the part
_OUT_OF_REACH_MHZ = 1000  # a clock for which nextpnr does its best


@dataclass(frozen=True)
class Placed:
    """A core after place and route in its harness; cells and path are those of the seed with the median clock."""

    target: str
    part: str
    fmax_mhz: float
    fmax_by_seed: list[float]
    luts: int
    luts_available: int
    ffs: int
    ffs_available: int
    critical_path: CriticalPath


def tools_for(target: str) -> PlaceAndRoute:
    """The tools that place on a target; an error for a family without open tools, or where they are not installed.

    >>> tools_for("xilinx")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: target to place on must be one of ecp5, gowin, ice40, not 'xilinx'
    """
    open_families = [name for name in families.names() if families.find(name).place_and_route]
    tools = families.find(target).place_and_route if target in open_families else None
    if tools is None:
        raise one_of("target to place on", target, open_families)
    if missing := process.missing(tools.packages[:1]):
        raise DbhwError(f"{missing[0]} must be installed to place on {target}: pip install dbhw[boards]")
    return tools


def harness(module: str, inputs: dict[str, int], outputs: dict[str, int]) -> str:
    """The Verilog of a top with three pins around a core; `clk` is wired to the clock if the core has it.

    >>> "net core (.clk(clk), .x(fed[3:0]), .y(given[0:0]));" in harness("net", {"clk": 1, "x": 4}, {"y": 1})
    True
    """
    wired, n, m = [], 0, 0
    for name, width in inputs.items():
        if name == "clk":
            wired.append(".clk(clk)")
        else:
            wired.append(f".{name}(fed[{n + width - 1}:{n}])")
            n += width
    for name, width in outputs.items():
        wired.append(f".{name}(given[{m + width - 1}:{m}])")
        m += width
    first, last = n + _NEAR_PINS, m + _NEAR_PINS
    return f"""module top (input wire clk, input wire d, output wire q);
  reg [{first - 1}:0] shift;
  reg [{n - 1}:0] fed;
  wire [{m - 1}:0] given;
  reg [{m - 1}:0] kept;
  reg [{last - 1}:0] fold;
  {module} core ({", ".join(wired)});
  always @(posedge clk) begin
    shift <= {{shift[{first - 2}:0], d}};
    fed <= ~shift[{first - 1}:{_NEAR_PINS}];
    kept <= given;
    fold <= {{fold[{last - 2}:{m - 1}], {f"fold[{m - 2}:0], " if m > 1 else ""}1'b0}} ^ {{{_NEAR_PINS}'b0, kept}};
  end
  assign q = fold[{last - 1}];
endmodule
"""


def place(verilog: str, module: str, target: str, seeds: tuple[int, ...] = (1, 2, 3, 4, 5)) -> Placed:
    """Synthesises, places and routes a core for each seed.

    >>> place("module net (input wire x, output wire y); assign y = ~x; endmodule", "net", "cpld")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: target to place on must be one of ecp5, gowin, ice40, not 'cpld'
    """
    tools = tools_for(target)
    script = synthesis_script(target, "top", tools.synthesis_options)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "net.v").write_text(verilog)
        (folder / "top.v").write_text(harness(module, *_ports(folder, module)))
        (folder / "pins.txt").write_text(tools.measured.pins)
        yosys.run(["read_verilog net.v", "read_verilog top.v", *script, "write_json top.json"], folder)
        with terminal.progress(len(seeds), f"placing and routing for {target}") as bar:
            reports = []
            for seed in seeds:
                reports.append(_route(folder, tools, seed))
                bar.update(1)
        reports.sort(key=lambda report: report.fmax_mhz)
        registers = _registers(families.find(target), json.loads((folder / "top.json").read_text())["modules"]["top"])
    return _summary(target, tools, reports, registers)


def _summary(target: str, tools: PlaceAndRoute, reports: list[Report], registers: dict[str, str]) -> Placed:
    middle = reports[len(reports) // 2]
    luts, path = middle.use(tools.lut_cells), middle.critical_path()
    return Placed(
        target,
        tools.measured.name,
        round(median(report.fmax_mhz for report in reports), 1),
        [round(report.fmax_mhz, 1) for report in reports],
        luts.used,
        luts.available,
        len(registers),
        middle.use(tools.ff_cells or tools.lut_cells).available,
        replace(path, start=_register(path.start, registers), end=_register(path.end, registers)),
    )


def _ports(folder: Path, module: str) -> tuple[dict[str, int], dict[str, int]]:
    yosys.run(["read_verilog net.v", f"hierarchy -check -top {module}", "proc", "write_json ports.json"], folder)
    ports = json.loads((folder / "ports.json").read_text())["modules"][module]["ports"].items()
    inputs, outputs = (
        {name: len(port["bits"]) for name, port in ports if port["direction"] == side} for side in ("input", "output")
    )
    return inputs, outputs


def _route(folder: Path, tools: PlaceAndRoute, seed: int) -> Report:
    options = tools.measured.options
    try:
        return nextpnr.run(tools.nextpnr, "top.json", options, folder, megahertz=_OUT_OF_REACH_MHZ, seed=seed)
    except process.ToolError as failed:
        for kind, use in nextpnr.logged_cells(failed.output).items():
            if use.used > use.available:
                raise DbhwError(
                    f"net must fit the {tools.measured.name} to be placed:"
                    f" it has {use.available} {kind}, and {use.used} are needed"
                ) from failed
        raise


def _registers(family: Family, module: dict[str, Any]) -> dict[str, str]:
    """What the Verilog calls each register, by the name that Yosys gave its cell."""
    named: dict[int | str, str] = {}
    for name, net in module["netnames"].items():
        for i, bit in enumerate(net["bits"]):
            here = f"{name}[{i}]" if len(net["bits"]) > 1 else name
            # Of several names, one from the Verilog before one that Yosys made up, and the shortest of those.
            if bit not in named or (not net["hide_name"] and len(here) < len(named[bit])):
                named[bit] = here
    cells = module["cells"].items()
    return {
        name: named[cell["connections"]["Q"][0]] for name, cell in cells if fnmatchcase(cell["type"], family.flip_flops)
    }


def _register(cell: str, registers: dict[str, str]) -> str:
    """The name of the register in a cell; nextpnr lengthens the name of a cell that it packs a look-up table into."""
    found = [name for name in registers if cell == name or cell.startswith(f"{name}_")]
    return registers[max(found, key=len)] if found else cell
