"""Train a recipe's net and write the model file."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

from dbhw import recipes
from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.commands import _options
from dbhw.data.load import load_split


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recipe", help="the name of a recipe")
    parser.add_argument("-o", "--output", required=True, help="the model file to write")
    parser.add_argument("--seed", type=int, default=0, help="the seed of all random choices (default 0)")
    parser.add_argument("--epochs", type=int, help="the number of epochs, if not the recipe's")
    parser.add_argument("--data", help="a built-in data set, or a .npz or .csv file, instead of the recipe's data")
    parser.add_argument("--checkpoint", help="a file to save the state to; if it exists, training resumes from it")
    parser.add_argument("--coordinator", help="host:port of the first of several processes that train together")
    parser.add_argument("--processes", type=int, default=1, help="how many processes train together (default 1)")
    parser.add_argument("--process", type=int, default=0, help="the index of this process (default 0)")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    recipe = recipes.find(args.recipe, args.seed)
    files.check_writable(args.output)
    if args.coordinator is None and (args.process, args.processes) != (0, 1):
        raise DbhwError("process and processes must come with --coordinator, the address of the first of them")
    if args.coordinator is not None:
        from dbhw.train import devices  # JAX, which the checks above do without

        devices.join(args.coordinator, args.processes, args.process)
    split = load_split(args.data) if args.data else recipe.data
    settings = recipe.settings
    if args.epochs is not None:
        settings = replace(settings, epochs=args.epochs)
    from dbhw.train.policy import Watch, fit_recipe  # JAX, which the checks above do without

    started = time.perf_counter()
    recipe = replace(recipe, data=split, settings=settings)
    model = fit_recipe(recipe, Watch(f"training {args.recipe}", args.checkpoint))
    seconds = time.perf_counter() - started
    if args.process:
        return 0  # all processes hold the same model; the first one writes it
    model.save(args.output)
    accuracies = [float((model.predict(part.x) == part.y).mean()) for part in (split.train, split.test)]
    values = {
        "recipe": args.recipe,
        "seed": args.seed,
        "epochs": settings.epochs,
        "seconds": round(seconds, 2),
        "train_accuracy": accuracies[0],
        "test_accuracy": accuracies[1],
    }
    terminal.result(values, args.json)
    return 0
