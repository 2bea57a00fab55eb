"""Area and throughput of a net that is folded into N cycles, for N = 1, 2, 4, …; the paper's MNIST net by default.

    python -m bench.fold [--quick] [--json] [--target gowin] [--model FILE] [--folds 1,2,4] [--prove]

Without a model the weights are seeded random bits. N = 1 is the net as it is, with its weights baked in. With `--prove`
every core is proved; the exit code is 1 if a proof fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass

import numpy as np

from bench.mnist_area import mnist
from dbhw.base.names import default_names
from dbhw.base.terminal import table
from dbhw.fpga import families
from dbhw.fpga.synth import synthesise
from dbhw.model.model import Model, load
from dbhw.prove.fold.folded import verilog_is_folded
from dbhw.rtl.fold.emit import Folded
from dbhw.rtl.loadable import emit_as

_FOLDS = "1,2,4,8,16,32,64,128,256,512,1024"
_QUICK = "1,2,4,16"


@dataclass(frozen=True)
class Row:
    """What a fold costs, and how many cycles lie between two inputs."""

    fold: int
    units: int  # computed in each cycle
    luts: int
    ffs: int
    rams: int
    depth: int
    latency: int
    interval: int
    proved: bool | None


def random_model(masks: int, pixels: int) -> Model:
    """The paper's net, or a smaller one of the same kind, with random weights.

    >>> random_model(4, 64).net.inputs
    64
    """
    net, random = mnist(masks, pixels), np.random.default_rng(0)
    shapes = net.weight_shapes()
    weights = tuple(None if s is None else (random.random(s) - 0.5).astype(np.float32) for s in shapes)
    return Model(net, weights, default_names("x", pixels), default_names("class", net.classes))


def measure(model: Model, fold: int, target: str, prove: bool) -> Row:
    """One fold of a model on a target."""
    lut_inputs = families.find(target).lut_inputs
    emitted = emit_as("baked", model, lut_inputs, fold=fold)
    area = synthesise(emitted.verilog, target, emitted.module)
    manifest = emitted.manifest
    lanes, proved = 0, None
    if isinstance(emitted, Folded):
        lanes = emitted.slices.lanes
        proved = all(s.proved for s in verilog_is_folded(emitted, emitted.verilog, lut_inputs)) if prove else None
    times = (manifest.latency, manifest.interval)
    return Row(manifest.fold, lanes, area.luts, area.ffs, area.rams, area.depth, *times, proved)


def main(arguments: list[str]) -> int:
    """Runs the bench and returns the exit code."""
    parser = argparse.ArgumentParser(prog="bench.fold", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a smaller net of the same kind")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--target", default="gowin", help="ecp5, gowin (default), ice40 or xilinx")
    parser.add_argument("--model", help="a trained model")
    parser.add_argument("--folds", help=f"the numbers of cycles (default {_FOLDS})")
    parser.add_argument("--prove", action="store_true", help="also prove every core")
    args = parser.parse_args(arguments)
    families.find(args.target)
    model = load(args.model) if args.model else random_model(*((4, 64) if args.quick else (60, 784)))
    found: list[Row] = []
    for fold in map(int, (args.folds or (_QUICK if args.quick else _FOLDS)).split(",")):
        print(f"{fold} cycles on {args.target} ...", file=sys.stderr, flush=True)
        row = measure(model, fold, args.target, args.prove)
        if row not in found:
            found.append(row)
    if args.json:
        print(json.dumps({"target": args.target, "rows": [asdict(row) for row in found]}))
    else:
        header = ("N", "units a cycle", "LUTs", "FFs", "block RAMs", "depth", "latency", "cycles an input", "proved")
        print(table([header, *(tuple(map(str, asdict(row).values())) for row in found)]))
    return 1 if any(row.proved is False for row in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
