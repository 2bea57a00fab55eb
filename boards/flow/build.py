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
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from dbhw import boards
from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.boards import Board
from dbhw.boards.flow import fit
from dbhw.boards.flow.fit import Cost, TooSlowError
from dbhw.boards.flow.top import OnBoard
from dbhw.data.stimuli import choose
from dbhw.fpga import pll, synth
from dbhw.fpga.families import FAMILIES, Family, missing_packages
from dbhw.fpga.pll import Clock
from dbhw.model.message import check_kind
from dbhw.model.model import Model
from dbhw.rtl.link import protocol, uart
from dbhw.rtl.link.tops import LATENCY_CYCLES, SelfTest, Served, shape, top_verilog, vector_count
from dbhw.rtl.loadable import emit_as
from dbhw.rtl.verilog.emit import Emitted, lut_depth
from dbhw.tools import yosys
from dbhw.tools.yosys import ToolError

SUMMARY = "build.json"
STEPS = ("emit", "synthesise", "place and route", "pack")
_FASTEST = "fastest"
_MOST_TRIES = 6  # for the fastest clock
_SEED = "1"  # nextpnr's placement is random: with a seed it is the same each time


@dataclass(frozen=True)
class Built:
    """What a build made and what it costs; what only place and route can tell is None without it.

    The estimate is what synthesis counted before place and route: the least that is needed.

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
    rams: int
    rams_available: int
    estimate: dict[str, int]
    clock_mhz: float
    clock_source: str  # "board" or "PLL"
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
    clock: str = "board",
    on_step: Callable[[str, str], None] = lambda _step, _note: None,
) -> Built:
    """Builds a model for a board and writes what came of it to a folder; nothing is written unless all went well.

    >>> build(None, "no-board", "out")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: board must be one of arty_a7, ...
    """
    board = boards.find(name)
    baud = board.baud if baud is None else baud
    chosen = pll.clock(name, board, clock)
    uart.divisor(round(chosen.hz), baud)
    check_kind(weights)
    if missing := missing_packages(board):
        raise DbhwError(
            f"board {name} must have {', '.join(missing)} installed to be built for: pip install dbhw[boards]"
        )
    files.check_folder(folder)
    started = time.perf_counter()
    on_step(STEPS[0], "")
    lut_inputs = synth.TARGETS[board.family].lut_inputs
    emitted = emit_as(weights, model, lut_inputs, pipeline=pipeline)

    def attempt(clock: Clock) -> _Work:
        top = _self_test(emitted, model) if self_test else Served(emitted, uart.divisor(round(clock.hz), baud))
        work = _Work(name, board, clock, Path(tempfile.mkdtemp(dir=scratch)), on_step)
        work.make(emitted, top)
        return work

    with tempfile.TemporaryDirectory() as scratch:
        try:
            work = _fastest(name, board, chosen, attempt) if clock == _FASTEST else attempt(chosen)
        except TooSlowError as slow:
            # Weights that are loaded leave no logic to cut.
            uncut = weights == "loadable"
            depth = 0 if uncut else lut_depth(emitted.network, lut_inputs)
            proposed = fit.proposals(slow, board, depth, emitted.manifest.latency)
            raise DbhwError(f"{slow}{proposed}") from slow
        known = _known(board, work.clock, emitted, None if self_test else baud)
        seconds = round(time.perf_counter() - started, 1)
        built = Built(board=name, baud=baud, weights=weights, seconds=seconds, **work.made, **known)
        summary = json.dumps(asdict(built), indent=2) + "\n"
        files.write_all(folder, {**work.keep(), "net.v": emitted.verilog, SUMMARY: summary})
    return built


def _fastest(name: str, board: Board, most: Clock, attempt: Callable[[Clock], _Work]) -> _Work:
    """What the first try reaches, out of reach of all its PLL makes, is the clock of the next one, and so on down."""
    clock = most
    for _ in range(_MOST_TRIES):
        try:
            return attempt(clock)
        except TooSlowError as slow:
            assert board.pll is not None
            least = float(pll.least(board.pll, board.clock_hz)) / 1e6
            if slow.reached_mhz < least:
                raise TooSlowError(name, least, slow.reached_mhz, slow.cost) from slow
            clock, last = pll.below(name, board, slow.reached_mhz * 1e6), slow
    raise last


def _self_test(emitted: Emitted, model: Model) -> SelfTest:
    return SelfTest(emitted, model, choose(model.net.inputs, str(vector_count(emitted))))


def _known(board: Board, clock: Clock, emitted: Emitted, baud: int | None) -> dict[str, Any]:
    """What is known of a build without building; there is no rate over the link where there is no link."""
    latency = LATENCY_CYCLES + emitted.manifest.latency
    return {
        "top": "self-test" if baud is None else "link",
        "model_sha256": emitted.manifest.model_sha256,
        "luts_available": board.luts,
        "ffs_available": board.ffs,
        "rams_available": board.rams,
        "clock_mhz": round(clock.megahertz, 6),
        "clock_source": "PLL" if clock.setting else "board",
        "pipeline": emitted.manifest.pipeline,
        "latency_clocks": latency,
        "latency_ns": round(latency * 1e3 / clock.megahertz, 1),
        "core_per_second": int(clock.hz),
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


class _Work:
    """One build in a scratch folder, at one clock; `made` is what it came to."""

    def __init__(
        self, name: str, board: Board, clock: Clock, folder: Path, on_step: Callable[[str, str], None]
    ) -> None:
        self.name, self.board, self.clock, self.folder, self.on_step = name, board, clock, folder, on_step
        self.kept: list[str] = []
        self.made: dict[str, Any] = {}

    def make(self, emitted: Emitted, top: Served | SelfTest) -> None:
        self._prepare(emitted, top)
        self.made = self._bitstream() if self.board.open_tools else self._project(emitted, top)

    def _prepare(self, emitted: Emitted, top: Served | SelfTest) -> None:
        """Amaranth's files: netlist, constraints, scripts."""
        platform = self.board.prepared_platform()
        platform.add_file("net.v", emitted.verilog)
        options = {"synth_opts": FAMILIES[self.board.family].synthesis_options} if self.board.open_tools else {}
        with _yosys_executable(self.folder):
            plan = platform.prepare(OnBoard(self.board, top, self.clock.setting), "top", **options)
        for path, content in plan.files.items():
            (self.folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())

    def _bitstream(self) -> dict[str, Any]:
        family = FAMILIES[self.board.family]
        self.on_step(STEPS[1], f"for {self.clock.megahertz:g} MHz")
        yosys.run(["script top.ys"], self.folder)
        estimate = self._estimate(family)
        self.on_step(STEPS[2], f"at least {estimate.luts} of {self.board.luts} LUTs")
        report = self._place_and_route(family, estimate)
        self.on_step(STEPS[3], "")
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
            "ffs": estimate.ffs,
            "rams": sum(used.get(cell, 0) for cell in family.ram_cells),
            "estimate": asdict(estimate),
            "fmax_mhz": round(_fmax(report), 2),
        }

    def _estimate(self, family: Family) -> Cost:
        """What synthesis counts; a net that cannot fit is not worth the time of place and route."""
        cells = json.loads((self.folder / family.netlist).read_text())["modules"]["top"]["cells"].values()
        cost = fit.count(self.board.family, (cell["type"] for cell in cells))
        fit.check_size(self.name, self.board, cost, at_least=True)
        return cost

    def _project(self, emitted: Emitted, top: Served | SelfTest) -> dict[str, Any]:
        """The vendor's project, and what Yosys counts for it."""
        self.on_step(STEPS[1], "")
        verilog = top_verilog(top, "top") + emitted.verilog
        (self.folder / "counted.v").write_text(verilog)
        script = synth.synthesis_script(self.board.family, "top")
        yosys.run(["read_verilog counted.v", *script, "tee -q -o stat.json stat -json"], self.folder)
        kinds = json.loads((self.folder / "stat.json").read_text())["modules"]["\\top"]["num_cells_by_type"]
        cost = fit.count(self.board.family, (cell for cell, times in kinds.items() for _ in range(times)))
        fit.check_size(self.name, self.board, cost)
        self.kept = ["top.v", "top.xdc", "top.tcl", "build_top.sh"]
        nothing = dict.fromkeys(("bitstream", "bitstream_bytes", "fmax_mhz"))
        return {**nothing, **asdict(cost), "estimate": asdict(cost)}

    def keep(self) -> dict[str, bytes]:
        return {name: (self.folder / name).read_bytes() for name in self.kept}

    def _place_and_route(self, family: Family, estimate: Cost) -> dict[str, Any]:
        megahertz = self.clock.megahertz
        command = [*family.place_and_route, "--json", family.netlist, "--report", "report.json", "--seed", _SEED]
        # A clock that is too slow is told below, by how much.
        command += ["--freq", f"{megahertz:g}", "--timing-allow-fail", *self.board.part_options]
        try:
            self._run(command)
        except ToolError:
            self._check_placed(family, estimate)
            raise
        report = json.loads((self.folder / "report.json").read_text())
        fmax = _fmax(report)
        if fmax < megahertz:
            raise TooSlowError(self.name, megahertz, fmax, estimate)
        return report

    def _check_placed(self, family: Family, estimate: Cost) -> None:
        """Packing may need more than synthesis counts: nextpnr's log says how much."""
        log = (self.folder / "log.txt").read_text()
        for cell, used, _ in re.findall(r"(\w+):\s*(\d+)/\s*(\d+)\s+\d+%", log):
            for kind in ("luts", "ffs", "rams"):
                if cell in getattr(family, f"{kind.removesuffix('s')}_cells"):
                    fit.check_size(self.name, self.board, replace(estimate, **{kind: int(used)}))

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
