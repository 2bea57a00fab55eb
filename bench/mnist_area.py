"""What the paper's MNIST net costs: one class score beside its plain Verilog, and the whole net, proved.

    python -m bench.mnist_area [--quick] [--json] [--target xilinx] [--model FILE]

Without a model the weights are seeded random bits. The score is a function of the 2,940 majorities: each counts twice,
once for each row of negations that its class owns. The plain Verilog of it is a loop over all 5,880. The exit code
is 1 where the score takes more than half of the plain area, or where a proof fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

import numpy as np

from dbhw import passes, prove
from dbhw.layers.bucket_sum import BucketSum
from dbhw.layers.harden import Harden
from dbhw.layers.majority import Majority
from dbhw.layers.mask_true import MaskTrue
from dbhw.layers.negation import Negation
from dbhw.layers.reshape import Reshape
from dbhw.lowering import lower
from dbhw.model import default_names, load
from dbhw.net import Net
from dbhw.network import Network
from dbhw.rtl.emit import emit_network
from dbhw.synth import TARGETS, check_target, synthesise

_GOAL = 0.5  # of the plain area, for the score of one class


def mnist(masks: int, pixels: int = 784) -> Net:
    """The paper's net, with as many rows of masks.

    >>> mnist(60).output_shape
    (10,)
    """
    majorities = masks * pixels // 16
    layers = [MaskTrue(width=masks), Reshape(shape=(majorities, 16)), Majority(), Negation(width=20), Harden()]
    return Net(pixels, [*layers, BucketSum(buckets=10)])


def score(signs: np.ndarray) -> tuple[Network, str]:
    """One class score over majorities, as a network and as plain Verilog; the rows of signs are those of the class."""
    n = signs.shape[1]
    net = Net(n, [Negation(width=len(signs)), BucketSum(buckets=1)])
    network = lower(net, [signs, None], default_names("x", n))
    network.outputs = [o for o in network.outputs if o.name == "scores"]
    width = signs.size.bit_length()
    rows = "".join(f"  assign v[{i * n + n - 1}:{i * n}] = x ^ ~{_constant(row)};\n" for i, row in enumerate(signs))
    plain = (
        f"module net (input wire [{n - 1}:0] x, output reg [{width - 1}:0] scores);\n  integer i;\n"
        f"  wire [{signs.size - 1}:0] v;\n{rows}  always @* begin\n    scores = 0;\n"
        f"    for (i = 0; i < {signs.size}; i = i + 1) scores = scores + v[i];\n  end\nendmodule\n"
    )
    return network, plain
