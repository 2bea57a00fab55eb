"""EDIF, as Xilinx tools read it: look-up tables of up to six inputs, mapped by Yosys."""

from __future__ import annotations

import tempfile
from pathlib import Path

from dbhw.logic.formats import verilog
from dbhw.logic.network import Network
from dbhw.tools import yosys


def write(network: Network) -> str:
    """The network as an EDIF netlist of the cells LUT1 to LUT6, INV, GND and VCC.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b])])
    >>> "(cellRef LUT2" in write(n)
    True
    """
    script = [
        *("read_verilog net.v", f"hierarchy -top {verilog.MODULE}", "proc", "techmap", "abc -lut 6", "opt_lut_ins"),
        *("techmap -D LUT_WIDTH=6 -map +/xilinx/lut_map.v", "read_verilog -lib cells.v", "opt_clean -purge"),
        f"write_edif -top {verilog.MODULE} -pvector bra net.edif",
    ]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "net.v").write_text(verilog.write(network))
        (Path(folder) / "cells.v").write_text(_cells())
        yosys.run(script, folder)
        return (Path(folder) / "net.edif").read_text()


def _cells() -> str:
    """The directions of the cells' pins: all of Xilinx's cells would be listed in the file, used or not."""
    cells = ["module INV (output O, input I); endmodule"]
    for n in range(1, 7):
        pins = ", ".join(f"input I{i}" for i in range(n))
        cells.append(f"module LUT{n} (output O, {pins}); parameter INIT = 0; endmodule")
    return "\n".join([*cells, ""])
