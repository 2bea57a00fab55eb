"""Three gradients of learned look-up tables compared: accuracy on scikit-learn's digits, and CPU time of training.

    python -m bench.gradients [--quick] [--json]

Nets of one and of two layers of tables over learned wires, a bit for each of 64 pixels that is at least 8 of 16. The
first 1,297 digits train, the last 500 test; mean and range over seeds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time

import numpy as np
from sklearn.datasets import load_digits

from dbhw import Data, Settings, fit
from dbhw.base import terminal
from dbhw.nn.layer import Layer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.lookup import GRADIENTS, Lookup
from dbhw.nn.net import Net

_TABLES, _FAN_IN, _TRAIN = 200, 4, 1297


def net(depth: int, gradient: str) -> Net:
    """Layers of 200 tables of four inputs, then twenty votes a digit."""
    layers: list[Layer] = []
    for _ in range(depth):
        layers += [Connect(width=_TABLES * _FAN_IN), Lookup(fan_in=_FAN_IN, gradient=gradient)]
    return Net(64, [*layers, BucketSum(buckets=10)])


def measure(depth: int, gradient: str, seeds: int, epochs: int) -> dict[str, object]:
    """The accuracies on the test digits for each seed, and the CPU seconds of all trainings, compiling included."""
    digits = load_digits()
    x, y = digits.data >= 8, digits.target
    train = Data.of(x[:_TRAIN], y[:_TRAIN])
    start, found = time.process_time(), []
    for seed in range(seeds):
        settings = Settings(epochs, 32, 0.005, "adam", temperature=1.5, schedule="cosine", seed=seed)
        model = fit(net(depth, gradient), train, settings)
        found.append(float((model.predict(x[_TRAIN:]) == y[_TRAIN:]).mean()))
    seconds = time.process_time() - start
    return {"depth": depth, "gradient": gradient, "accuracies": found, "cpu_seconds": seconds}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="end within a minute: one seed, fewer epochs")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    seeds, epochs = (1, 15) if options.quick else (4, 40)
    rows = [measure(depth, gradient, seeds, epochs) for depth in (1, 2) for gradient in GRADIENTS]
    if options.json:
        json.dump({"epochs": epochs, "rows": rows}, sys.stdout)
        print()
        return 0
    print(terminal.table([("layers", "gradient", "test accuracy", "range", "CPU s"), *map(_cells, rows)]))
    return 0


def _cells(row: dict[str, object]) -> tuple[str, ...]:
    found = np.array(row["accuracies"]) * 100
    spread = f"{found.min():.1f} to {found.max():.1f}"
    return f"{row['depth']}", f"{row['gradient']}", f"{found.mean():.2f} %", spread, f"{row['cpu_seconds']:.1f}"


if __name__ == "__main__":
    sys.exit(main())
