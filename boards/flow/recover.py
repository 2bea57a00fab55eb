"""A bitstream read back: what it says, and what the board's Verilog says that it should say.

Only the bitstream, its options and the places of its registers come from the folder of the build. The board's Verilog
is made anew from the model.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dbhw import boards
from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.boards.flow import clock as clocks
from dbhw.boards.flow.bitstream import PLACES, Attempt
from dbhw.boards.flow.build import SUMMARY, Built, Job
from dbhw.fpga import families
from dbhw.model.model import Model
from dbhw.prove.placed.bitstream import Places, prove_bitstream
from dbhw.prove.watch import Watch
from dbhw.prove.workshop import Step
from dbhw.rtl.link import uart
from dbhw.rtl.loadable import emit_as
from dbhw.rtl.verilog.emit import Emitted
from dbhw.tools import icestorm

_ONE_HERTZ = 1e-6  # in MHz: how exactly a summary has the clock


@dataclass(frozen=True)
class Recovered:
    """A build, the core it should hold, the board's top in RTLIL, and the netlist that is in its bitstream."""

    built: Built
    emitted: Emitted
    divisor: int  # cycles for a bit on the link
    rtlil: str
    netlist: str
    places: Places

    def prove(self, watch: Watch | None = None) -> Step:
        """Proves that the bitstream is the board's Verilog, with the core in it."""
        return prove_bitstream(self.rtlil, self.emitted.verilog, "top", self.netlist, self.places, watch)


def recover(model: Model, folder: str | Path) -> Recovered:
    """Reads the bitstream that a model was built into.

    >>> recover(None, "/no/such/folder")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file /no/such/folder/build.json must be readable: No such file or directory
    """
    folder = Path(folder)
    built = _summary(folder / SUMMARY)
    board = boards.find(built.board)
    tools = families.find(board.family).place_and_route
    if tools is None or not tools.placed:
        raise DbhwError(f"bitstream must be for an iCE40 to be read back, not for board {built.board}")
    if built.model_sha256 != model.digest():
        raise DbhwError(f"model must be the one that {folder} was built from, but it has another digest")
    bitstream, places = files.read(folder / tools.bitstream), _places(folder / PLACES)
    clock = clocks.clock(built.board, board, _asked(built))
    emitted = emit_as(built.weights, model, families.find(board.family).lut_inputs, built.pipeline, fold=built.fold)
    job = Job(built.board, board, model, emitted, built.weights, built.baud if built.top == "link" else None, _silent)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        Attempt(built.board, board, clock, scratch, _silent).prepare(emitted, job.top(clock))
        constraints, rtlil = ((scratch / file).read_text() for file in (tools.constraints, "top.il"))
        package = board.part_options[board.part_options.index("--package") + 1]
        netlist = icestorm.recovered(bitstream, constraints, package, scratch)
    divisor = uart.divisor(round(clock.hz), built.baud)
    return Recovered(built, emitted, divisor, rtlil, netlist, places)


def _silent(_step: str, _note: str) -> None:
    """Is told of steps, and says nothing."""


def _asked(built: Built) -> str:
    """The clock as it is asked for in a build; the PLL then takes the nearest one below."""
    return "board" if built.clock_source == "board" else f"{built.clock_mhz + _ONE_HERTZ:.6f}"


def _summary(path: Path) -> Built:
    content = files.read(path)
    try:
        return Built(**json.loads(content))
    except (ValueError, TypeError) as wrong:
        raise DbhwError(f"file {path} must be the summary of a build, but it is not: build again") from wrong


def _places(path: Path) -> Places:
    content = files.read(path)
    try:
        found = json.loads(content)
        return Places(dict(found["registers"]), dict(found["blocks"]))
    except (ValueError, TypeError, KeyError) as wrong:
        raise DbhwError(f"file {path} must say where registers are, but it does not: build again") from wrong
