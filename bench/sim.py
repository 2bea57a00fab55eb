"""How fast simulations build and run: noisy XOR in both simulators, and the paper's MNIST net in Verilator.

    python -m bench.sim [--quick] [--json]

Noisy XOR is the paper's net, trained; the weights of the MNIST net are seeded random bits. The exit code is 1 if a goal
is missed or a bit is wrong. Without `--quick`, 10,000 images go through the paper's MNIST net. A simulator that is
missing is told.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from typing import Any

import numpy as np

from bench.boards import noisy_xor
from bench.mnist_area import mnist
from dbhw.base.errors import DbhwError
from dbhw.base.names import default_names
from dbhw.base.terminal import table
from dbhw.model.model import Model
from dbhw.nn.net import Net
from dbhw.rtl.verilog.emit import emit
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim import simulators
from dbhw.sim.run import simulate

_RATES = {"verilator": 20_000, "icarus": 2_000}  # vectors a second, for noisy XOR
_SECOND_BUILD = 1.0  # seconds
_IMAGES, _IMAGES_SECONDS, _IMAGES_MEGABYTES = 10_000, 180, 2_000


def mnist_paper() -> Model:
    """The paper's net for MNIST.

    >>> mnist_paper().net.inputs
    784
    """
    return _model(mnist(), 10, [0.5, 0.5])


def _model(net: Net, classes: int, shares: list[float]) -> Model:
    """A net with seeded random weights; the shares are those of high bits in each layer that has weights."""
    random, left = np.random.default_rng(0), iter(shares)
    weights = tuple(
        None if shape is None else (next(left) - random.random(shape)).astype(np.float32)
        for shape in net.weight_shapes()
    )
    return Model(net, weights, default_names("x", net.inputs), default_names("c", classes))


def measure(name: str, model: Model, count: int, simulator: str) -> dict[str, Any]:
    """Builds and runs a net twice."""
    emitted = emit(model)
    x = np.random.default_rng(1).random((count, model.net.inputs)) < 0.3
    vectors = Vectors.of(model, emitted.manifest, x)
    started = time.perf_counter()
    first = simulate(emitted.verilog, emitted.module, vectors, simulator)
    seconds = time.perf_counter() - started
    again = simulate(emitted.verilog, emitted.module, vectors, simulator)
    kilobytes = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "net": name,
        "simulator": simulator,
        "vectors": count,
        "mismatches": first.mismatches + again.mismatches,
        "seconds": round(seconds, 2),
        "build_seconds": first.build_seconds,
        "second_build_seconds": again.build_seconds,
        "vectors_per_second": max(first.vectors_per_second, again.vectors_per_second),
        "megabytes": round(kilobytes / 1024),
    }


def reached(found: dict[str, Any]) -> bool:
    """Whether a measurement keeps its goals.

    >>> reached({"mismatches": 1})
    False
    """
    if found["mismatches"] or found["second_build_seconds"] >= _SECOND_BUILD:
        return False
    if found["net"] == "noisy-xor":
        return found["vectors_per_second"] >= _RATES[found["simulator"]]
    return found["seconds"] < _IMAGES_SECONDS and found["megabytes"] < _IMAGES_MEGABYTES


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="noisy XOR only")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DBHW_COMPILED"] = folder  # so that the first build is a first build
        model = noisy_xor()
        for simulator in _RATES:
            try:
                simulators.check(simulator)
            except DbhwError as lacking:
                print(f"left out: {lacking}", file=sys.stderr)
                continue
            rows.append(measure("noisy-xor", model, 20_000, simulator))
        if not args.quick:
            rows.append(measure("mnist-paper", mnist_paper(), _IMAGES, "verilator"))
    rows = [{**row, "reached": reached(row)} for row in rows]
    heads = list(rows[0])
    print(json.dumps(rows) if args.json else table([heads, *([str(row[head]) for head in heads] for row in rows)]))
    return 0 if all(row["reached"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
