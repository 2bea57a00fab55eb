"""A combinational module as a network of look-up tables: what pipelining places its registers in.

Yosys reads the module and breaks its sums into gates, and ABC maps the gates to tables with the least depth.
"""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dbhw.logic import truth
from dbhw.rtl.arithmetic.count import check_lut_inputs
from dbhw.tools import abc, yosys

FALSE, TRUE = -2, -1  # the constants, where a node is asked for
_SECONDS_FOR_NAMES = 20
_LARGE = 500_000  # characters of Verilog
# For each pair of nodes that ABC might choose between. Choices for large nets take a fifth of the time, and are as
# good; of small ones, which take no time, a few were measured to get one level deeper.
_LITTLE_EFFORT = ",-C,10,-S,10"
_CONSTANTS: dict[int | str, int] = {"0": FALSE, "1": TRUE, "x": FALSE}


@dataclass(frozen=True)
class Luts:
    """Nodes are numbered: the bits of `x`, then the tables, each after those it reads."""

    inputs: int
    tables: list[int]
    fanins: list[tuple[int, ...]]
    outputs: dict[str, list[int]]  # the node of each bit of a port, the lowest first
    names: dict[int, str] = field(default_factory=dict)  # of tables that have the value of a wire in the module

    def __len__(self) -> int:
        return self.inputs + len(self.tables)

    def fanin(self, node: int) -> tuple[int, ...]:
        return self.fanins[node - self.inputs] if node >= self.inputs else ()

    def levels(self) -> list[int]:
        """How many tables lie on the longest path to each node, itself included.

        >>> Luts(2, [0b0110, 0b01], [(0, 1), (2,)], {"y": [3]}).levels()
        [0, 0, 1, 2]
        """
        found: list[int] = []
        for node in range(len(self)):
            found.append(1 + max(found[f] for f in self.fanin(node)) if node >= self.inputs else 0)
        return found


def map_to_luts(verilog: str, module: str, lut_inputs: int) -> Luts:
    """The tables of a combinational module with the one input port `x`.

    >>> text = "module net (input wire [2:0] x, output wire y); assign y = x[0] ^ x[1]; endmodule"
    >>> found = map_to_luts(text, "net", 4)
    >>> found.inputs, found.tables, found.outputs
    (3, [6], {'y': [3]})
    """
    check_lut_inputs(lut_inputs)
    effort = _LITTLE_EFFORT if len(verilog) > _LARGE else ""
    script = [
        "read_verilog net.v",
        f"hierarchy -check -top {module}",
        *("proc", *yosys.FLATTEN, "opt_clean", "alumacc", "techmap", "opt_clean", "design -save gates"),
        # Sums of products are rebalanced, then mapped for depth. Yosys' own script takes far too long on adder trees.
        f"abc -lut {lut_inputs} -script +strash;if,-g;strash;dch,-f{effort};if,-K,{lut_inputs}",
        *("opt_clean", "write_json luts.json"),
        *("design -load gates", "expose w:[!$]*", "write_blif gates.blif"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "net.v").write_text(verilog)
        yosys.run(script, folder)
        luts = _read(json.loads((Path(folder) / "luts.json").read_text())["modules"][module])
        luts.names.update(_names(luts, Path(folder)))
        return luts


def _read(module: dict[str, Any]) -> Luts:
    x = module["ports"]["x"]["bits"]
    nodes: dict[int | str, int] = {**_CONSTANTS, **{bit: i for i, bit in enumerate(x)}}
    drivers = {cell["connections"]["Y"][0]: cell for cell in module["cells"].values() if cell["type"] == "$lut"}
    luts = Luts(len(x), [], [], {})
    ports = {name: port["bits"] for name, port in module["ports"].items() if port["direction"] == "output"}
    # A stack instead of recursion: a chain of tables may be long.
    stack = [bit for bits in ports.values() for bit in bits]
    while stack:
        bit = stack[-1]
        needed = [] if bit in nodes else [b for b in drivers[bit]["connections"]["A"] if b not in nodes]
        if needed:
            stack += needed
            continue
        stack.pop()
        if bit not in nodes:
            nodes[bit] = _add(luts, drivers[bit], nodes)
    luts.outputs.update({name: [nodes[bit] for bit in bits] for name, bits in ports.items()})
    return luts


def _add(luts: Luts, cell: dict[str, Any], nodes: dict[int | str, int]) -> int:
    """The node of a cell; of its inputs only those that matter, in order."""
    fanin = [nodes[bit] for bit in cell["connections"]["A"]]
    table = int(cell["parameters"]["LUT"], 2)
    for j, node in enumerate(fanin):
        if node < 0:
            table = _with_constant(table, len(fanin), j, node == TRUE)
    keep = sorted(truth.essential(table, len(fanin)), key=lambda j: fanin[j])
    if not keep:
        return TRUE if table & 1 else FALSE
    luts.tables.append(truth.restrict(table, keep))
    luts.fanins.append(tuple(fanin[j] for j in keep))
    return len(luts) - 1


def _with_constant(table: int, n: int, j: int, value: bool) -> int:
    return sum((table >> (i & ~(1 << j) | value << j) & 1) << i for i in range(1 << n))


def _names(luts: Luts, folder: Path) -> dict[int, str]:
    """The wire that each table has the value of, if there is one.

    ABC keeps no names, and a wire that it must keep would cost tables. So gates and tables go into one netlist, where
    ABC merges bits of equal value, which it proves by SAT. What it does not find in time has no name.
    """
    head, outputs, gates = (folder / "gates.blif").read_text().partition("\n.outputs ")
    wires, _, gates = gates.partition("\n")
    nodes = [*head.partition(".inputs ")[2].split(), *(f"table${i}" for i in range(len(luts.tables)))]
    whole = [f"{head}{outputs}{wires} {' '.join(nodes[luts.inputs :])}", gates.replace(".end", "")]
    for node in range(luts.inputs, len(luts)):
        whole.append(f".names {' '.join(nodes[f] for f in (*luts.fanin(node), node))}")
        table, n = luts.tables[node - luts.inputs], len(luts.fanin(node))
        whole += ["".join(str(i >> j & 1) for j in range(n)) + " 1" for i in range(1 << n) if table >> i & 1]
    (folder / "all.blif").write_text("\n".join([*whole, ".end", ""]))
    script = ["read_blif all.blif", "strash", "fraig", "write_blif merged.blif"]
    if not abc.run(script, folder, seconds=_SECONDS_FOR_NAMES):
        return {}
    buffers = re.findall(r"^\.names (\S+) (\S+)\n1 1$", (folder / "merged.blif").read_text(), re.MULTILINE)
    driver = {driven: name for name, driven in buffers}
    shortest: dict[str, str] = {}
    for wire in sorted(wires.split(), key=lambda wire: ("." in wire, len(wire))):
        if re.split(r"\W", wire)[0] not in luts.outputs and not wire.startswith("unused"):
            shortest.setdefault(driver.get(wire, wire), wire)
    found = {node: driver.get(nodes[node], nodes[node]) for node in range(luts.inputs, len(luts))}
    return {node: shortest[value] for node, value in found.items() if value in shortest}
