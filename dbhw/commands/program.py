"""Put a built bitstream on the board."""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("build", help="the folder that dbhw build wrote")


def run(args: argparse.Namespace) -> int:
    from dbhw.boards.flow.program import program

    return program(args.build)
