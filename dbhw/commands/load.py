"""Put a model onto a board with loadable weights, through its serial link, while it runs."""

from __future__ import annotations

import argparse
import time

from dbhw.base import terminal
from dbhw.commands.run import baud
from dbhw.model.model import load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file of the shape the board was built for")
    parser.add_argument("--port", required=True, help="the board's serial port, such as /dev/ttyUSB1")
    parser.add_argument("--board", help="the name of a board: its baud rate")
    parser.add_argument("--baud", type=int, help="instead of the board's")
    terminal.json_option(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.boards import Device

    model = load(args.model)
    started = time.perf_counter()
    with Device.open(model, args.port, baud=baud(args), load=True) as device:
        values = {"port": args.port, "model_sha256": model.digest(), "retries": device.retries}
    terminal.result(args, {**values, "seconds": round(time.perf_counter() - started, 3)})
    return 0
