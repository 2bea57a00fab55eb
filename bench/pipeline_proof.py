"""How long the whole proof of a large pipeline takes: model = network = Verilog = netlist, and its registers.

    python -m bench.pipeline_proof [--quick] [--json] [--tables 3000] [--pipeline levels=1] [--target xilinx]

The net is random, by its seed: six-input tables, each on six of 784 pixels of eight bits that are compared with 128, in
ten classes whose sums are compared. Seconds are CPU seconds, tools included. The exit code is 1 if a step is not proved
or if all of it takes longer than a quarter of an hour.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from bench.scale import cpu_seconds
from dbhw.base.names import default_names
from dbhw.base.terminal import table
from dbhw.fpga import families
from dbhw.model.model import Model
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.layers.wires import Wires
from dbhw.nn.net import Net
from dbhw.prove.equivalence import prove_emitted
from dbhw.prove.meanings import lowering
from dbhw.prove.watch import Watch
from dbhw.rtl.verilog.emit import emit

GOAL_SECONDS = 900
_PIXELS, _FAN_IN, _CLASSES = 784, 6, 10


def random_model(tables: int, seed: int = 0) -> Model:
    """A model of that many tables.

    >>> random_model(20).net.output_shape
    (10,)
    """
    random = np.random.default_rng(seed)
    places = np.concatenate([random.choice(_PIXELS, _FAN_IN, False) for _ in range(tables)])
    layers = [
        Encode((Thermometer(8, False, (128,)),) * _PIXELS),
        Wires(tuple(places.tolist())),
        Lookup(fan_in=_FAN_IN),
        BucketSum(buckets=_CLASSES),
    ]
    rows = random.random((tables, 1 << _FAN_IN), np.float32) - 0.5
    features, classes = default_names("x", 8 * _PIXELS), default_names("class", _CLASSES)
    return Model(Net(8 * _PIXELS, layers), (None, None, rows, None), features, classes)


@dataclass
class Clock:
    """CPU seconds of what was begun one after another."""

    parts: list[tuple[str, float]] = field(default_factory=list)
    doing: str = ""
    since: float = field(default_factory=cpu_seconds)

    def begin(self, doing: str) -> None:
        """Ends what was begun before."""
        now = cpu_seconds()
        if self.doing:
            self.parts.append((self.doing, round(now - self.since, 1)))
            print(f"{self.parts[-1][1]:7.1f} s  {self.doing}", file=sys.stderr, flush=True)
        self.doing, self.since = doing, now


def measure(tables: int, seed: int, pipeline: str, target: str, clock: Clock) -> dict[str, Any]:
    """Emits and proves a random net, and says what each step took."""
    begin: Callable[[str], None] = clock.begin
    begin("making a net")
    model = random_model(tables, seed)
    lowered = model.to_network()
    begin("emitting")
    emitted = emit(model, lut_inputs=families.find(target).lut_inputs, pipeline=pipeline, lowered=lowered)
    begin("model = network")
    steps = [lowering.step(model, lowered), *prove_emitted(emitted, target, watch=Watch(say=begin))]
    begin("")
    seconds = sum(taken for _, taken in clock.parts)
    proved = all(step.proved for step in steps)
    return {
        "tables": tables,
        "seed": seed,
        "pipeline": pipeline,
        "latency": emitted.manifest.latency,
        "target": target,
        "steps": [asdict(step) for step in steps],
        "parts": clock.parts,
        "seconds": round(seconds, 1),
        "proved": proved,
        "reached": proved and seconds <= GOAL_SECONDS,
    }


def main(arguments: list[str]) -> int:
    """Runs the bench and returns the exit code."""
    parser = argparse.ArgumentParser(prog="bench.pipeline_proof", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a net of 200 tables")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--tables", type=int, help="how many tables (default 3000)")
    parser.add_argument("--seed", type=int, default=0, help="of the net (default 0)")
    parser.add_argument("--pipeline", default="levels=1", help="as `dbhw emit` takes it (default levels=1)")
    parser.add_argument("--target", default="xilinx", help="the FPGA family (default xilinx)")
    args = parser.parse_args(arguments)
    tables = args.tables or (200 if args.quick else 3000)
    found = measure(tables, args.seed, args.pipeline, args.target, Clock())
    if args.json:
        print(json.dumps(found))
    else:
        print(table([("part", "CPU s"), *((name, f"{taken:.1f}") for name, taken in found["parts"])]))
        for step in found["steps"]:
            print(f"{step['name']}: {'proved' if step['proved'] else 'NOT proved'} {step['undecided']}")
        told = "reached" if found["reached"] else "MISSED"
        print(f"{found['seconds']} s of CPU time; the goal is all proved within {GOAL_SECONDS} s: {told}")
    return 0 if found["reached"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
