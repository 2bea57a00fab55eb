"""nextpnr: running it, and reading its log and its report."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbhw.tools import process

REPORT = "report.json"


@dataclass(frozen=True)
class Use:
    """How many cells of a kind a design uses, of how many that the part has."""

    used: int
    available: int


@dataclass(frozen=True)
class CriticalPath:
    """The longest path between two registers: its two ends, and its nanoseconds in cells and in wires."""

    start: str
    end: str
    through: int  # cells between the two; a look-up table that shares a cell with the last register is not counted
    logic_ns: float
    routing_ns: float


@dataclass(frozen=True)
class Report:
    """What nextpnr reports: cells by their kind, the clock that was reached, and the paths as it writes them."""

    cells: dict[str, Use]
    fmax_mhz: float  # infinite where nothing is clocked
    paths: list[dict[str, Any]]

    def used(self, kinds: Sequence[str]) -> int:
        """How many cells of some kinds are used."""
        return sum(self.cells[kind].used for kind in kinds if kind in self.cells)

    def available(self, kinds: Sequence[str]) -> int:
        """How many cells of some kinds the part has."""
        return sum(self.cells[kind].available for kind in kinds)

    def critical_path(self) -> CriticalPath:
        """The longest path from the clock to the clock, with nextpnr's names of the cells at its ends."""
        inside = [p for p in self.paths if "async" not in p["from"] + p["to"]]
        path = max(inside, key=lambda p: sum(hop["delay"] for hop in p["path"]))["path"]
        routing = sum(hop["delay"] for hop in path if hop["type"] == "routing")
        total = sum(hop["delay"] for hop in path)
        through = sum(hop["type"] == "logic" for hop in path)
        ends = path[0]["from"]["cell"], path[-1]["to"]["cell"]
        return CriticalPath(*ends, through, round(total - routing, 2), round(routing, 2))


def run(program: str, netlist: str, options: Sequence[str], folder: Path, *, megahertz: float, seed: int = 1) -> Report:
    """Places and routes a netlist in a folder, where the report stays; a `ToolError` with the log if that fails.

    A clock that is not reached is no failure: the report says which is. With one seed the placement is always the same.

    >>> run("nextpnr-cpld", "top.json", [], Path("."), megahertz=12)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: nextpnr-cpld must be installed to place and route, but it is not found
    """
    files = ["--json", netlist, "--report", REPORT]
    goal = ["--seed", str(seed), "--freq", f"{megahertz:g}", "--timing-allow-fail"]
    process.run(program, [process.find(program, "to place and route"), *options, *files, *goal], folder)
    return read(json.loads((folder / REPORT).read_text()))


def read(report: dict[str, Any]) -> Report:
    """Reads a report.

    >>> clocks = {"clk": {"achieved": 70.5, "constraint": 12.0}, "pll": {"achieved": 98.5, "constraint": 60.0}}
    >>> read({"utilization": {"LUT4": {"used": 2, "available": 8640}}, "fmax": clocks, "critical_paths": []})
    Report(cells={'LUT4': Use(used=2, available=8640)}, fmax_mhz=70.5, paths=[])
    """
    cells = {kind: Use(use["used"], use["available"]) for kind, use in report["utilization"].items()}
    fmax = min((clock["achieved"] for clock in report["fmax"].values()), default=float("inf"))
    return Report(cells, fmax, report["critical_paths"])


def logged_cells(log: str) -> dict[str, Use]:
    """What a log says of the cells by their kind; where a design does not fit there is no report.

    >>> logged_cells("Info:\\t         ICESTORM_LC:  1402/  1280   109%")
    {'ICESTORM_LC': Use(used=1402, available=1280)}
    """
    found = re.findall(r"(\w+):\s*(\d+)/\s*(\d+)\s+\d+%", log)
    return {kind: Use(int(used), int(available)) for kind, used, available in found}
