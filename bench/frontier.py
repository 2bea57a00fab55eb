"""Accuracy against area for MNIST and Fashion-MNIST: from the bits of each pixel to the class, everything counted.

    python -m bench.frontier [--quick] [--json] [--only mnist-small,mnist-best] [--seeds 3] [--targets a,b] [--models D]

Each recipe is trained once for each seed, on the whole training part; its sizes and settings were chosen on a part of
that. The test images are used once. Each model is then checked: the soft net against the hard net on all images, the
emitted Verilog on all test images in Verilator, and model = network = Verilog = netlist by proof of the whole. Models
are kept in the folder, and those that are there already are not trained again. Goals are the mean accuracy over the
seeds and the look-up tables of `synth_xilinx`; the exit code is 1 if one is missed, or if a check fails.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any

from dbhw import recipes
from dbhw.base.terminal import table
from dbhw.data.dataset import Data, Split
from dbhw.fpga import families
from dbhw.fpga.synth import synthesise
from dbhw.model.model import Model, load
from dbhw.prove.equivalence import prove_emitted
from dbhw.prove.meanings import lowering
from dbhw.rtl.verilog.emit import emit
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim.run import simulate
from dbhw.train.fit import soft_outputs
from dbhw.train.policy import Watch, fit_recipe
from dbhw.train.recipe import Recipe

_QUICK = 1000  # images


@dataclass(frozen=True)
class Goal:
    """What a recipe is to reach: its accuracy, and the most look-up tables, if its size matters."""

    recipe: str
    accuracy: float
    luts: int | None = None


GOALS = (
    Goal("mnist-small", 0.968, 900),
    Goal("mnist-medium", 0.977, 1400),
    Goal("mnist-large", 0.982, 2600),
    Goal("mnist-best", 0.988),
    Goal("mnist-bits-small", 0.968, 900),
    Goal("mnist-bits-medium", 0.977, 1400),
    Goal("mnist-bits-large", 0.982, 2600),
    Goal("fashion-small", 0.87),
    Goal("fashion-medium", 0.885),
    Goal("fashion-large", 0.90),
)


@dataclass(frozen=True)
class Point:
    """One model: how right it is, what it costs, and how many checks failed."""

    recipe: str
    seed: int
    accuracy: float
    luts: dict[str, int]
    depth: int
    soft_mismatches: int
    simulation_mismatches: int
    proved: bool
    proof_seconds: float
    training_seconds: float


def trained(recipe: Recipe, file: Path) -> tuple[Model, float]:
    """The recipe's model, from the file if it is there, and the seconds that training took."""
    if file.exists():
        return load(file), 0.0
    started = time.perf_counter()
    model = fit_recipe(recipe, Watch(f"training {file.stem}"))
    model.save(file)
    return model, round(time.perf_counter() - started, 1)


def measured(recipe: Recipe, file: Path, targets: list[str]) -> Point:
    """Trains, synthesises and checks one model."""
    model, seconds = trained(recipe, file)
    train, test = recipe.data.train, recipe.data.test
    areas = {t: synthesise(emit(model, lut_inputs=families.find(t).lut_inputs).verilog, t) for t in targets}
    emitted = emit(model)
    seen = simulate(emitted.verilog, emitted.module, Vectors.of(model, emitted.manifest, test.x))
    steps = [lowering.step(model, emitted.lowered), *prove_emitted(emitted)]
    return Point(
        recipe.name,
        recipe.settings.seed,
        float((model.predict(test.x) == test.y).mean()),
        {target: area.luts for target, area in areas.items()},
        areas[targets[0]].depth,
        sum(int((soft_outputs(model, part.x) != model.outputs(part.x)).any(axis=1).sum()) for part in (train, test)),
        seen.mismatches,
        all(step.proved for step in steps),
        round(sum(step.seconds for step in steps), 1),
        seconds,
    )


def quick(recipe: Recipe) -> Recipe:
    """The same net trained for one epoch on a few images."""

    def few(data: Data) -> Data:
        return replace(data, x=data.x[:_QUICK], y=data.y[:_QUICK])

    settings = replace(recipe.settings, epochs=1)
    return replace(recipe, data=Split(few(recipe.data.train), few(recipe.data.test)), settings=settings)


def summary(goal: Goal, points: list[Point]) -> dict[str, Any]:
    """The means over the seeds, and whether the goal is reached."""
    accuracy, luts = mean(point.accuracy for point in points), mean(point.luts["xilinx"] for point in points)
    right = all(p.proved and not p.soft_mismatches and not p.simulation_mismatches for p in points)
    reached = accuracy >= goal.accuracy and (goal.luts is None or luts <= goal.luts) and right
    return {**asdict(goal), "mean_accuracy": accuracy, "mean_luts": luts, "right": right, "reached": reached}


def main(arguments: list[str]) -> int:
    """Runs the bench and returns the exit code."""
    parser = argparse.ArgumentParser(prog="bench.frontier", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="the smallest net, one epoch on a few images, no goal")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--only", help="some recipes only: mnist-small,mnist-best")
    parser.add_argument("--seeds", type=int, default=3, help="how many seeds (default 3)")
    said = "families, xilinx first; the others with the first seed only"
    parser.add_argument("--targets", default="xilinx,ice40,ecp5,gowin", help=said)
    parser.add_argument("--models", metavar="DIR", type=Path, help="a folder to keep the models in")
    args = parser.parse_args(arguments)
    targets = ["xilinx"] if args.quick else args.targets.split(",")
    only = args.only.split(",") if args.only else [goal.recipe for goal in GOALS]
    goals = [goal for goal in GOALS if goal.recipe in only][: 1 if args.quick else None]
    points: dict[Goal, list[Point]] = {goal: [] for goal in goals}
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.models or Path(temporary)
        for goal in goals:
            for seed in range(1 if args.quick else args.seeds):
                recipe = recipes.find(goal.recipe, seed)
                file = folder / f"{goal.recipe}-{seed}.dbnet"
                counted = targets if seed == 0 else targets[:1]  # seeds differ little in area
                points[goal].append(measured(quick(recipe) if args.quick else recipe, file, counted))
                print(points[goal][-1], file=sys.stderr, flush=True)
    found = [summary(*each) for each in points.items()]
    if args.json:
        print(json.dumps({"points": [asdict(p) for each in points.values() for p in each], "goals": found}))
    else:
        print(table([("recipe", "accuracy", "LUTs", "goal", "", "checks", ""), *map(_cells, found)]))
    return 0 if all(each["right"] if args.quick else each["reached"] for each in found) else 1


def _cells(found: dict[str, Any]) -> tuple[str, ...]:
    return (
        found["recipe"],
        f"{100 * found['mean_accuracy']:.2f}%",
        f"{found['mean_luts']:.0f}",
        f"{100 * found['accuracy']:.1f}%",
        f"{found['luts'] or 'any'}",
        "passed" if found["right"] else "FAILED",
        "" if found["reached"] else "MISSED",
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
