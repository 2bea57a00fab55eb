"""How a command is told what core to make: for which tables, where registers go, whether it is a stream."""

from __future__ import annotations

import argparse
from typing import Any


def lut_inputs_option(parser: argparse.ArgumentParser) -> None:
    """Adds --lut-inputs.

    >>> parser = argparse.ArgumentParser(); lut_inputs_option(parser)
    >>> parser.parse_args(["--lut-inputs", "4"]).lut_inputs
    4
    """
    parser.add_argument(
        "--lut-inputs", type=int, default=6, help="shape counts for look-up tables of 4 or 6 inputs (default 6)"
    )


def pipeline_option(parser: argparse.ArgumentParser) -> None:
    """Adds --pipeline.

    >>> parser = argparse.ArgumentParser(); pipeline_option(parser)
    >>> parser.parse_args(["--pipeline", "levels=2"]).pipeline
    'levels=2'
    """
    parser.add_argument(
        "--pipeline",
        default="comb",
        help="comb (default), stages=N clocks of latency, or levels=N look-up tables between registers",
    )


def options(parser: argparse.ArgumentParser) -> None:
    """Adds --pipeline and --stream.

    >>> parser = argparse.ArgumentParser(); options(parser)
    >>> parser.parse_args(["--stream"]).stream
    True
    """
    pipeline_option(parser)
    parser.add_argument("--stream", action="store_true", help="take and give under valid and ready, with a reset")


def chosen_pipeline(args: argparse.Namespace) -> str:
    """What --pipeline says; a `DbhwError` where it says nothing that is known.

    >>> chosen_pipeline(argparse.Namespace(pipeline="stages=2"))
    'stages=2'
    """
    from dbhw.rtl.core.schedule import Pipeline

    Pipeline.parse(args.pipeline)
    return args.pipeline


def chosen(args: argparse.Namespace) -> dict[str, Any]:
    """What the options say, as emitting takes it.

    >>> chosen(argparse.Namespace(pipeline="stages=2", stream=False))
    {'pipeline': 'stages=2', 'stream': False}
    """
    return {"pipeline": chosen_pipeline(args), "stream": args.stream}
