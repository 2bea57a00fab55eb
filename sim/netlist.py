"""The netlist that Yosys synthesises for a family of FPGAs, with models of the family's cells: it simulates."""

from __future__ import annotations

import importlib.util
import re
import tempfile
from pathlib import Path

from dbhw.fpga import families
from dbhw.fpga.synth import synthesis_script
from dbhw.tools import yosys
from dbhw.tools.process import ToolError

_INCLUDE = re.compile(r'^\s*`include "(.*)"', re.MULTILINE)
_DELAYS = re.compile(r"^\s*specify\b.*?\bendspecify\b", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"\w+")
_MODULE = re.compile(r"^\s*module\s+(\w+).*?\bendmodule\b", re.MULTILINE | re.DOTALL)


def netlist(verilog: str, module: str, target: str, seconds: float | None = None) -> str:
    """Verilog of the synthesised module: cells of the family, then the models that Yosys has of them.

    >>> text = "module net (input wire [1:0] x, output wire y); assign y = ^x; endmodule"
    >>> made = netlist(text, "net", "ice40")
    >>> made.count("SB_LUT4 #("), "module SB_LUT4" in made, "assign y = ^x" in made
    (1, True, False)
    """
    with tempfile.TemporaryDirectory(prefix="dbhw-") as name:
        folder = Path(name)
        (folder / "net.v").write_text(verilog)
        script = ["read_verilog net.v", *synthesis_script(target, module, verilog=verilog), *yosys.FLATTEN]
        yosys.run([*script, "write_verilog -noattr -norename netlist.v"], folder, seconds)
        made = (folder / "netlist.v").read_text()
    return f"{made}\n{cell_models(target, made)}"


def cell_models(target: str, text: str) -> str:
    """The models that Yosys has of a family's cells, as far as a text of Verilog uses them.

    >>> made = cell_models("xilinx", "LUT6 #(...) a (...);")
    >>> "module LUT6 " in made or "module LUT6(" in made, "module CARRY4" in made
    (True, False)
    """
    found = importlib.util.find_spec("pyosys")
    if found is None or found.origin is None:
        raise ToolError("the pyosys package is missing: install dbhw again")
    path = Path(found.origin).parent / "share" / families.find(target).models
    # Delays mean nothing here, and not every simulator reads them; nor inputs with a value where nothing is connected.
    models = _DELAYS.sub("", _with_includes(path))
    bodies = {found[1]: found[0] for found in _MODULE.finditer(models)}
    used: set[str] = set()
    new = set(_WORD.findall(text)) & bodies.keys()
    while new:
        used |= new
        new = {word for name in new for word in _WORD.findall(bodies[name])} & bodies.keys() - used
    # What is left out is not Verilog for every simulator, or is there twice.
    left = _MODULE.sub(lambda found: found[0] if found[1] in used and found[0] == bodies[found[1]] else "", models)
    return f"`define NO_ICE40_DEFAULT_ASSIGNMENTS\n{left}"


def _with_includes(path: Path) -> str:
    return _INCLUDE.sub(lambda found: _with_includes(path.parent / found[1]), path.read_text())
