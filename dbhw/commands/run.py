"""Send data to a board, real or simulated, and check every answer bit for bit against the hard net."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.data.dataset import Data
from dbhw.data.load import load_split
from dbhw.model.model import Model, load

if TYPE_CHECKING:
    from dbhw.boards import Device

_DEFAULT_BAUD = 1_000_000
_PATIENCE_WITH_A_SIMULATION = 20.0  # seconds


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="the model file the board was built from, or with --load one of its shape")
    parser.add_argument("--data", required=True, help="a built-in data set (its test part), or a .npz or .csv file")
    parser.add_argument("--port", help="the board's serial port, such as /dev/ttyUSB1")
    parser.add_argument("--board", help="the name of a board: its baud rate, and which top is simulated")
    parser.add_argument("--simulate", action="store_true", help="run the board's top in Verilator instead of a board")
    parser.add_argument("--baud", type=int, help="instead of the board's")
    parser.add_argument("--clock", help="of the simulation, as it was built with: board or a number of MHz")
    parser.add_argument("--load", action="store_true", help="first send the model's weights to a loadable board")
    parser.add_argument("-o", "--output", help="a .csv file for the answers")
    terminal.json_option(parser)


def run(args: argparse.Namespace) -> int:
    if args.simulate == (args.port is not None):
        raise DbhwError("run must have either --port or --simulate, not " + ("both" if args.simulate else "none"))
    if args.simulate and args.board is None:
        raise DbhwError("run --simulate must have --board, the board to simulate")
    if args.clock is not None and (not args.simulate or args.clock == "fastest"):
        raise DbhwError("run --clock must have --simulate and be board or a number of MHz: a real board has its clock")
    if args.output:
        files.check_writable(args.output)
    model = load(args.model)
    data = load_split(args.data).test
    model.net.check_data(data)
    with _port(args, model) as (port, options):
        values, fields = _measure(model, data, port, {**options, "load": args.load})
    if args.output:
        files.write(args.output, _csv(model, fields))
    terminal.result(args, values)
    return 1 if values["mismatches"] else 0


def baud(args: argparse.Namespace) -> int:
    """The rate that was asked for, or the board's."""
    from dbhw import boards

    board = boards.find(args.board) if args.board else None
    return args.baud if args.baud is not None else board.baud if board else _DEFAULT_BAUD


@contextmanager
def _port(args: argparse.Namespace, model: Model) -> Iterator[tuple[str, dict[str, Any]]]:
    """The port to talk to, and how; behind a simulated board's is Verilator."""
    if args.port:
        yield args.port, {"baud": baud(args)}
        return
    from dbhw import boards
    from dbhw.boards.flow import clock
    from dbhw.fpga import families
    from dbhw.rtl.link.uart import divisor
    from dbhw.rtl.loadable import emit_as
    from dbhw.sim.board import simulated

    # Outside of the PLL the clock is all there is of it: how many of them a bit takes.
    board = boards.find(args.board)
    chosen = clock.clock(args.board, board, args.clock or "board")
    clocks = divisor(round(chosen.hz), baud(args))
    print(f"building the simulation of {args.board} ...", file=sys.stderr, flush=True)
    # A board that is loaded starts with weights that are all low.
    tables = families.find(board.family).lut_inputs
    emitted = emit_as("loadable", model.blank(), tables) if args.load else emit_as("baked", model, tables)
    with simulated(emitted, clocks) as simulation, simulation.serve() as port:
        # A simulation takes longer than the board does.
        yield port, {"baud": baud(args), "patience": _PATIENCE_WITH_A_SIMULATION}


def _measure(model: Model, data: Data, port: str, options: dict[str, Any]) -> tuple[dict[str, Any], np.ndarray]:
    from dbhw.boards import Device

    with Device.open(model, port, **options) as device, terminal.progress(len(data.x), "asking the board") as bar:
        started = time.perf_counter()
        labels, outputs = device.answers(data.x, bar.update)
        seconds = time.perf_counter() - started
        round_trip = _round_trip(device, data.x[:1])
        retries = device.retries
    wrong = (labels != model.predict(data.x)) | (outputs != model.scores(data.x)).any(axis=1)
    values = {
        "port": port,
        "examples": len(data.y),
        "accuracy": float((labels == data.y).mean()),
        "mismatches": int(wrong.sum()),
        "retries": retries,
        "seconds": round(seconds, 3),
        "examples_per_second": round(len(data.y) / seconds, 1),
        "round_trip_ms": round(round_trip * 1e3, 3),
    }
    return values, np.column_stack([labels, outputs])


def _round_trip(device: Device, x: np.ndarray, times: int = 10) -> float:
    """The time from one example to its answer, in seconds: the shortest of a few."""
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
        # A board that answers wrongly may name a class that is not there.
        name = model.classes[label] if label < len(model.classes) else ""
        quoted = '"' + name.replace('"', '""') + '"'
        lines.append(",".join([str(label), quoted, *map(str, outputs)]))
    return "\n".join(lines) + "\n"
