"""The default net on tables of numbers, beside scikit-learn's classifiers with their defaults: accuracy, time, LUTs.

    python -m bench.tables [--quick] [--json] [--only iris,wine] [--budget small | --max-luts 300] [--no-others]

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

from dbhw.base import terminal
from dbhw.data.tables import quantise
from dbhw.data.tables.examples import to_data
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.read import of_frame
from dbhw.data.tables.types import describe
from dbhw.fpga import families
from dbhw.fpga.synth import synthesise
from dbhw.model.freeze import freeze
from dbhw.model.model import Model
from dbhw.nn.net import Net
from dbhw.rtl.loadable import emit_as
from dbhw.tabular import choice
from dbhw.tabular.thresholds import encoder
from dbhw.train.fit import fit

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
# GradientBoostingClassifier itself takes an hour for 20 classes; the one by histograms is scikit-learn's fast form.
OTHERS: dict[str, Callable[[], ClassifierMixin]] = {
    "logistic regression": LogisticRegression,
    "decision tree": partial(DecisionTreeClassifier, random_state=0),
    "random forest": partial(RandomForestClassifier, random_state=0),
    "gradient boosting": partial(HistGradientBoostingClassifier, random_state=0),
}
FOREST = "random forest"


@dataclass(frozen=True)
class Size:
    """How large the net may be: a budget in words, or a number of LUTs."""

    budget: str = "medium"
    luts: int | None = None
    lut_inputs: int = 6

    def choice(self, examples: int, classes: int, columns: int) -> choice.Choice:
        if self.luts is not None:
            return choice.within(self.luts, examples, classes, columns, lut_inputs=self.lut_inputs)
        return choice.choose(examples, classes, self.budget, lut_inputs=self.lut_inputs)


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


def train(x: np.ndarray, y: np.ndarray, size: Size) -> Model:
    """The default net for numbers (examples, columns) and their classes."""
    table, options = of_frame(x, y), TableOptions(label="y")
    found = describe(table, options)
    columns = quantise.columns(table, found.used, options)
    data = to_data(table, columns, found.label, found.classes)
    chosen = size.choice(len(y), len(found.classes), len(columns))
    first = encoder(columns, data, chosen.thresholds, chosen.way)
    return freeze(fit(Net(first.inputs, [first, *chosen.layers]), data, chosen.settings))


def predict(model: Model, x: np.ndarray) -> np.ndarray:
    """The classes of rows with all columns of the table, those too that the model leaves out."""
    kept = [int(column.name.removeprefix("x")) for column in model.columns]
    return np.array(model.classes, float)[model.predict(x[:, kept])]


def measure(name: str, folds: int, size: Size, targets: list[str], others: bool) -> Row:
    """The accuracies on one set."""
    x, y = SETS[name]()
    parts = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(x, y))[:folds]
    begun = time.perf_counter()
    models = [train(x[train_part], y[train_part], size) for train_part, _ in parts]
    seconds = time.perf_counter() - begun
    found = [float((predict(m, x[test]) == y[test]).mean()) for m, (_, test) in zip(models, parts, strict=True)]
    row = Row(name, found, seconds, {target: luts(models[0], target) for target in targets})
    for title, make in OTHERS.items() if others else ():
        begun = time.perf_counter()
        right = [make().fit(x[learn], y[learn]).score(x[test], y[test]) for learn, test in parts]
        row.others[title] = float(np.mean(right))
        row.others_seconds[title] = time.perf_counter() - begun
    return row


def luts(model: Model, target: str) -> int:
    """The LUTs of a model, all in."""
    emitted = emit_as("baked", model, lut_inputs=families.find(target).lut_inputs)
    return synthesise(emitted.verilog, target, emitted.module).luts


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
    parser.add_argument("--budget", default="medium", choices=list(choice.BUDGETS), help="default medium")
    parser.add_argument("--max-luts", type=int, help="instead of a budget: about how many LUTs the net may take")
    parser.add_argument("--lut-inputs", type=int, default=6, help="tables for LUTs of 4 or 6 inputs (default 6)")
    parser.add_argument("--no-others", dest="others", action="store_false", help="leave out scikit-learn's classifiers")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    warnings.simplefilter("ignore", ConvergenceWarning)  # with its defaults, logistic regression ends early
    names = options.only.split(",") if options.only else ["iris", "wine"] if options.quick else list(SETS)
    targets = [t for t in options.targets.split(",") if t]
    size = Size(options.budget, options.max_luts, options.lut_inputs)
    rows = []
    for name in names:
        rows.append(row := measure(name, 1 if options.quick else FOLDS, size, targets, options.others))
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
