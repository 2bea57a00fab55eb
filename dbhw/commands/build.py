"""Build a model for a board: a bitstream, or a project for the vendor's tool, and a report of what it costs."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dbhw.base import terminal
from dbhw.commands import _pipelining
from dbhw.model import message
from dbhw.model.model import Model, load

if TYPE_CHECKING:
    from dbhw.boards.flow.build import Built

_KINDS = ("LUTs", "FFs", "block RAMs")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument("--board", required=True, help="the name of a board, as in dbhw boards")
    parser.add_argument("-o", "--output", required=True, help="the folder to write to")
    parser.add_argument("--self-test", action="store_true", help="instead of the link: vectors in ROM and two lamps")
    parser.add_argument("--baud", type=int, help="instead of the board's")
    parser.add_argument(
        "--clock",
        default="board",
        help="board (default), a number of MHz that the board's PLL makes, or fastest: what place and route reaches",
    )
    _pipelining.pipeline_option(parser)
    message.option(parser)
    terminal.json_option(parser)


def run(args: argparse.Namespace) -> int:
    options = {
        "self_test": args.self_test,
        "baud": args.baud,
        "pipeline": _pipelining.chosen_pipeline(args),
        "weights": args.weights,
        "clock": args.clock,
    }
    built = build_with_progress(load(args.model), args.board, args.output, **options)
    if args.json:
        terminal.result(args, {"output": args.output, **asdict(built)})
    else:
        terminal.result(args, {"output": args.output, **_for_people(built)})
    return 0


def build_with_progress(model: Model, board: str, output: str, **options: Any) -> Built:
    """Builds with a bar that names the step."""
    from dbhw.boards.flow.build import STEPS, build

    with terminal.progress(len(STEPS), f"building for {board}") as bar:

        def on_step(step: str, note: str) -> None:
            bar.set_postfix_str(f"{step}, {note}" if note else step)
            bar.update(STEPS.index(step) - bar.n)

        return build(model, board, output, on_step=on_step, **options)


def _for_people(built: Built) -> dict[str, Any]:
    fmax = "only the vendor's tool can tell" if built.fmax_mhz is None else f"{built.fmax_mhz:g} MHz"
    made = "a project for Vivado: run build_top.sh there" if built.bitstream is None else built.bitstream
    size = f", {built.bitstream_bytes} bytes" if built.bitstream_bytes else ""
    rates = {"inferences_in_core": f"{built.core_per_second} / s"}
    if built.link_per_second is not None:
        rates["inferences_over_link"] = f"at most {built.link_per_second} / s at {built.baud} baud"
    return {
        "board": built.board,
        "top": built.top,
        "weights": built.weights,
        "bitstream": made + size,
        "LUTs": terminal.bar(built.luts, built.luts_available),
        "FFs": terminal.bar(built.ffs, built.ffs_available),
        "block_RAMs": terminal.bar(built.rams, built.rams_available),
        "estimated": ", ".join(f"{n} {kind}" for n, kind in zip(built.estimate.values(), _KINDS, strict=True)),
        "clock": f"{built.clock_mhz:g} MHz" + (", from the PLL" if built.clock_source == "PLL" else ""),
        "reaches": fmax,
        "latency": f"{built.latency_clocks} clocks, {built.latency_ns:g} ns",
        **rates,
        "seconds": built.seconds,
    }
