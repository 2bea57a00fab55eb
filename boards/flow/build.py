"""From a model to a bitstream: emit, synthesise, place and route, pack, and report what it costs."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from dbhw import boards
from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.boards import Board
from dbhw.boards.flow import clock as clocks
from dbhw.boards.flow import fit
from dbhw.boards.flow.bitstream import STEPS, Attempt, Made
from dbhw.boards.flow.clock import FASTEST, Clock
from dbhw.boards.flow.fit import TooSlowError
from dbhw.data.stimuli import choose
from dbhw.fpga import families, pll
from dbhw.model.message import check_kind
from dbhw.model.model import Model
from dbhw.rtl.link import protocol, uart
from dbhw.rtl.link.tops import LATENCY_CYCLES, SelfTest, Served, shape, vector_count
from dbhw.rtl.loadable import emit_as
from dbhw.rtl.verilog.emit import Emitted, lut_depth

SUMMARY = "build.json"
_MOST_TRIES = 6  # for the fastest clock


@dataclass(frozen=True)
class Built:
    """What a build made and what it costs; what only place and route finds out is None for a vendor's project.

    The estimate is what synthesis counts before place and route: the least that is needed. The throughput over the
    link is the most that the serial line carries: it counts neither the host's time nor escaped bytes.
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
    fold: int
    latency_clocks: int  # in cycles
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
    fold: int = 1,
    weights: str = "baked",
    ports: str = "name",
    clock: str = "board",
    on_step: Callable[[str, str], None] = lambda _step, _note: None,
) -> Built:
    """Builds a model for a board and writes the result to a folder; if anything fails, nothing is written.

    >>> build(None, "no-board", "out")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: board must be one of arty_a7, ...
    """
    board = boards.find(name)
    baud = board.baud if baud is None else baud
    chosen = clocks.clock(name, board, clock)
    _check(name, board, chosen, baud, weights)
    files.check_folder(folder)
    started = time.perf_counter()
    on_step(STEPS[0], "")
    lut_inputs = families.find(board.family).lut_inputs
    emitted = emit_as(weights, model, lut_inputs, pipeline=pipeline, ports=ports, fold=fold)
    job = Job(name, board, model, emitted, weights, None if self_test else baud, on_step)
    try:
        made = _fastest(name, board, chosen, job.attempt) if clock == FASTEST else job.attempt(chosen)
    except TooSlowError as slow:
        raise DbhwError(f"{slow}{job.proposals(slow)}") from slow
    built = job.summary(made, baud, time.perf_counter() - started)
    summary = json.dumps(asdict(built), indent=2) + "\n"
    files.write_all(folder, {**made.files, "net.v": emitted.verilog, SUMMARY: summary})
    return built


def _check(name: str, board: Board, clock: Clock, baud: int, weights: str) -> None:
    uart.divisor(round(clock.hz), baud)
    check_kind(weights)
    if not (board.open_tools or families.find(board.family).project):
        raise DbhwError(
            f"board {name} must be of a family with place and route or a vendor's project, not {board.family!r}"
        )
    if missing := board.missing_packages():
        raise DbhwError(
            f"board {name} must have {', '.join(missing)} installed to be built for: pip install dbhw[boards]"
        )


def _fastest(name: str, board: Board, most: Clock, attempt: Callable[[Clock], Made]) -> Made:
    """Tries the PLL's fastest clock, then the one below what place and route reached, until timing is met."""
    clock = most
    for _ in range(_MOST_TRIES):
        try:
            return attempt(clock)
        except TooSlowError as slow:
            assert board.pll is not None
            least = float(pll.least(board.pll, board.clock_hz)) / pll.MHZ
            if slow.reached_mhz < least:
                raise TooSlowError(name, least, slow.reached_mhz, slow.cost) from slow
            clock, last = clocks.below(name, board, slow.reached_mhz * pll.MHZ), slow
    raise last


@dataclass(frozen=True)
class Job:
    """A core to build for a board; it has a link if there is a baud rate, and tests itself otherwise."""

    name: str
    board: Board
    model: Model
    emitted: Emitted
    weights: str
    link_baud: int | None
    on_step: Callable[[str, str], None]

    def attempt(self, clock: Clock) -> Made:
        """Builds for one clock."""
        with tempfile.TemporaryDirectory() as scratch:
            attempt = Attempt(self.name, self.board, clock, Path(scratch), self.on_step)
            return attempt.make(self.emitted, self.top(clock))

    def top(self, clock: Clock) -> Served | SelfTest:
        """The top level that goes onto the board."""
        if self.link_baud is not None:
            return Served(self.emitted, uart.divisor(round(clock.hz), self.link_baud))
        return SelfTest(self.emitted, self.model, choose(self.model.net.inputs, str(vector_count(self.emitted))))

    def proposals(self, slow: TooSlowError) -> str:
        """What to try instead of a clock that was not reached."""
        depth = 0  # of loadable weights and folded nets: a pipeline cannot cut them
        if self.weights == "baked" and self.emitted.manifest.fold == 1:
            lut_inputs = families.find(self.board.family).lut_inputs
            depth = lut_depth(self.emitted.network, lut_inputs)
        return fit.proposals(slow, self.board, depth, self.emitted.manifest.latency)

    def summary(self, made: Made, baud: int, seconds: float) -> Built:
        """What was built, and what it costs."""
        manifest, megahertz = self.emitted.manifest, made.clock.megahertz
        latency = LATENCY_CYCLES + manifest.latency
        return Built(
            board=self.name,
            top="self-test" if self.link_baud is None else "link",
            weights=self.weights,
            model_sha256=manifest.model_sha256,
            bitstream=made.bitstream,
            bitstream_bytes=len(made.files[made.bitstream]) if made.bitstream else None,
            baud=baud,
            luts=made.cost.luts,
            luts_available=self.board.luts,
            ffs=made.cost.ffs,
            ffs_available=self.board.ffs,
            rams=made.cost.rams,
            rams_available=self.board.rams,
            estimate=asdict(made.estimate),
            clock_mhz=round(megahertz, 6),
            clock_source="PLL" if made.clock.setting else "board",
            fmax_mhz=made.fmax_mhz,
            pipeline=manifest.pipeline,
            fold=manifest.fold,
            latency_clocks=latency,
            latency_ns=round(latency * 1e3 / megahertz, 1),
            core_per_second=int(made.clock.hz / manifest.interval),
            link_per_second=None if self.link_baud is None else link_rate(shape(self.emitted), self.link_baud),
            seconds=round(seconds, 1),
        )


def link_rate(sizes: protocol.Shape, baud: int) -> int:
    """How many examples per second the line carries in full frames, a request and then its reply.

    >>> link_rate(protocol.Shape(12, 3), 1_000_000)
    32569
    """
    examples = sizes.capacity // sizes.example_bytes
    request = 1 + 1 + sizes.capacity + 4 + 1  # END, kind, payload, CRC, END
    reply = 1 + 1 + 4 + examples * sizes.answer_bytes + 4 + 1
    return int(examples * baud / (10 * (request + reply)))
