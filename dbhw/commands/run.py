"""Send data to a board, real or simulated, and check every answer bit for bit against the hard net."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.commands import _options
from dbhw.data.dataset import Data
from dbhw.model.model import Model

if TYPE_CHECKING:
    from dbhw.boards import Device
    from dbhw.rtl.verilog.emit import Emitted

_PATIENCE_WITH_A_SIMULATION = 20.0  # seconds


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser, "the model file the board was built from, or with --load one of its shape")
    _options.data(parser)
    _options.link(parser, port_required=False, board="the name of a board, for its baud rate and for --simulate")
    parser.add_argument("--simulate", action="store_true", help="simulate the board's top level in Verilator")
    parser.add_argument("--bitstream", help="simulate what is in the bitstream of this folder, a build for an iCE40")
    parser.add_argument("--clock", help="the clock of the simulated board: board or a frequency in MHz")
    parser.add_argument("--load", action="store_true", help="first send the model's weights to a loadable board")
    parser.add_argument("-o", "--output", help="a .csv file for the answers")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.simulate == (args.port is not None):
        raise DbhwError("run must have either --port or --simulate, not " + ("both" if args.simulate else "none"))
    if args.bitstream is not None and (not args.simulate or args.board or args.clock):
        raise DbhwError("run --bitstream must have --simulate, and neither --board nor --clock: the build has them")
    if args.simulate and args.board is None and args.bitstream is None:
        raise DbhwError("run --simulate must have --board, the board to simulate")
    if args.clock is not None and (not args.simulate or args.clock == "fastest"):
        raise DbhwError("run --clock must have --simulate and be board or a number of MHz: a real board has its clock")
    if args.output:
        files.check_writable(args.output)
    from dbhw.boards import Device

    model = _options.chosen_model(args)
    data = _options.examples(args.data, model)
    with (
        _port(args, model) as (port, patience),
        Device.open(model, port, baud=_options.chosen_baud(args), load=args.load, patience=patience) as device,
    ):
        values, fields = _measure(device, data)
    if args.output:
        files.write(args.output, _csv(model, fields))
    terminal.result({"port": port, **values}, args.json)
    return 1 if values["mismatches"] else 0


@contextmanager
def _port(args: argparse.Namespace, model: Model) -> Iterator[tuple[str, float]]:
    """The port of the board, real or simulated, and how many seconds to wait for a reply."""
    from dbhw.boards.host.device import PATIENCE
    from dbhw.sim.board import simulated

    if args.port:
        yield args.port, PATIENCE
        return
    with simulated(*_simulation(args, model)) as simulation, simulation.serve() as port:
        yield port, _PATIENCE_WITH_A_SIMULATION


def _simulation(args: argparse.Namespace, model: Model) -> tuple[Emitted | str, int]:
    """The core or the Verilog of the top level to simulate, and how many cycles a bit takes on its link."""
    from dbhw import boards
    from dbhw.boards.flow import clock
    from dbhw.boards.flow.recover import recover
    from dbhw.fpga import families
    from dbhw.rtl.link.uart import divisor
    from dbhw.rtl.loadable import emit_as
    from dbhw.sim.board import of_chip

    if args.bitstream is not None:
        recovered = recover(model, args.bitstream)
        terminal.note(f"building the simulation of the bitstream in {args.bitstream} ...")
        return of_chip(recovered.netlist), recovered.divisor
    # The simulation has no PLL: its clock only decides how many cycles a bit takes.
    board = boards.find(args.board)
    chosen = clock.clock(args.board, board, args.clock or "board")
    cycles_per_bit = divisor(round(chosen.hz), _options.chosen_baud(args))
    terminal.note(f"building the simulation of {args.board} ...")
    # A board that is to be loaded starts with all weights low.
    tables = families.find(board.family).lut_inputs
    emitted = emit_as("loadable", model.blank(), tables) if args.load else emit_as("baked", model, tables)
    return emitted, cycles_per_bit


def _measure(device: Device, data: Data) -> tuple[dict[str, float], np.ndarray]:
    """The figures of a run, and the board's answers: labels and outputs."""
    model = device.model
    with terminal.progress(len(data.x), "asking the board") as bar:
        started = time.perf_counter()
        labels, outputs = device.answers(data.x, bar.update)
        seconds = time.perf_counter() - started
    round_trip = _round_trip(device, data.x[:1])
    expected = model.answers(data.x)
    wrong = (labels != expected.labels) | (outputs != expected.outputs).any(axis=1)
    values = {
        "examples": len(data.y),
        "accuracy": float((labels == data.y).mean()),
        "mismatches": int(wrong.sum()),
        "retries": device.retries,
        "seconds": round(seconds, 3),
        "examples_per_second": round(len(data.y) / seconds, 1),
        "round_trip_ms": round(round_trip * 1e3, 3),
    }
    return values, np.column_stack([labels, outputs])


def _round_trip(device: Device, x: np.ndarray, times: int = 10) -> float:
    """The shortest time from an example to its answer, in seconds."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        device.predict(x)
        taken.append(time.perf_counter() - started)
    return min(taken)


def _csv(model: Model, fields: np.ndarray) -> str:
    names = [f"output{i}" for i in range(fields.shape[1] - 1)]
    lines = [",".join(["label", "class", *names])]
    for label, *outputs in fields.tolist():
        # A wrong answer may be the index of a class that does not exist.
        name = model.classes[label] if label < len(model.classes) else ""
        quoted = '"' + name.replace('"', '""') + '"'
        lines.append(",".join([str(label), quoted, *map(str, outputs)]))
    return "\n".join(lines) + "\n"
