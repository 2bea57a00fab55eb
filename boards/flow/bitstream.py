"""One attempt to build for a board at one clock: a bitstream, or a project for the vendor's tool."""

from __future__ import annotations

import json
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dbhw.boards import Board
from dbhw.boards.flow import fit
from dbhw.boards.flow.clock import Clock
from dbhw.boards.flow.fit import Cost, TooSlowError
from dbhw.boards.flow.top import OnBoard
from dbhw.fpga import families, synth
from dbhw.fpga.family import PlaceAndRoute, Project
from dbhw.rtl.link.tops import SelfTest, Served, top_verilog
from dbhw.rtl.verilog.emit import Emitted
from dbhw.tools import icestorm, nextpnr, process, yosys
from dbhw.tools.nextpnr import Report

PLACES = "places.json"
STEPS = ("emit", "synthesise", "place and route", "pack")


@dataclass(frozen=True)
class Made:
    """What an attempt made and what it costs; the estimate is what synthesis counts."""

    clock: Clock
    files: dict[str, bytes]
    cost: Cost
    estimate: Cost
    bitstream: str | None = None
    fmax_mhz: float | None = None


@dataclass(frozen=True)
class Attempt:
    """A build of one top for one clock; `on_step` is called with the name of each step and a note."""

    name: str
    board: Board
    clock: Clock
    folder: Path
    on_step: Callable[[str, str], None]

    def make(self, emitted: Emitted, top: Served | SelfTest) -> Made:
        """Builds; a net that is too slow is a `TooSlowError`, and one that does not fit a `DbhwError`."""
        family = families.find(self.board.family)
        if family.place_and_route:
            self.prepare(emitted, top, synth_opts=family.place_and_route.board_synthesis_options)
            return self._bitstream(family.place_and_route)
        assert family.project  # checked before
        self.prepare(emitted, top)
        return self._project(family.project, emitted, top)

    def prepare(self, emitted: Emitted, top: Served | SelfTest, **options: str) -> None:
        """Writes Amaranth's files: netlist, constraints, scripts."""
        platform = self.board.prepared_platform()
        platform.add_file("net.v", emitted.verilog)
        with yosys.executable(self.folder):
            plan = platform.prepare(OnBoard(self.board, top, self.clock.setting), "top", **options)
        for path, content in plan.files.items():
            (self.folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())

    def _bitstream(self, tools: PlaceAndRoute) -> Made:
        self.on_step(STEPS[1], f"for {self.clock.megahertz:g} MHz")
        yosys.run(["script top.ys"], self.folder)
        estimate = self._estimate(tools)
        self.on_step(STEPS[2], f"at least {estimate.luts} of {self.board.luts} LUTs")
        report = self._place_and_route(tools, estimate)
        self.on_step(STEPS[3], "")
        packer, *words = [*tools.pack, *self.board.pack_options]
        process.run(packer, [process.find(packer, "to pack a bitstream"), *words], self.folder)
        files = self._read([tools.bitstream, tools.constraints, nextpnr.REPORT])
        if tools.placed:
            netlist, placed = (text.decode() for text in self._read([tools.netlist, tools.placed]).values())
            files[PLACES] = json.dumps(icestorm.places(netlist, placed)).encode()
        if self.board.dfu_id:
            files[tools.bitstream] = with_dfu_suffix(files[tools.bitstream], *self.board.dfu_id)
        cost = Cost(report.use(tools.lut_cells).used, estimate.ffs, report.use(tools.ram_cells).used)
        return Made(self.clock, files, cost, estimate, tools.bitstream, round(report.fmax_mhz, 2))

    def _estimate(self, tools: PlaceAndRoute) -> Cost:
        """What synthesis counts; a net that cannot fit is not worth the time of place and route."""
        cells = json.loads((self.folder / tools.netlist).read_text())["modules"]["top"]["cells"].values()
        cost = fit.count(self.board.family, Counter(cell["type"] for cell in cells))
        fit.check_size(self.name, self.board, cost, at_least=True)
        return cost

    def _place_and_route(self, tools: PlaceAndRoute, estimate: Cost) -> Report:
        megahertz, options = self.clock.megahertz, [*tools.files, *self.board.part_options]
        try:
            report = nextpnr.run(tools.nextpnr, tools.netlist, options, self.folder, megahertz=megahertz)
        except process.ToolError as failed:
            self._check_packed(tools, estimate, failed.output)
            raise
        if report.fmax_mhz < megahertz:
            raise TooSlowError(self.name, megahertz, report.fmax_mhz, estimate)
        return report

    def _check_packed(self, tools: PlaceAndRoute, estimate: Cost, log: str) -> None:
        """Packing may need more than synthesis counts."""
        kinds = {"luts": tools.lut_cells, "ffs": tools.ff_cells, "rams": tools.ram_cells}
        for cell, use in nextpnr.logged_cells(log).items():
            for kind in (kind for kind, cells in kinds.items() if cell in cells):
                fit.check_size(self.name, self.board, replace(estimate, **{kind: use.used}))

    def _project(self, project: Project, emitted: Emitted, top: Served | SelfTest) -> Made:
        """The vendor's project; Yosys counts what it costs."""
        self.on_step(STEPS[1], "")
        (self.folder / "counted.v").write_text(top_verilog(top, "top") + emitted.verilog)
        script = synth.synthesis_script(self.board.family, "top")
        yosys.run(["read_verilog counted.v", *script, synth.STATISTICS], self.folder)
        cost = fit.count(self.board.family, synth.cells_by_type((self.folder / "stat.json").read_text(), "top"))
        fit.check_size(self.name, self.board, cost)
        return Made(self.clock, self._read(project.files), cost, cost)

    def _read(self, names: Sequence[str]) -> dict[str, bytes]:
        return {name: (self.folder / name).read_bytes() for name in names}


def with_dfu_suffix(content: bytes, vendor: int, product: int) -> bytes:
    """A file for USB bootloaders: its content and the 16 bytes of the DFU 1.1 specification, appendix B.

    >>> len(with_dfu_suffix(b"bits", 0x1209, 0x5AF0))
    20
    """
    content += struct.pack("<HHHH3sB", 0xFFFF, product, vendor, 0x0100, b"UFD", 16)
    return content + struct.pack("<I", zlib.crc32(content) ^ 0xFFFF_FFFF)
