"""Print the learned function as a short program; for a recipe, the program with symbolic weights."""

from __future__ import annotations

import argparse
from pathlib import Path

from dbhw import passes, recipes, show
from dbhw.lowering import lower
from dbhw.model import load
from dbhw.network import Network
from dbhw.program import program


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file, or the name of a recipe for its net before training")
    parser.add_argument("--symbolic", action="store_true", help="show the model's net with its weights as symbols")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    network = _network(args)
    text = program(network)
    if args.json:
        show.result(args, {"program": text, "inputs": len(network.input_names), "nodes": len(network)})
    else:
        print(text)
    return 0


def _network(args: argparse.Namespace) -> Network:
    if args.model in recipes.names() and not Path(args.model).exists():
        recipe = recipes.find(args.model)
        return lower(recipe.net, None, recipe.data.train.features)
    model = load(args.model)
    return lower(model.net, None, model.features) if args.symbolic else passes.simplify(model.to_network())
