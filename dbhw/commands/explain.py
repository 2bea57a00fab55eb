"""Print the learned function as a short program, in words, and checked; for a recipe, with symbolic weights."""

from __future__ import annotations

import argparse
from pathlib import Path

from dbhw import explain, recipes, show
from dbhw.errors import one_of
from dbhw.lowering import lower
from dbhw.model import load
from dbhw.network import Network
from dbhw.program import program


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file, or the name of a recipe for its net before training")
    parser.add_argument("--symbolic", action="store_true", help="show the model's net with its weights as symbols")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    symbolic = _symbolic(args)
    if symbolic is not None:
        text = program(symbolic)
        if args.json:
            show.result(args, {"program": text, "inputs": len(symbolic.input_names), "nodes": len(symbolic)})
        else:
            print(text)
        return 0
    model = load(args.model)
    network = explain.shortest(model.to_network())
    text = program(network)
    words, checked = explain.in_words(network, model.classes), explain.check(text, model)
    if args.json:
        values = {"program": text, "inputs": len(network.input_names), "nodes": len(network)}
        values |= {"terms": explain.terms(text), "weights": model.net.weight_count, "classes": words}
        show.result(args, {**values, "checked": checked.tried, "agree": checked.agree})
    else:
        # Comments, so that the output as a whole is still a program.
        size = f"size: {explain.terms(text)} terms, from {model.net.weight_count} weights"
        print("\n".join([text, "", *(f"# {line}" for line in [*words, size, f"checked: {checked}"])]))
    return 0 if checked.agree == checked.tried else 1


def _symbolic(args: argparse.Namespace) -> Network | None:
    """The net with symbols for its weights, where that is asked for."""
    if not Path(args.model).exists():
        if args.model not in recipes.names():
            raise one_of("model", args.model, ["a model file", *recipes.names()])
        recipe = recipes.find(args.model)
        return lower(recipe.net, None, recipe.data.train.features)
    if not args.symbolic:
        return None
    model = load(args.model)
    return lower(model.net, None, model.features)
