"""How well the noisy-XOR recipe learns: hard test accuracy over many seeds, and whether soft and hard net agree."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from typing import Any

import numpy as np

from dbhw import recipes
from dbhw.nn.net import labels
from dbhw.train.fit import soft_outputs
from dbhw.train.policy import Watch, fit_recipe

_QUICK_SEEDS, _QUICK_EPOCHS = 1, 300


def measure(seed: int, epochs: int) -> dict[str, float]:
    """Trains with one seed, which decides data and weights, and looks at the test examples."""
    recipe = recipes.find("noisy-xor", seed)
    recipe = replace(recipe, settings=replace(recipe.settings, epochs=epochs))
    model = fit_recipe(recipe, Watch(f"seed {seed}"))
    test = recipe.data.test
    hard, soft = model.outputs(test.x), soft_outputs(model, test.x)
    return {
        "seed": seed,
        "accuracy": float((labels(hard) == test.y).mean()),
        "soft_hard_mismatches": int((hard != soft).sum()),
    }


def summary(epochs: int, runs: list[dict[str, float]]) -> dict[str, Any]:
    """Mean, least and largest accuracy of the runs.

    >>> summary(5, [{"accuracy": 0.5}, {"accuracy": 1.0}])["mean"]
    0.75
    """
    found = [run["accuracy"] for run in runs]
    return {"epochs": epochs, "mean": float(np.mean(found)), "min": min(found), "max": max(found), "runs": runs}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="how many seeds, from 0 (default 10)")
    parser.add_argument("--epochs", type=int, help="epochs of each run (default: the recipe's)")
    parser.add_argument("--quick", action="store_true", help="end within a minute, with fewer seeds and epochs")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    seeds, epochs = options.seeds, options.epochs or recipes.find("noisy-xor").settings.epochs
    if options.quick:
        seeds, epochs = min(seeds, _QUICK_SEEDS), min(epochs, _QUICK_EPOCHS)
    runs = []
    for seed in range(seeds):
        runs.append(run := measure(seed, epochs))
        if not options.json:
            line = f"seed {seed}: accuracy {run['accuracy']:.2%}, soft/hard mismatches {run['soft_hard_mismatches']}"
            print(line, flush=True)
    result = summary(epochs, runs)
    if options.json:
        json.dump(result, sys.stdout)
        print()
    else:
        print(f"{epochs} epochs: mean {result['mean']:.2%}, min {result['min']:.2%}, max {result['max']:.2%}")


if __name__ == "__main__":
    main()
