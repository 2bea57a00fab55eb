"""From a model to a bitstream: synthesis, place and route, packing, and what came of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dbhw import boards, files, synth, yosys
from dbhw.boards._board import Board
from dbhw.boards._families import FAMILIES, Family, missing_packages
from dbhw.boards._top import OnBoard
from dbhw.errors import DbhwError
from dbhw.model import Model
from dbhw.rtl import protocol, uart
from dbhw.rtl.emit import Emitted
from dbhw.rtl.loadable import emit_as
from dbhw.rtl.top import LATENCY_CLOCKS, SelfTest, Served, shape, top_verilog, vector_count
from dbhw.stimuli import choose
from dbhw.weights import check_kind
from dbhw.yosys import ToolError

SUMMARY = "build.json"
STEPS = ("emit", "synthesise", "place and route", "pack")
_SEED = "1"  # nextpnr's placement is random: with a seed it is the same each time


@dataclass(frozen=True)
class Built:
    """What a build made and what it costs; what only place and route can tell is None without it.

    The rate over the link is what the line can carry at most: it counts neither the host's time nor escaped bytes.
    """

    board: str
    top: str  # "link" or "self-test"
    weights: str  # "baked" or "loadable"
    model_sha256: str
    bitstream: str | None
    bitstream_bytes: int | None
    baud: int
    luts: int
    luts_available: int
    ffs: int
    ffs_available: int
    rams: int | None
    clock_mhz: float
    fmax_mhz: float | None
    pipeline: str
    latency_clocks: int
    latency_ns: float
    core_per_second: int
    link_per_second: int | None
    seconds: float


def build(
    model: Model,
    name: str,
    folder: str | Path,
    *,
    self_test: bool = False,
    baud: int | None = None,
    pipeline: str = "comb",
    weights: str = "baked",
    on_step: Callable[[str], None] = lambda _: None,
) -> Built:
    """Builds a model for a board and writes what came of it to a folder; nothing is written unless all went well.

    >>> build(None, "no-board", "out")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    dbhw.errors.DbhwError: board must be one of arty_a7, ...
    """
    board = boards.find(name)
    baud = board.baud if baud is None else baud
    divisor = uart.divisor(board.clock_hz, baud)
    check_kind(weights)
    if missing := missing_packages(board):
        raise DbhwError(
            f"board {name} must have {', '.join(missing)} installed to be built for: pip install dbhw[boards]"
        )
    files.check_folder(folder)
    started = time.perf_counter()
    on_step(STEPS[0])
    lut_inputs = synth.TARGETS[board.family].lut_inputs
    emitted = emit_as(weights, model, lut_inputs, pipeline=pipeline)
    top = _self_test(emitted, model) if self_test else Served(emitted, divisor)
    with tempfile.TemporaryDirectory() as scratch:
        work = _Work(name, board, Path(scratch), on_step)
        work.prepare(emitted, top)
        made = work.bitstream() if board.open_tools else work.project(emitted, top)
        made["seconds"] = round(time.perf_counter() - started, 1)
        built = Built(
            board=name, baud=baud, weights=weights, **made, **_known(board, emitted, None if self_test else baud)
        )
        summary = json.dumps(asdict(built), indent=2) + "\n"
        files.write_all(folder, {**work.keep(), "net.v": emitted.verilog, SUMMARY: summary})
    return built


def _self_test(emitted: Emitted, model: Model) -> SelfTest:
    return SelfTest(emitted, model, choose(model.net.inputs, str(vector_count(emitted))))


def _known(board: Board, emitted: Emitted, baud: int | None) -> dict[str, Any]:
    """What is known of a build without building; there is no rate over the link where there is no link."""
    latency = LATENCY_CLOCKS + emitted.manifest["latency"]
    return {
        "top": "self-test" if baud is None else "link",
        "model_sha256": emitted.manifest["model_sha256"],
        "luts_available": board.luts,
        "ffs_available": board.ffs,
        "clock_mhz": board.clock_hz / 1e6,
        "pipeline": emitted.manifest["pipeline"],
        "latency_clocks": latency,
        "latency_ns": round(latency * 1e9 / board.clock_hz, 1),
        "core_per_second": board.clock_hz,
        "link_per_second": None if baud is None else link_rate(shape(emitted), baud),
    }


def link_rate(sizes: protocol.Shape, baud: int) -> int:
    """How many examples a second the line carries in full frames, a request and then its reply.

    >>> link_rate(protocol.Shape(12, 3), 1_000_000)
    32569
    """
    examples = sizes.capacity // sizes.example_bytes
    request = 1 + 1 + sizes.capacity + 4 + 1  # END, kind, payload, CRC, END
    reply = 1 + 1 + 4 + examples * sizes.answer_bytes + 4 + 1
    return int(examples * baud / (10 * (request + reply)))


def too_large(name: str, what: str, needed: int, available: int) -> DbhwError:
    """The error for a net that does not fit, with the boards that would hold it.

    >>> str(too_large("icestick", "LUTs", 1722, 1280)).startswith("net must fit")
    True
    """
    larger = [other for other in boards.names() if boards.find(other).luts >= 1.3 * needed]
    hint = f"; {', '.join(larger)} should hold it" if what == "LUTs" and larger else ""
    return DbhwError(
        f"net must fit board {name}: it needs {needed} {what},"
        f" {needed - available} more than the {available} there{hint}"
    )


class _Work:
    """One build in a scratch folder."""

    def __init__(self, name: str, board: Board, folder: Path, on_step: Callable[[str], None]) -> None:
        self.name, self.board, self.folder, self.on_step = name, board, folder, on_step
        self.kept: list[str] = []

    def prepare(self, emitted: Emitted, top: Served | SelfTest) -> None:
        """Amaranth's files: netlist, constraints, scripts."""
        platform = self.board.prepared_platform()
        platform.add_file("net.v", emitted.verilog)
        options = {"synth_opts": FAMILIES[self.board.family].synthesis_options} if self.board.open_tools else {}
        with _yosys_executable(self.folder):
            plan = platform.prepare(OnBoard(self.board, top), "top", **options)
        for path, content in plan.files.items():
            (self.folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())

    def bitstream(self) -> dict[str, Any]:
        family = FAMILIES[self.board.family]
        self.on_step(STEPS[1])
        yosys.run(["script top.ys"], self.folder)
        self.on_step(STEPS[2])
        report = self._place_and_route(family)
        self.on_step(STEPS[3])
        self._run([*family.pack, *self.board.pack_options])
        path = self.folder / family.bitstream
        if self.board.dfu_id:
            path.write_bytes(with_dfu_suffix(path.read_bytes(), *self.board.dfu_id))
        self.kept = [family.bitstream, family.constraints, "report.json"]
        used = {cell: entry["used"] for cell, entry in report["utilization"].items()}
        return {
            "bitstream": family.bitstream,
            "bitstream_bytes": path.stat().st_size,
            "luts": sum(used.get(cell, 0) for cell in family.lut_cells),
            "ffs": self._flip_flops(family),
            "rams": sum(used.get(cell, 0) for cell in family.ram_cells),
            "fmax_mhz": round(_fmax(report), 2),
        }

    def project(self, emitted: Emitted, top: Served | SelfTest) -> dict[str, Any]:
        """The vendor's project, and what Yosys counts for it."""
        self.on_step(STEPS[1])
        area = synth.synthesise(top_verilog(top, "top") + emitted.verilog, self.board.family, "top")
        if area.luts > self.board.luts:
            raise too_large(self.name, "LUTs", area.luts, self.board.luts)
        self.kept = ["top.v", "top.xdc", "top.tcl", "build_top.sh"]
        nothing = dict.fromkeys(("bitstream", "bitstream_bytes", "rams", "fmax_mhz"))
        return {**nothing, "luts": area.luts, "ffs": area.ffs}

    def keep(self) -> dict[str, bytes]:
        return {name: (self.folder / name).read_bytes() for name in self.kept}

    def _place_and_route(self, family: Family) -> dict[str, Any]:
        megahertz = self.board.clock_hz / 1e6
        command = [*family.place_and_route, "--json", family.netlist, "--report", "report.json", "--seed", _SEED]
        # A clock that is too slow is told below, by how much.
        command += ["--freq", f"{megahertz:g}", "--timing-allow-fail", *self.board.part_options]
        try:
            self._run(command)
        except ToolError as wrong:
            raise self._does_not_fit() or wrong from wrong
        report = json.loads((self.folder / "report.json").read_text())
        fmax = _fmax(report)
        if fmax < megahertz:
            raise DbhwError(
                f"net must run at {megahertz:g} MHz on board {self.name}, but it reaches {fmax:.1f} MHz,"
                f" {megahertz - fmax:.1f} MHz too few:"
                f" its longest path is {1e3 / fmax - 1e3 / megahertz:.1f} ns too long; --pipeline cuts paths"
            )
        return report

    def _does_not_fit(self) -> DbhwError | None:
        log = (self.folder / "log.txt").read_text()
        family = FAMILIES[self.board.family]
        for cell, used, available in re.findall(r"(\w+):\s*(\d+)/\s*(\d+)\s+\d+%", log):
            # What a part has none of is made from something else, such as Gowin's TBUF.
            if int(used) > int(available) > 0:
                what = "LUTs" if cell in family.lut_cells else "block RAMs" if cell in family.ram_cells else cell
                return too_large(self.name, what, int(used), int(available))
        return None

    def _flip_flops(self, family: Family) -> int:
        cells = json.loads((self.folder / family.netlist).read_text())["modules"]["top"]["cells"].values()
        pattern = synth.TARGETS[self.board.family].flip_flops
        return sum(re.fullmatch(pattern, cell["type"]) is not None for cell in cells)

    def _run(self, command: list[str]) -> None:
        with (self.folder / "log.txt").open("w") as log:
            done = subprocess.run(
                [_tool(command[0]), *command[1:]], cwd=self.folder, stdout=log, stderr=subprocess.STDOUT, check=False
            )
        if done.returncode:
            last = (self.folder / "log.txt").read_text().strip().splitlines()[-3:]
            raise ToolError(f"{command[0]} failed: {' / '.join(last)}")


