"""Evaluate a model on data, soft and hard, and count where the two differ."""

from __future__ import annotations

import argparse

from dbhw import show
from dbhw.datasets import load_split
from dbhw.model import load
from dbhw.net import labels


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument("--data", required=True, help="a built-in data set (its test part), or a .npz or .csv file")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    model = load(args.model)
    data = load_split(args.data).test
    data.check_for(model.net)

    from dbhw.train import soft_outputs  # JAX, which the other commands do without

    soft, hard = soft_outputs(model, data.x), model.outputs(data.x)
    mismatches = int((soft != hard).any(axis=1).sum())
    values = {
        "examples": len(data.y),
        "soft_accuracy": float((labels(soft) == data.y).mean()),
        "hard_accuracy": float((labels(hard) == data.y).mean()),
        "mismatches": mismatches,
    }
    show.result(args, values)
    return 1 if mismatches else 0
