"""The area of the paper's MNIST net: one class score against plain Verilog, and the whole net, proved layer by layer.

    python -m bench.mnist_area [--quick] [--json] [--target xilinx] [--model FILE]

Without a model the weights are seeded random bits. The score is a function of the 2,940 majorities: each counts twice,
once for each row of negations of its class; its plain Verilog is a loop over all 5,880. The exit code is 1 if the
score takes more than half of the plain area, or if a proof fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from bench.area import plain_constant
from dbhw.base.names import default_names
from dbhw.base.terminal import table
from dbhw.fpga import families
from dbhw.fpga.synth import Area, synthesise
from dbhw.logic import passes
from dbhw.logic.cut import cut
from dbhw.logic.network import Network
from dbhw.model.lower import lower
from dbhw.model.model import load
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.mask_true import MaskTrue
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.net import Net
from dbhw.prove.equivalence import Step, network_is_simplified, network_is_verilog, verilog_is_netlist
from dbhw.rtl.verilog.emit import emit_network

_GOAL = 0.5  # of the plain area, for the score of one class


def mnist(masks: int = 60, pixels: int = 784) -> Net:
    """The paper's net, or a smaller one of the same kind.

    >>> mnist().input_shapes()[3]
    (2940,)
    """
    majorities = masks * pixels // 16
    layers = [MaskTrue(width=masks), Reshape(shape=(majorities, 16)), Majority(), Negation(width=20), Harden()]
    return Net(pixels, [*layers, BucketSum(buckets=10)])


def score(signs: np.ndarray) -> tuple[Network, str]:
    """One class score over majorities, as a network and as plain Verilog; the rows of signs are those of the class."""
    n, terms = signs.shape[1], signs.size
    net = Net(n, [Negation(width=len(signs)), BucketSum(buckets=1)])
    network = lower(net, [signs, None], default_names("x", n))
    network.outputs = [o for o in network.outputs if o.name == "scores"]
    width = terms.bit_length()
    rows = "".join(
        f"  assign v[{i * n + n - 1}:{i * n}] = x ^ ~{plain_constant(row)};\n" for i, row in enumerate(signs)
    )
    plain = (
        f"module net (input wire [{n - 1}:0] x, output reg [{width - 1}:0] scores);\n  integer i;\n"
        f"  wire [{terms - 1}:0] v;\n{rows}  always @* begin\n    scores = 0;\n"
        f"    for (i = 0; i < {terms}; i = i + 1) scores = scores + v[i];\n  end\nendmodule\n"
    )
    return network, plain


def measure_score(signs: np.ndarray, target: str) -> dict[str, Any]:
    """The areas of one class score, ours and plain."""
    network, plain = score(signs)
    ours, other = synthesise(_verilog(passes.simplify(network), target), target), synthesise(plain, target)
    return {"luts": ours.luts, "plain_luts": other.luts, "reached": ours.luts <= _GOAL * other.luts}


def whole(network: Network, target: str) -> tuple[Area, list[Step]]:
    """The area of the whole net, and the proofs: the passes changed no function, and each layer is its Verilog."""
    simple = passes.simplify(network)
    steps = [network_is_simplified(network, simple, families.find(target).lut_inputs), *_by_layers(simple, target)]
    return synthesise(_verilog(simple, target), target), steps


def _by_layers(network: Network, target: str) -> Iterator[Step]:
    for number, layer in cut(network).items():
        verilog = _verilog(layer, target)
        for step in (
            network_is_verilog(layer, verilog, lut_inputs=families.find(target).lut_inputs),
            verilog_is_netlist(verilog, target=target),
        ):
            yield Step(f"{network.layer_names[number]}: {step.name}", step.proved, step.seconds)


def main(arguments: list[str]) -> int:
    """Runs the bench and returns the exit code."""
    parser = argparse.ArgumentParser(prog="bench.mnist_area", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a smaller net of the same kind")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--target", default="xilinx", help="ecp5, gowin, ice40 or xilinx (default)")
    parser.add_argument("--model", help="a trained model of the paper's net")
    args = parser.parse_args(arguments)
    families.find(args.target)
    net, weights = _net(args)
    signs = next(w for layer, w in zip(net.layers, weights, strict=True) if isinstance(layer, Negation))
    assert signs is not None
    one = measure_score(signs[: len(signs) // net.classes], args.target)
    area, steps = whole(lower(net, weights, default_names("x", net.inputs)), args.target)
    passed = one["reached"] and all(step.proved for step in steps)
    if args.json:
        print(json.dumps({"score": one, "whole": asdict(area), "steps": [asdict(s) for s in steps], "passed": passed}))
    else:
        cells = [("one score", one["luts"], one["plain_luts"]), ("whole net", area.luts, "")]
        print(table([("", f"LUTs, {args.target}", "plain"), *(tuple(map(str, row)) for row in cells)]))
        print(
            "\n"
            + table([("proof", "", "seconds"), *((s.name, "yes" if s.proved else "NO", str(s.seconds)) for s in steps)])
        )
    return 0 if passed else 1


def _net(args: argparse.Namespace) -> tuple[Net, list[np.ndarray | None]]:
    if args.model:
        model = load(args.model)
        return model.net, list(model.weights)
    net = mnist(masks=4, pixels=64) if args.quick else mnist()
    random = np.random.default_rng(0)
    return net, [None if shape is None else random.random(shape) < 0.5 for shape in net.weight_shapes()]


def _verilog(network: Network, target: str) -> str:
    return emit_network(network, "net", "0" * 64, (), families.find(target).lut_inputs).verilog


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
