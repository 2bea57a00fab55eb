"""Evaluate a model on data, soft and hard, and count where the two differ."""

from __future__ import annotations

import argparse

from dbhw.base import terminal
from dbhw.data.load import load_split
from dbhw.model.model import load
from dbhw.nn.net import labels


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument("--data", required=True, help="a built-in data set (its test part), or a .npz or .csv file")
    terminal.json_option(parser)


def run(args: argparse.Namespace) -> int:
    model = load(args.model)
    data = load_split(args.data).test
    model.net.check_data(data)

    from dbhw.train.fit import soft_outputs  # JAX, which the other commands do without

    soft, hard = soft_outputs(model, data.x), model.outputs(data.x)
    mismatches = int((soft != hard).any(axis=1).sum())
    values = {
        "examples": len(data.y),
        "soft_accuracy": float((labels(soft) == data.y).mean()),
        "hard_accuracy": float((labels(hard) == data.y).mean()),
        "mismatches": mismatches,
    }
    terminal.result(args, values)
    return 1 if mismatches else 0
