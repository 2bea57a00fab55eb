"""Synthesis for a family of FPGAs with Yosys, and what it costs there: look-up tables, flip-flops, carries, depth."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dbhw.base.errors import one_of
from dbhw.tools import yosys


@dataclass(frozen=True)
class Target:
    """A family: its synthesis command, the models of its cells, and which cells are what."""

    command: str
    models: str
    luts: dict[str, int]  # patterns of cell names, and how many look-up tables one such cell takes up
    flip_flops: str
    carries: str
    lut_inputs: int = 4


# ABC compares what it mapped with what it was given, which for large sums takes far longer than all the rest; we prove
# the netlist as a whole (dbhw.prove.equivalence), and there a wrong one is refused too.
_UNVERIFIED = "scratchpad -set abc9.verify false"

# Wide multiplexers between look-up tables are left out where they cost more tables than they save.
TARGETS: dict[str, Target] = {
    "ecp5": Target(
        "synth_lattice -family ecp5 -flatten -nowidelut",
        "lattice/cells_sim_ecp5.v",
        {r"LUT4": 1, r"CCU2C": 2},
        r"TRELLIS_FF",
        r"CCU2C",
    ),
    "gowin": Target(
        "synth_gowin -noiopads -nowidelut", "gowin/cells_sim.v", {r"LUT\d|INV": 1, r"ALU": 1}, r"DFF\w*", r"ALU"
    ),
    "ice40": Target("synth_ice40 -flatten", "ice40/cells_sim.v", {r"SB_LUT4": 1}, r"SB_DFF\w*", r"SB_CARRY"),
    "xilinx": Target(
        "synth_xilinx -flatten -noiopad -noclkbuf", "xilinx/cells_sim.v", {r"LUT\d|INV": 1}, r"FD\w+", r"CARRY\d", 6
    ),
}


@dataclass(frozen=True)
class Area:
    """What a design costs on a target. The depth is in cells on the longest path between registers or ports."""

    target: str
    luts: int
    ffs: int
    carries: int
    depth: int


def check_target(target: str) -> None:
    """Refuses a family that is not known.

    >>> check_target("ice40")
    """
    if target not in TARGETS:
        raise one_of("target", target, sorted(TARGETS))


def synthesis_script(target: str, module: str) -> list[str]:
    """The Yosys commands that synthesise a module for a target.

    >>> synthesis_script("ice40", "net")[-1]
    'synth_ice40 -flatten -top net'
    """
    check_target(target)
    return [_UNVERIFIED, f"{TARGETS[target].command} -top {module}"]


def synthesise(verilog: str, target: str, module: str = "net") -> Area:
    """Synthesises Verilog and counts the cells.

    >>> text = "module net (input wire [1:0] x, output wire y); assign y = ^x; endmodule"
    >>> synthesise(text, "ice40")
    Area(target='ice40', luts=1, ffs=0, carries=0, depth=1)
    """
    script = synthesis_script(target, module)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "net.v").write_text(verilog)
        # A path ends at a register: with the registers gone, what is left between them is what is deep.
        registers = re.sub(r"\\w[*+]", "*", TARGETS[target].flip_flops)
        depth_script = [f"delete t:{registers} t:SRL*", "tee -o depth.txt ltp -noff"]
        yosys.run(["read_verilog net.v", *script, "tee -o stat.json stat -json", *depth_script], folder)
        stat = json.loads((folder / "stat.json").read_text())
        depth = re.search(r"length=(\d+)", (folder / "depth.txt").read_text())
    cells: dict[str, int] = stat["modules"][f"\\{module}"]["num_cells_by_type"]
    kinds = TARGETS[target]

    def total(pattern: str) -> int:
        return sum(n for cell, n in cells.items() if re.fullmatch(pattern, cell))

    luts = sum(each * total(pattern) for pattern, each in kinds.luts.items())
    return Area(target, luts, total(kinds.flip_flops), total(kinds.carries), int(depth[1]) if depth else 0)
