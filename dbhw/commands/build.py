"""Build a model for a board: a bitstream, or a project for the vendor's tool, and a report of what it costs."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from dbhw.base import terminal
from dbhw.commands import _options


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    parser.add_argument("--board", required=True, help="the name of a board, as in dbhw boards")
    _options.output_folder(parser)
    parser.add_argument("--self-test", action="store_true", help="no link, but test vectors in ROM and two LEDs")
    _options.baud(parser)
    parser.add_argument(
        "--clock",
        default="board",
        help="board (default), a frequency in MHz that the PLL makes, or fastest: what place and route reaches",
    )
    _options.pipeline(parser)
    _options.fold(parser)
    _options.weights(parser)
    _options.ports(parser)
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.boards.flow.build import STEPS, build
    from dbhw.report import lines

    pipeline, ports, model = _options.chosen_pipeline(args), _options.chosen_ports(args), _options.chosen_model(args)
    with terminal.progress(len(STEPS), f"building for {args.board}") as bar:

        def on_step(step: str, note: str) -> None:
            bar.set_postfix_str(f"{step}, {note}" if note else step)
            bar.update(STEPS.index(step) - bar.n)

        built = build(
            model,
            args.board,
            args.output,
            self_test=args.self_test,
            baud=args.baud,
            pipeline=pipeline,
            fold=args.fold,
            weights=args.weights,
            ports=ports,
            clock=args.clock,
            on_step=on_step,
        )
    terminal.result({"output": args.output, **(asdict(built) if args.json else lines.of_built(built))}, args.json)
    return 0
