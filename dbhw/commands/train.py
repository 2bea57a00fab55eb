"""Train a recipe's net and write the model file."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dbhw import files, recipes, show
from dbhw.data import Data
from dbhw.datasets import load_split
from dbhw.errors import DbhwError
from dbhw.model import Model
from dbhw.restarts import best_of, restart_seeds
from dbhw.teaching import taught


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recipe", help="the name of a recipe")
    parser.add_argument("-o", "--output", required=True, help="the model file to write")
    parser.add_argument("--seed", type=int, default=0, help="decides everything random (default 0)")
    parser.add_argument("--epochs", type=int, help="instead of the recipe's")
    parser.add_argument("--data", help="a built-in data set, or a .npz or .csv file, instead of the recipe's data")
    parser.add_argument("--checkpoint", help="a file to save the state to, and to resume from where it exists")
    parser.add_argument("--coordinator", help="host:port of the first of several processes that train together")
    parser.add_argument("--processes", type=int, default=1, help="how many they are (default 1)")
    parser.add_argument("--process", type=int, default=0, help="which of them this is, from 0 (default 0)")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    recipe = recipes.find(args.recipe, args.seed)
    files.check_writable(args.output)
    if args.coordinator is None and (args.process, args.processes) != (0, 1):
        raise DbhwError("process and processes must come with --coordinator, the address of the first of them")
    if args.coordinator is not None:
        from dbhw import devices  # JAX, which the checks above do without

        devices.join(args.coordinator, args.processes, args.process)
    split = load_split(args.data) if args.data else recipe.data
    settings = recipe.settings
    if args.epochs is not None:
        settings = replace(settings, epochs=args.epochs)
    started = time.perf_counter()
    recipe = replace(recipe, settings=settings)
    model = fit_with_progress(recipe, [split.train], [args.seed], f"training {args.recipe}", args.checkpoint)[0]
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
    show.result(args, values)
    return 0


def fit_with_progress(
    recipe: recipes.Recipe,
    data: Sequence[Data],
    seeds: Sequence[int],
    label: str,
    checkpoint: str | Path | None = None,
    checkpoint_every: int = 100,
) -> list[Model]:
    """Trains a recipe's net once for each seed, with a progress bar that shows loss and hard accuracy."""
    from dbhw.polish import polish  # JAX, which the other commands do without

    if recipe.teacher:
        return _taught(recipe, data, seeds, label, checkpoint, checkpoint_every)
    if recipe.trial:
        short = replace(recipe.settings, epochs=min(recipe.trial, recipe.settings.epochs))
        stage = _stage(checkpoint, "trial")
        ahead = _best_starts(replace(recipe, settings=short), data, seeds, f"{label}, trial", stage, checkpoint_every)
        recipe, seeds = replace(recipe, restarts=1), [model.provenance["settings"]["seed"] for model in ahead]
    best = _best_starts(recipe, data, seeds, label, checkpoint, checkpoint_every)
    return polish(best, data, seeds, recipe.polish) if recipe.polish else best


def _taught(
    recipe: recipes.Recipe,
    data: Sequence[Data],
    seeds: Sequence[int],
    label: str,
    checkpoint: str | Path | None,
    checkpoint_every: int,
) -> list[Model]:
    """Trains the teacher, then the recipe's net on the data and what the teacher adds to it."""
    stage = _stage(checkpoint, "teacher")
    teacher = recipes.find(recipe.teacher)
    teachers = fit_with_progress(teacher, data, seeds, f"{label}, teacher", stage, checkpoint_every)
    lessons = [taught(part, teacher) for part, teacher in zip(data, teachers, strict=True)]
    students = fit_with_progress(replace(recipe, teacher=""), lessons, seeds, label, checkpoint, checkpoint_every)
    own = [{"data_sha256": part.digest(), "teacher": recipe.teacher} for part in data]
    return [replace(m, provenance={**m.provenance, **of}) for m, of in zip(students, own, strict=True)]


def _stage(checkpoint: str | Path | None, name: str) -> str | None:
    """The checkpoint of what comes before the run itself, beside its own."""
    return None if checkpoint is None else f"{checkpoint}.{name}"


def _best_starts(
    recipe: recipes.Recipe,
    data: Sequence[Data],
    seeds: Sequence[int],
    label: str,
    checkpoint: str | Path | None,
    checkpoint_every: int,
) -> list[Model]:
    """For each seed, the best of the recipe's restarts."""
    from dbhw import train

    with show.progress(recipe.settings.epochs, label) as bar:

        def on_epoch(p: train.Progress) -> None:
            bar.set_postfix(loss=f"{p.loss:.4f}", hard_accuracy=f"{p.accuracy:.3f}", refresh=False)
            bar.update(p.epoch - bar.n)

        options: dict[str, Any] = {
            "checkpoint_path": checkpoint,
            "checkpoint_every": checkpoint_every,
            "on_epoch": on_epoch,
        }
        if len(seeds) == recipe.restarts == 1:
            models = [train.fit(recipe.net, data[0], replace(recipe.settings, seed=seeds[0]), **options)]
        else:
            all_seeds = [s for seed in seeds for s in restart_seeds(seed, recipe.restarts)]
            all_data = [part for part in data for _ in range(recipe.restarts)]
            models = train.fit_many(recipe.net, all_data, recipe.settings, all_seeds, **options)
    tries = [models[i : i + recipe.restarts] for i in range(0, len(models), recipe.restarts)]
    return [best_of(models, part, recipe.tolerance) for models, part in zip(tries, data, strict=True)]
