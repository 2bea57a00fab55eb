"""Print the learned function as a short program and in words, and check it; for a recipe, with symbolic weights."""

from __future__ import annotations

import argparse
from pathlib import Path

from dbhw import recipes
from dbhw.base import terminal
from dbhw.base.errors import one_of
from dbhw.commands import _options
from dbhw.logic.formats import python
from dbhw.logic.network import Network
from dbhw.model.lower import lower
from dbhw.report.explanation import explain


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser, "a model file, or the name of a recipe for its net before training")
    parser.add_argument("--symbolic", action="store_true", help="show the model's net with its weights as symbols")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    symbolic = _symbolic(args)
    if symbolic is not None:
        text = python.write(symbolic)
        if args.json:
            terminal.result({"program": text, "inputs": len(symbolic.input_names), "nodes": len(symbolic)}, args.json)
        else:
            print(text)
        return 0
    model = _options.chosen_model(args)
    found = explain(model)
    if args.json:
        values = {"program": found.program, "inputs": len(found.network.input_names), "nodes": len(found.network)}
        values |= {"terms": found.terms, "weights": model.net.weight_count, "classes": found.classes}
        terminal.result({**values, "checked": found.checked.tried, "agree": found.checked.agree}, args.json)
    else:
        # Comments, so that the output as a whole is still a program.
        size = f"size: {found.terms} terms, from {model.net.weight_count} weights"
        comments = [*found.classes, size, f"checked: {found.checked}"]
        print("\n".join([found.program, "", *(f"# {line}" for line in comments)]))
    return 0 if found.right else 1


def _symbolic(args: argparse.Namespace) -> Network | None:
    """The net with symbols for its weights, if the arguments ask for it."""
    if not _options.in_the_zoo(args) and not Path(args.model).exists():
        if args.model not in recipes.names():
            raise one_of("model", args.model, ["a model file", *recipes.names()])
        recipe = recipes.find(args.model)
        return lower(recipe.net, None, recipe.data.train.features)
    if not args.symbolic:
        return None
    model = _options.chosen_model(args)
    return lower(model.net, None, model.features)
