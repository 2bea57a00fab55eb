"""What the toolkit knows of a family of FPGAs: how to synthesise for it, and how to place, route and pack a bitstream.

Each family is one file in `families`. A pattern of cells is a name with `*` and `?`, as in a shell and as Yosys has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class MeasuredPart:
    """The part that a core without a board is placed on, to measure the clock it reaches."""

    name: str
    options: tuple[str, ...]  # that name the part to nextpnr
    pins: str = ""  # the file pins.txt, for a nextpnr that does not choose the pins itself


@dataclass(frozen=True)
class PlaceAndRoute:
    """Open tools that make a bitstream: their Python packages, the files between them, and nextpnr's names of cells.

    Commands name files in the folder of the build; a board adds its own options to them.
    """

    packages: tuple[str, ...]  # nextpnr's first, then the packer's if that is another
    nextpnr: str
    netlist: str  # the file that Amaranth's Yosys script writes
    constraints: str  # the file to which Amaranth writes pins and clocks
    files: tuple[str, ...]  # nextpnr's options for the constraints and for its output
    pack: tuple[str, ...]
    bitstream: str
    lut_cells: tuple[str, ...]
    ff_cells: tuple[str, ...]  # none where one cell holds a look-up table and a flip-flop
    ram_cells: tuple[str, ...]
    measured: MeasuredPart
    placed: str = ""  # the file to which nextpnr writes where it put what, if the bitstream can be read back
    synthesis_options: str = ""  # for what is placed
    board_synthesis_options: str = ""  # what Amaranth's script lacks


@dataclass(frozen=True)
class Project:
    """What Amaranth writes for the vendor's tool, and the bitstream that this makes of it."""

    tool: str
    files: tuple[str, ...]
    bitstream: str


@dataclass(frozen=True)
class Stages:
    """Labels of a synthesis command of Yosys, so that a core need not wait for stages that do nothing to it.

    Memories are mapped from one label to the next. A core without pins needs only some of the cells; the command then
    goes on at the label `prepared`.
    """

    memories: str
    after_memories: str
    cells: str = ""  # in Yosys's own folder
    prepared: str = ""


@dataclass(frozen=True)
class Family:
    """A family of FPGAs; a build for a board is a bitstream by place and route, or a project for the vendor's tool.

    Numbers beside patterns say how many look-up tables, or block RAMs as boards count them, such a cell takes.
    """

    synthesis: str  # the command of Yosys
    models: str  # Verilog models of the cells, in Yosys's own folder
    luts: Mapping[str, int]
    flip_flops: str
    carries: str
    rams: Mapping[str, int]
    lut_inputs: int = 4
    without_pins: str = ""  # options of the command for a core that has no pins
    stages: Stages | None = None
    tables: str = ""  # options of Yosys's `techmap` that make cells of tables of six inputs, if the cells have as many
    place_and_route: PlaceAndRoute | None = None
    project: Project | None = None


def total(patterns: Mapping[str, int], cells: Mapping[str, int]) -> int:
    """How many look-up tables or block RAMs there are in cells counted by their type.

    >>> total({"LUT?": 1, "ALU": 2}, {"LUT4": 10, "ALU": 3, "DFF": 7})
    16
    """
    found = (n * each for cell, n in cells.items() for pattern, each in patterns.items() if fnmatchcase(cell, pattern))
    return sum(found)
