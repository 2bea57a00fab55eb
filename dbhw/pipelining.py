"""How a command is told where registers go, and whether the core is a stream."""

from __future__ import annotations

import argparse
from typing import Any


def options(parser: argparse.ArgumentParser) -> None:
    """Adds --pipeline and --stream.

    >>> parser = argparse.ArgumentParser(); options(parser)
    >>> parser.parse_args(["--pipeline", "levels=2"]).pipeline
    'levels=2'
    """
    parser.add_argument(
        "--pipeline",
        default="comb",
        help="comb (default), stages=N clocks of latency, or levels=N look-up tables between registers",
    )
    parser.add_argument("--stream", action="store_true", help="take and give under valid and ready, with a reset")


def chosen(args: argparse.Namespace) -> dict[str, Any]:
    """What the options say, as emitting takes it; a `DbhwError` where they say nothing it knows.

    >>> chosen(argparse.Namespace(pipeline="stages=2", stream=False))
    {'pipeline': 'stages=2', 'stream': False}
    """
    from dbhw.rtl.schedule import Pipeline

    Pipeline.parse(args.pipeline)
    return {"pipeline": args.pipeline, "stream": args.stream}
