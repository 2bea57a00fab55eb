"""The area of encoders: thresholds on integers, compared with plain `x >= constant` Verilog in the same Yosys.

    python -m bench.encoder [--quick] [--json] [--targets xilinx,ice40]

A thousand different random thresholds over 64 features of eight bits. A cell of a carry chain takes the place of a
look-up table, so both count. The goal is 0.6 of the plain area on xilinx, and at most the plain area elsewhere. The
column `least` is the share that a table for each threshold takes, if it is not a bit of its feature: below that no
circuit of single tables can be. The exit code is 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass

import numpy as np

from dbhw.base.terminal import table
from dbhw.data.tables.column import Column, pins
from dbhw.fpga import families
from dbhw.fpga.synth import Area, synthesise
from dbhw.logic import passes
from dbhw.logic.network import Network
from dbhw.nn.bits import NodeBits
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layers.encode import Encode
from dbhw.rtl.verilog.emit import emit_network

WIDTH = 8
_GOALS = {"xilinx": 0.6}


@dataclass(frozen=True)
class Row:
    """One target: tables and carries of ours and of the plain Verilog."""

    target: str
    luts: int
    plain_luts: int
    depth: int
    plain_depth: int
    ratio: float
    least: float  # the ratio below which no circuit of single tables can be
    goal: float
    reached: bool


def thresholds(features: int, number: int, seed: int = 0) -> list[list[int]]:
    """Different thresholds for each feature, in order.

    >>> thresholds(2, 5)
    [[255], [32, 55, 143, 170]]
    """
    chosen = np.random.default_rng(seed).permutation(features * ((1 << WIDTH) - 1))[:number].tolist()
    each: list[list[int]] = [[] for _ in range(features)]
    for value in sorted(chosen):
        each[value % features].append(value // features + 1)
    return each


def network(each: list[list[int]]) -> tuple[Network, tuple[Column, ...]]:
    """The encoder alone as a network, and its columns."""
    columns = tuple(Column(f"f{i}", "integer", WIDTH) for i in range(len(each)))
    encode = Encode(tuple(Thermometer(WIDTH, False, tuple(numbers)) for numbers in each))
    found = Network()
    x = NodeBits(np.array([[found.input(name) for name in pins(columns)]], np.int64), found)
    found.begin_layer("encode")
    found.output("bits", encode.hard(None, x).array.ravel().tolist())
    return passes.simplify(found), columns


def plain(each: list[list[int]]) -> str:
    """The same as one would write it by hand.

    >>> print(plain([[3]]))
    module net (input wire [7:0] f0, output wire [0:0] bits);
      assign bits[0] = f0 >= 8'd3;
    endmodule
    <BLANKLINE>
    """
    ports = [f"input wire [{WIDTH - 1}:0] f{i}" for i in range(len(each))]
    compared = [f"f{i} >= {WIDTH}'d{number}" for i, numbers in enumerate(each) for number in numbers]
    lines = [f"  assign bits[{i}] = {text};" for i, text in enumerate(compared)]
    head = f"module net ({', '.join(ports)}, output wire [{len(compared) - 1}:0] bits);"
    return "\n".join([head, *lines, "endmodule", ""])


def measure(target: str, each: list[list[int]]) -> Row:
    """Synthesises both for a target."""
    encoder, columns = network(each)
    lut_inputs = families.find(target).lut_inputs
    ours = synthesise(emit_network(encoder, "net", "0" * 64, (), lut_inputs, columns=columns).verilog, target)
    theirs = synthesise(plain(each), target)
    tables = sum(number & number - 1 > 0 or number < 1 << WIDTH - 1 for numbers in each for number in numbers)
    goal, ratio = _GOALS.get(target, 1.0), _places(ours) / _places(theirs)
    least = tables / _places(theirs)
    sizes = (_places(ours), _places(theirs), ours.depth, theirs.depth)
    return Row(target, *sizes, round(ratio, 3), round(least, 3), goal, ratio <= goal)


def _places(area: Area) -> int:
    """Tables, and carries that are not among them already."""
    return area.luts + (area.carries if area.target == "ice40" else 0)


def main(arguments: list[str]) -> int:
    """Runs the bench and returns the exit code."""
    parser = argparse.ArgumentParser(prog="bench.encoder", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="five hundred thresholds over 32 features")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--targets", default="xilinx,ice40,ecp5,gowin", help="families, separated by commas")
    args = parser.parse_args(arguments)
    each = thresholds(32, 500) if args.quick else thresholds(64, 1000)
    rows = [asdict(measure(target, each)) for target in args.targets.split(",")]
    if args.json:
        print(json.dumps({"rows": rows, "reached": all(row["reached"] for row in rows)}))
    else:
        print(table([tuple(rows[0]), *(tuple(map(str, row.values())) for row in rows)]))
    return 0 if all(row["reached"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
