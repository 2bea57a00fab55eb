"""Train a recipe's net and write the model file."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from dbhw import files, recipes, show
from dbhw.data import Data
from dbhw.datasets import load_split
from dbhw.model import Model
from dbhw.net import Net

if TYPE_CHECKING:
    from dbhw.train import Settings


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recipe", help="the name of a recipe")
    parser.add_argument("-o", "--output", required=True, help="the model file to write")
    parser.add_argument("--seed", type=int, default=0, help="decides everything random (default 0)")
    parser.add_argument("--epochs", type=int, help="instead of the recipe's")
    parser.add_argument("--data", help="a .npz or .csv file instead of the recipe's data")
    parser.add_argument("--checkpoint", help="a file to save the state to, and to resume from where it exists")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    recipe = recipes.find(args.recipe, args.seed)
    files.check_writable(args.output)
    split = load_split(args.data) if args.data else recipe.data
    settings = recipe.settings
    if args.epochs is not None:
        settings = replace(settings, epochs=args.epochs)
    started = time.perf_counter()
    model = fit_with_progress(recipe.net, split.train, settings, f"training {args.recipe}", args.checkpoint)
    seconds = time.perf_counter() - started
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
    show.result(args, values)
    return 0


def fit_with_progress(net: Net, data: Data, settings: Settings, label: str, checkpoint: str | None = None) -> Model:
    """Trains with a progress bar that shows loss and hard accuracy."""
    from dbhw.train import Progress, fit  # JAX, which the other commands do without

    with show.progress(settings.epochs, label) as bar:

        def on_epoch(p: Progress) -> None:
            bar.set_postfix(loss=f"{p.loss:.4f}", hard_accuracy=f"{p.accuracy:.3f}", refresh=False)
            bar.update(p.epoch - bar.n)

        return fit(net, data, settings, checkpoint_path=checkpoint, on_epoch=on_epoch)
