"""Evaluate a model on data, soft and hard, and count where the two differ."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from dbhw.base import terminal
from dbhw.commands import _options
from dbhw.report.evaluation import evaluate


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    _options.data(parser)
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    model = _options.chosen_model(args)
    data = _options.examples(args.data, model)
    found = evaluate(model, data)
    terminal.result(asdict(found), args.json)
    return 1 if found.mismatches else 0
