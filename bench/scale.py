"""How time and memory grow with the size of a network: traced, optimised, emitted.

    python -m bench.scale [--quick] [--json] [--nodes 10000,100000]

The nets are twenty-one blocks deep, of the toolkit's own layers with seeded random weights: negations or masks, then
majorities of 16, in turn; ten class scores and argmax at the end. Each size runs in a process of its own. Seconds are
CPU seconds, tools included; memory is the peak of any one process. The exit code is 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from typing import Any

import numpy as np

from dbhw.base.names import default_names
from dbhw.base.terminal import table
from dbhw.logic import passes
from dbhw.model.lower import lower
from dbhw.nn.layer import Layer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.mask_true import MaskTrue
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.net import Net
from dbhw.rtl.verilog.emit import emit_network

STEPS = ["trace", "optimise", "emit"]
_BLOCKS = 21
_NODES_PER_BIT = 31.9  # how many nodes the blocks make of each input
_MOST_GROWTH = 1.2  # of time and memory per node, from one size to the next
# By nodes: the limits in seconds and gigabytes.
_GOALS = {100_000: (30, 1), 1_000_000: (600, 8)}


def deep_net(nodes: int, blocks: int = _BLOCKS) -> Net:
    """A net with about this many nodes.

    >>> deep_net(10_000).inputs
    320
    """
    n = max(round(nodes / _NODES_PER_BIT / 160), 1) * 160
    layers: list[Layer] = []
    for i in range(blocks):
        layers += [MaskTrue(width=16) if i % 2 else Negation(width=16), Reshape(shape=(n, 16)), Majority()]
    return Net(n, [*layers, Reshape(shape=(n // 16, 16)), Majority(), BucketSum(buckets=10)])


def measure(nodes: int) -> dict[str, Any]:
    """CPU seconds of each step and peak memory, of this process and the tools it runs."""
    net = deep_net(nodes)
    random = np.random.default_rng(0)
    weights = [None if shape is None else random.random(shape) < 0.5 for shape in net.weight_shapes()]
    seconds = [cpu_seconds()]
    network = lower(net, weights, default_names("x", net.inputs))
    traced = len(network)
    seconds.append(cpu_seconds())
    network = passes.simplify(network)
    seconds.append(cpu_seconds())
    verilog = emit_network(network, "net", "0" * 64, ()).verilog
    seconds.append(cpu_seconds())
    taken = {step: round(b - a, 2) for step, a, b in zip(STEPS, seconds, seconds[1:], strict=False)}
    return {
        "nodes": traced,
        "nodes_optimised": len(network),
        **taken,
        "seconds": round(sum(taken.values()), 2),
        "gigabytes": round(max(r.ru_maxrss for r in _usage()) / 1e6, 3),
        "verilog_megabytes": round(len(verilog) / 1e6, 1),
    }


def judged(rows: list[dict[str, Any]], sizes: list[int]) -> list[dict[str, Any]]:
    """The rows with their growth per node since the row before, and whether they reach their goals.

    >>> small, large = ({"nodes": n, "seconds": n / 10, "gigabytes": 0.1} for n in (100, 1000))
    >>> [(row["growth"], row["reached"]) for row in judged([small, large], [100, 1000])]
    [(None, True), (1.0, True)]
    """
    found = []
    for i, (row, size) in enumerate(zip(rows, sizes, strict=True)):
        growth = None
        if i:
            before = rows[i - 1]
            growth = max(row[k] / before[k] for k in ("seconds", "gigabytes")) / (row["nodes"] / before["nodes"])
        seconds, gigabytes = _GOALS.get(size, (600, 8))
        reached = row["seconds"] <= seconds and row["gigabytes"] <= gigabytes and (growth or 0) <= _MOST_GROWTH
        found.append({**row, "growth": growth and round(growth, 3), "reached": reached})
    return found


def main(arguments: list[str]) -> int:
    """Runs the bench and returns the exit code."""
    parser = argparse.ArgumentParser(prog="bench.scale", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="ten and thirty thousand nodes only")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--nodes", help="sizes, separated by commas (default 10000,100000,1000000)")
    args = parser.parse_args(arguments)
    sizes = [int(n) for n in (args.nodes or ("10000,30000" if args.quick else "10000,100000,1000000")).split(",")]
    rows = judged([_in_a_process(size) for size in sizes], sizes)
    if args.json:
        print(json.dumps({"rows": rows, "reached": all(row["reached"] for row in rows)}))
    else:
        names = list(rows[0])
        print(table([tuple(names), *(tuple(str(row[name]) for name in names) for row in rows)]))
    return 0 if all(row["reached"] for row in rows) else 1


def _in_a_process(nodes: int) -> dict[str, Any]:
    print(f"{nodes} nodes ...", file=sys.stderr, flush=True)
    code = f"import json; from bench import scale; print(json.dumps(scale.measure({nodes})))"
    return json.loads(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout)


def _usage() -> list[resource.struct_rusage]:
    return [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]


def cpu_seconds() -> float:
    """What this process and the tools that it ran have taken so far.

    >>> cpu_seconds() > 0
    True
    """
    return sum(used.ru_utime + used.ru_stime for used in _usage())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
