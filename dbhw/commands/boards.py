"""List the boards a model can be built for: size, clock, link, and what can be built on this machine."""

from __future__ import annotations

import argparse

from dbhw.base import terminal
from dbhw.commands import _options


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw import boards

    found = {name: boards.find(name) for name in boards.names()}
    if args.json:
        keys = ("title", "family", "part", "luts", "ffs", "rams", "clock_hz", "baud", "link", "wiring")
        listed = [
            {"name": name, **{key: getattr(board, key) for key in keys}, "builds": board.what_can_be_built()}
            for name, board in found.items()
        ]
        terminal.result({"boards": listed}, args.json)
        return 0
    rows = [
        (name, board.part, str(board.luts), f"{board.clock_hz / 1e6:g} MHz", board.link, board.what_can_be_built())
        for name, board in found.items()
    ]
    print(terminal.table([("board", "part", "LUTs", "clock", "link", "what can be built here"), *rows]))
    return 0
