"""Send a model's weights to a board with loadable weights, over its serial link, while it runs."""

from __future__ import annotations

import argparse
import time

from dbhw.base import terminal
from dbhw.commands import _options


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser, "a model file of the shape the board was built for")
    _options.link(parser, port_required=True, board="the name of a board, for its baud rate")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.boards import Device

    model = _options.chosen_model(args)
    started = time.perf_counter()
    with Device.open(model, args.port, baud=_options.chosen_baud(args), load=True) as device:
        values = {"port": args.port, "model_sha256": model.digest(), "retries": device.retries}
    terminal.result({**values, "seconds": round(time.perf_counter() - started, 3)}, args.json)
    return 0
