"""Evaluate a model on data, soft and hard, and count where the two differ."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from dbhw.base import terminal
from dbhw.commands import _options
from dbhw.model.engines import ENGINES, check
from dbhw.report.evaluation import evaluate


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    _options.data(parser)
    parser.add_argument(
        "--engine",
        default="auto",
        help=f"what runs the hard net, one of {', '.join(ENGINES)}; C is compiled once and kept (default auto)",
    )
    parser.add_argument("--threads", type=int, default=1, help="how many cores run the hard net in C (default 1)")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    check(args.engine, args.threads)  # before JAX and the data are loaded
    model = _options.chosen_model(args)
    data = _options.examples(args.data, model)
    found = evaluate(model, data, args.engine, args.threads)
    terminal.result(asdict(found), args.json)
    return 1 if found.mismatches else 0
