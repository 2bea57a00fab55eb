"""Run an experiment of the paper with many seeds, and print the results beside the published ones."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from dbhw.base import files
from dbhw.base.errors import one_of, whole
from dbhw.commands import _options
from dbhw.paper import experiments
from dbhw.paper.results import Results, shown
from dbhw.paper.run import train_baselines, train_recipe

_BASELINES = "baselines"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("experiment", help=f"one of {', '.join(experiments.names())}")
    parser.add_argument("-o", "--output", default="paper", help="the folder for results and tables (default paper)")
    parser.add_argument("--seeds", type=int, help="the number of seeds, if not the experiment's")
    parser.add_argument("--only", help=f"one of the experiment's recipes, or {_BASELINES}")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    experiment = experiments.find(args.experiment)
    parts = [*experiment.recipes, _BASELINES]
    if args.only is not None and args.only not in parts:
        raise one_of("part", args.only, parts)
    seeds = experiment.seeds if args.seeds is None else args.seeds
    whole("seeds", seeds, 1)
    files.check_folder(args.output)
    folder = Path(args.output)
    results = Results(folder / f"{args.experiment}.json")
    files.write_all(folder, {})
    for part in [args.only] if args.only else parts:
        if part == _BASELINES:
            train_baselines(experiment, results)
        else:
            train_recipe(experiment, part, seeds, folder, results)
    files.write(folder / f"{args.experiment}.md", results.markdown(experiment.published))
    print(json.dumps(results.rows) if args.json else shown(results, experiment.published))
    mismatches = sum(run.get("mismatches", 0) for row in results.rows.values() for run in row["seeds"].values())
    return 1 if mismatches else 0
