"""Random nets of integers all the way: soft = hard = naive = network = Verilog = netlist, simulated and proved.

    python -m bench.integers [--quick] [--json] [--nets 200]

The nets have random encoders of every kind on columns of 1 to 16 bits, signed and unsigned, with thresholds at both
ends and constant columns, and random layers behind them. They are drawn by the strategy that the tests use
(`tests/kit/samples.py`), and the naive reference is theirs too. The exit code is 1 if any of them differ.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings

from dbhw.data.stimuli import choose
from dbhw.model.model import Model
from dbhw.prove.equivalence import prove_emitted
from dbhw.rtl.verilog.emit import Emitted, emit
from dbhw.train.fit import soft_outputs
from tests.kit import naive, samples
from tests.kit.many import simulate_many

TARGETS = ["ecp5", "gowin", "ice40", "xilinx"]
_TOGETHER = 50  # nets in one simulation
_MOST_BITS = 32


def differences(model: Model, target: str) -> tuple[list[str], Emitted, np.ndarray]:
    """Which readings of a model differ; its hardware, and the inputs that were tried."""
    x = choose(model.net.inputs, "256")
    hard = model.outputs(x)
    layers = [layer.to_json() for layer in model.net.layers]
    weights = [None if w is None else w.astype(int).tolist() for w in model.weights]
    expected = [naive.run(layers, weights, example.astype(int).tolist()) for example in x]
    found = []
    if (soft_outputs(model, x) != hard).any():
        found.append("soft = hard")
    if hard.astype(int).tolist() != expected:
        found.append("hard = naive")
    emitted = emit(model, "net")
    found += [step.name for step in prove_emitted(emitted, target) if not step.proved]
    return found, emitted, x


def models(number: int, first: int = 0) -> list[Model]:
    """Random models of integers, the same ones whenever it is called."""
    found: list[Model] = []

    @seed(first)
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(samples.integer_models(_MOST_BITS))
    def draw(model: Model) -> None:
        found.append(model)

    draw()
    return found[:number]


def measure(number: int) -> dict[str, Any]:
    """What was found of so many nets."""
    started, wrong, entries = time.perf_counter(), Counter[str](), []
    drawn = models(number)
    for i, model in enumerate(drawn):
        print(f"net {i + 1} of {number} ...", end="\r", file=sys.stderr, flush=True)
        found, _, x = differences(model, TARGETS[i % len(TARGETS)])
        wrong.update(found)
        alone = emit(model, f"net{i}")
        entries.append((model, alone, alone.verilog, x))
    for i in range(0, number, _TOGETHER):
        wrong["simulation"] += sum(found > 0 for found in simulate_many(entries[i : i + _TOGETHER]))
    columns = [column for model in drawn for column in model.columns]
    return {
        "nets": len(drawn),
        "columns": len(columns),
        "signed": sum(column.signed for column in columns),
        "widths": sorted({column.width for column in columns}),
        "differences": {name: times for name, times in wrong.items() if times},
        "seconds": round(time.perf_counter() - started, 1),
    }


def main(arguments: list[str]) -> int:
    """Runs the bench and returns the exit code."""
    parser = argparse.ArgumentParser(prog="bench.integers", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="twelve nets only")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--nets", type=int, default=200, help="how many nets (default 200)")
    args = parser.parse_args(arguments)
    found = measure(12 if args.quick else args.nets)
    print(json.dumps(found) if args.json else "\n".join(f"{name}: {value}" for name, value in found.items()))
    return 1 if found["differences"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