def with_dfu_suffix(content: bytes, vendor: int, product: int) -> bytes:
    """A file for USB bootloaders: the 16 bytes that the DFU 1.1 specification, appendix B, puts behind it.

    >>> len(with_dfu_suffix(b"bits", 0x1209, 0x5AF0))
    20
    """
    content += struct.pack("<HHHH3sB", 0xFFFF, product, vendor, 0x0100, b"UFD", 16)
    return content + struct.pack("<I", zlib.crc32(content) ^ 0xFFFF_FFFF)


def _fmax(report: dict[str, Any]) -> float:
    return min((clock["achieved"] for clock in report["fmax"].values()), default=float("inf"))


def _tool(name: str) -> str:
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise DbhwError(f"{name} must be installed, but it is not found: pip install dbhw[boards]")
    return found


# Amaranth's script ends with a command that writes to standard output, where pyosys also writes its log.
_EXECUTABLE = """#!{python}
import os, sys, tempfile
from pyosys import libyosys as ys
if "-V" in sys.argv:
    sys.exit(print("Yosys 0.60"))
with tempfile.TemporaryDirectory() as folder:
    script, verilog = folder + "/script.ys", folder + "/top.v"
    with open(script, "w") as file:
        file.write(sys.stdin.read().rstrip() + " " + verilog)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    ys.run_pass("script " + script, ys.Design())
    with open(verilog, "rb") as file, out:
        out.write(file.read())
"""


@contextmanager
def _yosys_executable(folder: Path) -> Iterator[None]:
    """Amaranth calls an executable where it writes Verilog; the pyosys wheel has none, so it gets one."""
    path = folder / "yosys"
    path.write_text(_EXECUTABLE.format(python=sys.executable))
    path.chmod(0o755)
    before = os.environ.get("YOSYS")
    os.environ["YOSYS"] = str(path)
    try:
        yield
    finally:
        if before is None:
            del os.environ["YOSYS"]
        else:
            os.environ["YOSYS"] = before
