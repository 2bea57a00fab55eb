"""The default net on tables of numbers, beside scikit-learn's classifiers with their defaults: accuracy, time, LUTs.

    python -m bench.tables [--quick] [--json] [--only iris,wine] [--budget small | --max-luts 300] [--target ice40]

Four sets of scikit-learn and two of 20,000 rows that it generates, each in five stratified folds. The accuracy is that
of the hard net. LUTs are those of the whole net of the first fold: encoder, tables, counters and argmax. The exit code
is 1 if the mean of the hard nets is more than a point below that of the random forest.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial

import numpy as np
from sklearn import datasets
from sklearn.base import ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from dbhw import Classifier
from dbhw.base import terminal
from dbhw.tabular.choice import BUDGETS

FOLDS, GOAL = 5, 0.01
Table = tuple[np.ndarray, np.ndarray]
_generated = partial(datasets.make_classification, 20_000, random_state=0)
SETS: dict[str, Callable[[], Table]] = {
    "breast-cancer": partial(datasets.load_breast_cancer, return_X_y=True),
    "wine": partial(datasets.load_wine, return_X_y=True),
    "digits": partial(datasets.load_digits, return_X_y=True),
    "iris": partial(datasets.load_iris, return_X_y=True),
    "4-classes": partial(_generated, n_features=20, n_informative=10, n_redundant=4, n_classes=4, class_sep=1.0),
    "20-classes": partial(
        _generated,
        n_features=32,
        n_informative=16,
        n_redundant=4,
        n_classes=20,
        n_clusters_per_class=1,
        class_sep=1.5,
    ),
}
# Gradient boosting by histograms is scikit-learn's form for large tables; the other one is far slower on 20 classes.
OTHERS: dict[str, Callable[[], ClassifierMixin]] = {
    "logistic regression": LogisticRegression,
    "decision tree": partial(DecisionTreeClassifier, random_state=0),
    "random forest": partial(RandomForestClassifier, random_state=0),
    "gradient boosting": partial(HistGradientBoostingClassifier, random_state=0),
}
FOREST = "random forest"


@dataclass(frozen=True)
class Row:
    """A set: the accuracy of each fold, and what the first net takes in hardware."""

    table: str
    folds: list[float]
    seconds: float
    luts: dict[str, int]
    others: dict[str, float] = field(default_factory=dict)
    others_seconds: dict[str, float] = field(default_factory=dict)

    @property
    def accuracy(self) -> float:
        return float(np.mean(self.folds))


def measure(name: str, folds: int, make_ours: Callable[[], Classifier], targets: list[str], others: list[str]) -> Row:
    """The accuracies on one set."""
    x, y = SETS[name]()
    parts = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(x, y))[:folds]
    begun = time.perf_counter()
    ours = [make_ours().fit(x[learn], y[learn]) for learn, _ in parts]
    seconds = time.perf_counter() - begun
    found = [float(net.score(x[test], y[test])) for net, (_, test) in zip(ours, parts, strict=True)]
    row = Row(name, found, seconds, {target: ours[0].synth(target).luts for target in targets})
    for title in others:
        make, begun = OTHERS[title], time.perf_counter()
        row.others[title] = float(np.mean([make().fit(x[a], y[a]).score(x[b], y[b]) for a, b in parts]))
        row.others_seconds[title] = time.perf_counter() - begun
    return row


def behind(rows: list[Row]) -> float | None:
    """By how much the mean accuracy is below that of the random forest; None if that was not measured.

    >>> round(behind([Row("a", [0.9, 1.0], 1.0, {}, {"random forest": 0.96})]), 3)
    0.01
    """
    if not all(FOREST in row.others for row in rows):
        return None
    return float(np.mean([row.others[FOREST] - row.accuracy for row in rows]))


def _lines(rows: list[Row]) -> Iterator[tuple[str, ...]]:
    yield ("set", "hard net", *rows[0].others, "seconds", *(f"LUTs {target}" for target in rows[0].luts))
    for row in rows:
        found = (row.accuracy, *row.others.values())
        yield (row.table, *(f"{a:.2%}" for a in found), f"{row.seconds:.0f}", *map(str, row.luts.values()))
    means = np.mean([(row.accuracy, *row.others.values()) for row in rows], axis=0)
    yield ("mean", *(f"{a:.2%}" for a in means), "", *("" for _ in rows[0].luts))


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="end within a minute: iris and wine, one fold")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--only", help="these sets, with commas between them")
    parser.add_argument("--targets", default="xilinx,ice40", help="the families for LUTs (default xilinx,ice40)")
    parser.add_argument("--budget", default="medium", choices=list(BUDGETS), help="default medium")
    parser.add_argument("--max-luts", type=int, help="instead of a budget: the most LUTs on the target")
    parser.add_argument("--target", default="xilinx", help="the family that the nets are made for (default xilinx)")
    parser.add_argument("--others", default=",".join(OTHERS), help="the classifiers beside it (default all four)")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    warnings.simplefilter("ignore", ConvergenceWarning)  # with its defaults, logistic regression ends early
    names = options.only.split(",") if options.only else ["iris", "wine"] if options.quick else list(SETS)
    targets, others = ([name for name in given.split(",") if name] for given in (options.targets, options.others))
    for given, known, what in ((names, SETS, "--only"), (others, OTHERS, "--others")):
        for name in given:
            if name not in known:
                sys.exit(f"{what} must be some of {', '.join(known)}, not {name!r}")
    ours = partial(Classifier, options.budget, options.max_luts, options.target)
    rows = []
    for name in names:
        rows.append(row := measure(name, 1 if options.quick else FOLDS, ours, targets, others))
        print(f"{name}: {row.accuracy:.2%} in {row.seconds:.0f} s, LUTs {row.luts}", file=sys.stderr, flush=True)
    below = behind(rows)
    if options.json:
        values = [{**asdict(row), "accuracy": row.accuracy} for row in rows]
        json.dump({"rows": values, "behind_random_forest": below}, sys.stdout)
        print()
    else:
        print(terminal.table(list(_lines(rows))))
        if below is not None:
            goal = f"the goal is at most {100 * GOAL:.0f}"
            print(f"\n{100 * below:.2f} points below the random forest in the mean; {goal}")
    return 1 if below is not None and below > GOAL else 0


if __name__ == "__main__":
    sys.exit(main())
