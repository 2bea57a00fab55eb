"""Train a net on a table of numbers, or a recipe's net on its data, and write the model file."""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dbhw import recipes
from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError, one_of
from dbhw.commands import _options, _table_options
from dbhw.data.dataset import Data, Split
from dbhw.data.load import load_file, load_split
from dbhw.data.tables.examples import Prepared
from dbhw.data.tables.read import is_table
from dbhw.data.tables.split import split
from dbhw.model.model import Model

if TYPE_CHECKING:
    from dbhw.tabular.budget import Found


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recipe", metavar="data", help="a file with a table (.csv, .npz, .parquet), or a recipe's name")
    parser.add_argument("-o", "--output", required=True, help="the model file to write")
    parser.add_argument("--seed", type=int, default=0, help="the seed of all random choices (default 0)")
    parser.add_argument("--epochs", type=int, help="the number of epochs, if not the recipe's")
    parser.add_argument("--data", help="a built-in data set, or a .npz or .csv file, instead of the recipe's data")
    parser.add_argument("--budget", default="medium", help="the size for a table: small, medium (default) or large")
    parser.add_argument("--max-luts", type=int, help="instead: the best net for a table within that many LUTs")
    _options.target(parser)
    parser.add_argument(
        "--try", dest="tries", metavar="N", type=int, default=1, help="train a table's net that often, keep the best"
    )
    parser.add_argument("--balance", type=float, default=0.0, help="more weight for rare classes, 0 (default) to 1")
    parser.add_argument(
        "--recipe", dest="own", metavar="FILE", help="a Python file with recipe(data, seed) that makes a table's net"
    )
    _table_options.arguments(parser)
    parser.add_argument("--checkpoint", help="a file to save the state to; if it exists, training resumes from it")
    parser.add_argument("--coordinator", help="host:port of the first of several processes that train together")
    parser.add_argument("--processes", type=int, default=1, help="how many processes train together (default 1)")
    parser.add_argument("--process", type=int, default=0, help="the index of this process (default 0)")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    files.check_writable(args.output)
    return _table(args) if is_table(args.recipe) else _recipe(args)


def _table(args: argparse.Namespace) -> int:
    from dbhw.data.tables.examples import prepare
    from dbhw.data.tables.read import read
    from dbhw.fpga import families
    from dbhw.tabular.again import record
    from dbhw.tabular.train import Plan, imbalance, train_table

    for option in ("data", "epochs", "checkpoint", "coordinator"):
        if getattr(args, option) is not None:
            raise DbhwError(f"--{option} must come with a recipe, not with the table {args.recipe}")
    families.find(args.target)
    plan = Plan(args.budget, args.max_luts, args.target, args.tries, args.balance, args.seed, args.own)
    options = _table_options.chosen(args)
    table = read(args.recipe, options)
    ready = prepare(table, options, args.seed, read(args.test, options.for_another_file()) if args.test else None)
    rare = imbalance(ready) if not args.balance else None
    notes = [*ready.notes, *([rare] if rare else [])]
    if not args.json:
        for note in notes:
            terminal.note(f"note: {note}")
    started = time.perf_counter()
    outcome = train_table(ready, plan)
    seconds = round(time.perf_counter() - started, 2)
    model = replace(
        outcome.model, provenance={**outcome.model.provenance, "file": record(args.recipe, options, args.seed)}
    )
    model.save(args.output)
    values = {"output": args.output, "seconds": seconds, **_figures(model, ready)}
    values |= _search(outcome.search, args.target) if outcome.search else {}
    terminal.result({**values, "notes": notes} if args.json else _shown(values), args.json)
    return 0


def _shown(values: dict[str, Any]) -> dict[str, Any]:
    """The figures for people: those that belong together in one line."""
    shown = {name: values[name] for name in ("output", "seconds", "columns", "classes", "train_accuracy")}
    rows = ", ".join(f"{number} for {part}" for part, number in values["rows"].items())
    if values["test_accuracy"] is not None:
        ends = f"{values['test_accuracy_from']:.4f} to {values['test_accuracy_to']:.4f} with 95 % certainty"
        shown["test_accuracy"] = f"{values['test_accuracy']:.4f}, {ends}"
        shown["largest_class"] = values["largest_class"]
    shown["rows"] = rows
    if "luts" in values:
        shown["luts"] = f"{values['luts']} on {values['target']}"
        more = values["accuracy_of_one_more_lut"]
        shown["one_more_lut"] = "no larger net was tried" if more is None else f"{100 * more:+.4f} points of accuracy"
    return shown


def _figures(model: Model, ready: Prepared) -> dict[str, Any]:
    """What the model is right on; the accuracy that counts is that of rows that were never trained on."""
    from dbhw.report.evaluation import interval

    train, test = (_accuracy(model, part) for part in (ready.train, ready.test))
    counts = np.bincount(ready.test.y, minlength=len(model.classes))
    low, high = interval(test, len(ready.test.y)) if test is not None else (None, None)
    return {
        "rows": ready.split["rows"],
        "columns": len(model.columns),
        "classes": len(model.classes),
        "train_accuracy": train,
        "test_accuracy": test,
        "test_accuracy_from": low,
        "test_accuracy_to": high,
        "largest_class": float(counts.max() / counts.sum()) if counts.sum() else None,
    }


def _accuracy(model: Model, data: Data) -> float | None:
    return float((model.predict(data.x) == data.y).mean()) if len(data.y) else None


def _search(found: Found, target: str) -> dict[str, Any]:
    more = found.one_more()
    tried = [asdict(each) for each in sorted(found.tried, key=lambda each: each.luts)]
    return {"target": target, "luts": found.best.luts, "accuracy_of_one_more_lut": more, "tried": tried}


def _split(name: str, seed: int) -> Split:
    """A built-in data set, or a user's file: a fifth of its rows is for testing, as far as every class has enough."""
    if not is_table(name):
        return load_split(name)
    data = load_file(name)
    parts = split(data.y, seed=seed, validation=0.0)
    return Split(*(replace(data, x=data.x[rows], y=data.y[rows]) for rows in (parts.train, parts.test)))


def _recipe(args: argparse.Namespace) -> int:
    if args.recipe not in recipes.names():
        raise one_of("data", args.recipe, ["a file with a table", *recipes.names()])
    recipe = recipes.find(args.recipe, args.seed)
    if args.coordinator is None and (args.process, args.processes) != (0, 1):
        raise DbhwError("process and processes must come with --coordinator, the address of the first of them")
    if args.coordinator is not None:
        from dbhw.train import devices  # JAX, which the checks above do without

        devices.join(args.coordinator, args.processes, args.process)
    parts = _split(args.data, args.seed) if args.data else recipe.data
    settings = recipe.settings
    if args.epochs is not None:
        settings = replace(settings, epochs=args.epochs)
    from dbhw.train.policy import Watch, fit_recipe  # JAX, which the checks above do without

    started = time.perf_counter()
    recipe = replace(recipe, data=parts, settings=settings)
    model = fit_recipe(recipe, Watch(f"training {args.recipe}", args.checkpoint))
    seconds = time.perf_counter() - started
    if args.process:
        return 0  # all processes hold the same model; the first one writes it
    model.save(args.output)
    accuracies = [_accuracy(model, part) for part in (parts.train, parts.test)]
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
