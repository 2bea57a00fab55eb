"""Print the learned function as a short program, in words, and checked; for a recipe, with symbolic weights."""

from __future__ import annotations

import argparse
from pathlib import Path

from dbhw import recipes
from dbhw.base import terminal
from dbhw.base.errors import one_of
from dbhw.logic.formats import python
from dbhw.logic.network import Network
from dbhw.model.lower import lower
from dbhw.model.model import load
from dbhw.report import words


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file, or the name of a recipe for its net before training")
    parser.add_argument("--symbolic", action="store_true", help="show the model's net with its weights as symbols")
    terminal.json_option(parser)


def run(args: argparse.Namespace) -> int:
    symbolic = _symbolic(args)
    if symbolic is not None:
        text = python.write(symbolic)
        if args.json:
            terminal.result(args, {"program": text, "inputs": len(symbolic.input_names), "nodes": len(symbolic)})
        else:
            print(text)
        return 0
    model = load(args.model)
    network = words.shortest(model.to_network())
    text = python.write(network)
    lines, checked = words.in_words(network, model.classes), words.check(text, model)
    if args.json:
        values = {"program": text, "inputs": len(network.input_names), "nodes": len(network)}
        values |= {"terms": words.terms(text), "weights": model.net.weight_count, "classes": lines}
        terminal.result(args, {**values, "checked": checked.tried, "agree": checked.agree})
    else:
        # Comments, so that the output as a whole is still a program.
        size = f"size: {words.terms(text)} terms, from {model.net.weight_count} weights"
        print("\n".join([text, "", *(f"# {line}" for line in [*lines, size, f"checked: {checked}"])]))
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
