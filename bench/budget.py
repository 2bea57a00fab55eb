"""`--max-luts`: the nets that it finds, beside the best that one would find by hand for as many look-up tables.

    python -m bench.budget [--quick] [--json] [--max-luts 400] [--target ice40] [--only wine,digits] [--splits 20]

By hand: one to seven thresholds a column, each with three numbers of votes; the estimate gives them from half of the
budget to most of it, since synthesis takes more. What takes more than the budget then does not count. Accuracies are
means over random splits, on rows that nothing was trained on. The best by hand is chosen by these very rows, which
favours it, the more so the fewer splits there are; its look-up tables are those of the first split. The exit code is 1
if `--max-luts` is further below it than half a point, or over the budget.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from statistics import mean
from typing import Any

from dbhw.base import terminal
from dbhw.data import scikit
from dbhw.data.dataset import Data
from dbhw.data.tables.examples import Prepared
from dbhw.fpga import families
from dbhw.model.model import Model
from dbhw.report.area import of_model
from dbhw.tabular import budget, choice
from dbhw.tabular.choice import Choice
from dbhw.tabular.fit import fit_table

SETS = ("breast-cancer", "wine", "digits")
GOAL = 0.005
_THRESHOLDS, _SHARES = (1, 2, 4, 7), (0.5, 0.65, 0.8)  # the shares of the budget that the estimate is asked for


@dataclass(frozen=True)
class Net:
    """One net: its mean accuracy in all splits, and the look-up tables that it took."""

    how: str
    accuracy: float
    luts: int


def by_hand(ready: Prepared, max_luts: int, lut_inputs: int) -> Iterator[tuple[str, Choice]]:
    """The nets that one would try."""
    examples, classes, columns = len(ready.train.y), len(ready.train.classes), len(ready.train.columns)
    for thresholds in _THRESHOLDS:
        for share in _SHARES:
            luts = share * max_luts
            fitting = [
                v for v in range(2, 200) if choice.estimate(v, classes, columns * thresholds, lut_inputs) <= luts
            ]
            if fitting:
                made = choice.with_votes(max(fitting), examples, classes, thresholds, fan_in=lut_inputs)
                yield f"{thresholds} thresholds, {share:.0%}", made


def measure(name: str, splits: int, max_luts: int, target: str) -> dict[str, Any]:
    """The net of `--max-luts` and those by hand, on one set."""
    lut_inputs = families.find(target).lut_inputs
    parts = [scikit.prepared(name.replace("-", "_"), seed) for seed in range(splits)]
    found = [budget.within(ready.train, max_luts, target).model for ready in parts]
    own = _net("--max-luts", found, [ready.test for ready in parts], max(of_model(m, target).luts for m in found))
    print(name, own, file=sys.stderr, flush=True)
    tried = []
    for how, made in by_hand(parts[0], max_luts, lut_inputs):
        models = [fit_table(ready.train, made, f"{name}, {how}") for ready in parts]
        tried.append(_net(how, models, [ready.test for ready in parts], of_model(models[0], target).luts))
        print(name, tried[-1], file=sys.stderr, flush=True)
    best = best_of(tried, max_luts)
    met = reached(own, best, max_luts)
    return {"set": name, "own": asdict(own), "best_by_hand": asdict(best), "tried": len(tried), "reached": met}


def best_of(tried: list[Net], max_luts: int) -> Net:
    """The most accurate of those that fit."""
    return max((net for net in tried if net.luts <= max_luts), key=lambda net: net.accuracy)


def reached(own: Net, best: Net, max_luts: int) -> bool:
    """Whether a net is within the budget and no further below the best by hand than the goal."""
    return own.luts <= max_luts and own.accuracy >= best.accuracy - GOAL


def _net(how: str, models: list[Model], tests: list[Data], luts: int) -> Net:
    right = [float((model.predict(test.x) == test.y).mean()) for model, test in zip(models, tests, strict=True)]
    return Net(how, mean(right), luts)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="end within a minute: wine, one split")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--only", help="these sets, with commas between them")
    parser.add_argument("--splits", type=int, default=20, help="random splits (default 20)")
    parser.add_argument("--max-luts", type=int, default=400, help="the budget (default 400)")
    parser.add_argument("--target", default="ice40", help="the family (default ice40)")
    options = parser.parse_args(arguments)
    names = options.only.split(",") if options.only else ["wine"] if options.quick else list(SETS)
    splits = 1 if options.quick else options.splits
    found = [measure(name, splits, options.max_luts, options.target) for name in names]
    if options.json:
        print(json.dumps({"max_luts": options.max_luts, "target": options.target, "sets": found}))
    else:
        print(terminal.table([("set", "--max-luts", "LUTs", "best by hand", "LUTs", "how", ""), *map(_cells, found)]))
    return 0 if all(each["reached"] for each in found) else 1


def _cells(found: dict[str, Any]) -> tuple[str, ...]:
    own, best = found["own"], found["best_by_hand"]
    said = "" if found["reached"] else "MISSED"
    figures = (f"{own['accuracy']:.2%}", str(own["luts"]), f"{best['accuracy']:.2%}", str(best["luts"]))
    return (found["set"], *figures, best["how"], said)


if __name__ == "__main__":
    sys.exit(main())
