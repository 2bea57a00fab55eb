"""Synthesis for a family of FPGAs with Yosys, and its cost there: look-up tables, flip-flops, carries, depth."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dbhw.base import terminal
from dbhw.fpga import families
from dbhw.fpga.family import total
from dbhw.tools import yosys

# ABC compares what it mapped with what it was given, which for large sums takes far longer than all the rest; we prove
# the netlist as a whole (dbhw.prove.equivalence), and a wrong one is refused there too.
_UNVERIFIED = "scratchpad -set abc9.verify false"
# An index or a range that is no number, an array of registers, or cases.
_MEMORY = re.compile(r"\[(?!\s*\d+\s*(?::\s*\d+\s*)?\])|\breg\b[^;]*[\w ]\[[^]]*\]\s*[;,=]|\bcase[xz]?\b")
# An assignment of a sum of products, as the tables of a net are written.
_TABLE = re.compile(r"^ *assign [^=]*= \(.* \| \(.*;$", re.MULTILINE)
_LARGE = 200_000  # characters of Verilog: synthesis of less takes seconds
STATISTICS = "tee -q -o stat.json stat -json"  # the Yosys command that counts cells, for `cells_by_type`


@dataclass(frozen=True)
class Area:
    """What a design costs on a target. The depth is in cells on the longest path between registers or ports."""

    target: str
    luts: int
    ffs: int
    carries: int
    depth: int
    rams: int = 0  # block RAMs


def synthesis_script(target: str, module: str, options: str | None = None, verilog: str = "") -> list[str]:
    """The Yosys commands that synthesise a module for a target; options that are not given are those without pins.

    `verilog` is the text, which Yosys has read. If it is known, stages that do nothing to it are left out: that which
    maps memories takes most of the time for a small core.

    >>> synthesis_script("ice40", "net")[-1]
    'synth_ice40 -flatten -top net'
    >>> synthesis_script("ice40", "net", verilog="module net; endmodule")[1:]
    ['synth_ice40 -flatten -top net -run :map_ram', 'synth_ice40 -flatten -top net -run map_ffram:']
    >>> synthesis_script("gowin", "net")[-1], synthesis_script("gowin", "top", "-noalu")[-1]
    ('synth_gowin -nowidelut -noiopads -top net', 'synth_gowin -nowidelut -noalu -top top')
    >>> text = "module net (input wire clk, a, b, output reg y); always @(posedge clk) y <= a OF b; endmodule"
    >>> [len(synthesis_script("xilinx", "net", verilog=text.replace("OF", operator))) for operator in "&+"]
    [13, 5]
    """
    family = families.find(target)
    stages, first = family.stages, ""
    command = " ".join(
        [family.synthesis, *(family.without_pins if options is None else options).split(), f"-top {module}"]
    )
    tables_first = _tables_first(module, verilog) if family.tables else []
    script = [*tables_first, _UNVERIFIED]
    if stages and stages.cells and options is None:
        script += [f"read_verilog -lib -specify +/{stages.cells}", f"hierarchy -check -top {module}"]
        first = stages.prepared
    if tables_first and not _is_pipeline_of_bits(verilog):
        # Synthesis would search for tables once more. Of inverters it makes something better.
        script.append(f"techmap {family.tables} t:$lut r:WIDTH>1 %i")
    if stages and verilog and not has_memories(verilog):
        return [*script, f"{command} -run {first}:{stages.memories}", f"{command} -run {stages.after_memories}:"]
    return [*script, f"{command} -run {first}:" if first else command]


def has_memories(verilog: str) -> bool:
    """Whether Yosys may find a memory in Verilog: an array, a choice of cases, or a bit at a place that is computed.

    >>> has_memories("reg [7:0] rows [0:3];"), has_memories("assign y = rows[place];")
    (True, True)
    >>> has_memories("reg [7:0] row; assign y = row[3] & row[7:4] == 4'h2;")
    False
    """
    return _MEMORY.search(verilog) is not None


def _is_pipeline_of_bits(verilog: str) -> bool:
    """Whether a text has registers, and no sums, comparisons or memories, for which synthesis has means of its own.

    Nor enables and resets, as a stream has: after tables Yosys would make other gates of them.
    """
    code = re.sub(r"//.*|<=", "", verilog)
    return "posedge" in code and not re.search(r"[-+*/%<>]|\breg\b[^;]*\w\s*\[|\bif\b", code)


def _is_mostly_tables(verilog: str) -> bool:
    """Whether most of a large text is tables.

    Those of other nets are small parts of counts, and look-up tables that see through both are fewer.
    """
    return len(verilog) > _LARGE and 2 * sum(len(found[0]) for found in _TABLE.finditer(verilog)) > len(verilog)


def _tables_first(module: str, verilog: str) -> list[str]:
    """Commands that make six-input tables of expressions of bits, if that is likely to cost none.

    There are some sixty operators for a table of six inputs, and twenty passes of Yosys would go through all of them.
    With tables of four inputs this was measured to cost tables.
    """
    to_tables, begin = "abc -lut 6 -script +strash;if,-K,6", f"hierarchy -check -top {module}"
    if _is_pipeline_of_bits(verilog):
        return [begin, "proc", *yosys.FLATTEN, "opt_clean", "techmap", "opt_clean", to_tables]
    if _is_mostly_tables(verilog):
        # Counts stay numbers, for which there are carry chains; what is kept apart is left alone.
        chosen = "A:keep_hierarchy %n"
        gates = (f"simplemap {yosys.GATES} {chosen} %i", f"select {chosen}")
        return [begin, "proc", "opt_clean", *gates, to_tables, "select -clear"]
    return []


def synthesise(verilog: str, target: str, module: str = "net") -> Area:
    """Synthesises Verilog and counts the cells.

    >>> text = "module net (input wire [1:0] x, output wire y); assign y = ^x; endmodule"
    >>> synthesise(text, "ice40")
    Area(target='ice40', luts=1, ffs=0, carries=0, depth=1, rams=0)
    """
    family = families.find(target)
    with terminal.working(f"synthesising for {target}"), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "net.v").write_text(verilog)
        # A path ends at a register: without the registers, the longest path is the longest between them.
        memories = " ".join(f"t:{pattern}" for pattern in family.rams)
        depth_script = [f"delete t:{family.flip_flops} t:SRL* {memories}", "tee -o depth.txt ltp -noff"]
        commands = synthesis_script(target, module, verilog=verilog)
        script = [*commands, *yosys.FLATTEN, STATISTICS, *depth_script]
        yosys.run(["read_verilog net.v", *script], folder)
        cells = cells_by_type((folder / "stat.json").read_text(), module)
        depth = re.search(r"length=(\d+)", (folder / "depth.txt").read_text())
    flip_flops, carries = (total({pattern: 1}, cells) for pattern in (family.flip_flops, family.carries))
    levels = int(depth[1]) if depth else 0
    return Area(target, total(family.luts, cells), flip_flops, carries, levels, total(family.rams, cells))


def cells_by_type(statistics: str, module: str) -> dict[str, int]:
    r"""How many cells of each type Yosys counted in a module.

    >>> cells_by_type('{"modules": {"\\\\net": {"num_cells_by_type": {"SB_LUT4": 2}}}}', "net")
    {'SB_LUT4': 2}
    """
    return json.loads(statistics)["modules"][f"\\{module}"]["num_cells_by_type"]
