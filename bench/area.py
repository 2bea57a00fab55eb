"""The area of the toolkit's hardware, compared with plain behavioural Verilog of the same function in the same Yosys.

    python -m bench.area [--quick] [--json] [--targets xilinx,ice40] [--only popcount]

The plain Verilog is written here as one would write it by hand: loops that count, masks, comparisons. Every row has a
goal: the largest fraction of the plain area that the toolkit may take. The exit code is 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from dbhw.base.names import default_names
from dbhw.base.terminal import table
from dbhw.fpga import families
from dbhw.fpga.synth import synthesise
from dbhw.logic import passes
from dbhw.logic.network import Network
from dbhw.model.lower import lower
from dbhw.nn.layers.bucket_any import BucketAny
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.conjunction import Conjunction
from dbhw.nn.layers.count_hot import CountHot
from dbhw.nn.layers.disjunction import Disjunction
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.layers.with_negation import WithNegation
from dbhw.nn.net import Net
from dbhw.rtl.verilog.emit import emit_network


@dataclass(frozen=True)
class Function:
    """A function as a network and as plain Verilog, and the fraction of the plain area that is its goal."""

    name: str
    network: Network
    plain: str
    xilinx_goal: float = 1.0
    goal: float = 1.0


@dataclass(frozen=True)
class Row:
    """One function on one target."""

    function: str
    target: str
    luts: int
    plain_luts: int
    depth: int
    plain_depth: int
    ratio: float
    goal: float
    reached: bool


def threshold(name: str, n: int, k: int, goal: float) -> Function:
    """Whether at least k of n bits are high."""
    network = Network()
    x = _inputs(network, n)
    network.begin_layer("count")
    network.output("y", [network.at_least([(b, 1) for b in x], k)])
    body = f"{_loop(n)}    y = total >= {k};\n"
    return Function(name, network, _module(n, "output reg y", f"{_integer('total', n)}{_always(body)}"), goal)


def count_hot(n: int) -> Function:
    """One-hot, at the number of low bits."""
    network = Network()
    x = _inputs(network, n)
    network.begin_layer("count_hot")
    network.output("y", [network.exactly([(b ^ 1, 1) for b in x], k) for k in range(n + 1)])
    body = f"{_loop(n, '!x[i]')}    for (i = 0; i <= {n}; i = i + 1) y[i] = total == i;\n"
    plain = _module(n, f"output reg [{n}:0] y", f"{_integer('total', n)}{_always(body)}")
    return Function(f"count-hot of {n}", network, plain, 0.75)


def scores(classes: int, n: int, goal: float = 0.75) -> Function:
    """The index of the first largest of several counts."""
    network = Network()
    x = _inputs(network, classes * n)
    network.begin_layer("bucket_sum")
    counts = [network.count([(b, 1) for b in x[i * n : i * n + n]]) for i in range(classes)]
    network.begin_layer("argmax")
    width = (classes - 1).bit_length()
    network.integer_output("label", [network.argmax(counts)], width)
    body = (
        f"    label = 0; best = 0;\n    for (c = 0; c < {classes}; c = c + 1) begin\n"
        f"      total = 0;\n      for (i = 0; i < {n}; i = i + 1) total = total + x[c * {n} + i];\n"
        "      if (total > best) begin best = total; label = c; end\n    end\n"
    )
    declared = f"  integer c;\n{_integer('total', n)}{_integer('best', n)}"
    plain = _module(classes * n, f"output reg [{width - 1}:0] label", f"{declared}{_always(body)}")
    return Function(f"argmax of {classes} scores of {n}", network, plain, goal)


def one_vector(classes: int, n: int, goal: float) -> Function:
    """Scores of the same bits, each with its own random signs, and the index of the first largest."""
    signs = np.random.default_rng(0).random((classes, n)) < 0.5
    network = _net(Net(n, [Negation(width=classes), BucketSum(buckets=classes)]), [signs, None])
    width, digits = (classes - 1).bit_length(), n.bit_length()
    rows = "".join(f"    signs[{c}] = {plain_constant(row)};\n" for c, row in enumerate(signs))
    body = (
        f"{rows}    label = 0; best = 0;\n    for (c = 0; c < {classes}; c = c + 1) begin\n"
        f"      total = 0;\n      for (i = 0; i < {n}; i = i + 1) total = total + (x[i] == signs[c][i]);\n"
        f"      scores[c * {digits} +: {digits}] = total;\n"
        "      if (total > best) begin best = total; label = c; end\n    end\n"
    )
    declared = f"  integer c;\n  reg [{n - 1}:0] signs [0:{classes - 1}];\n{_integer('total', n)}{_integer('best', n)}"
    ports = f"output reg [{width - 1}:0] label, output reg [{classes * digits - 1}:0] scores"
    plain = _module(n, ports, f"{declared}{_always(body)}")
    return Function(f"{classes} scores of one vector of {n}", network, plain, goal, goal)


def noisy_xor(width: int, negations: int) -> Function:
    """The paper's net for noisy XOR with seeded random weights."""
    layers = [
        WithNegation(),
        Conjunction(width=width),
        Disjunction(width=width),
        Negation(width=negations),
        Reshape(shape=(1, width * negations)),
        Majority(),
        WithNegation(),
    ]
    random = np.random.default_rng(7)  # a net that is high for about half of all inputs
    ands, ors = random.random((width, 24)) < 0.1, random.random((width, width)) < 0.1
    signs = random.random((negations, width)) < 0.5
    network = _net(Net(12, layers), [None, ands, ors, signs, None, None, None])
    n = width * negations
    wires = "  wire [23:0] v0 = {~x, x};\n" + _masked("v1", "v0", ands, "&") + _masked("v2", "v1", ors, "|")
    wires += f"  wire [{n - 1}:0] v3;\n"
    for i, row in enumerate(signs):
        wires += f"  assign v3[{i * width + width - 1}:{i * width}] = v2 ^ ~{plain_constant(row)};\n"
    body = f"{_loop(n, 'v3[i]')}    bits = {{total <= {n // 2}, total > {n // 2}}};\n    label = !bits[0];\n"
    plain = _module(12, "output reg label, output reg [1:0] bits", f"{wires}{_integer('total', n)}{_always(body)}")
    return Function(f"noisy-XOR net, {width} wide", network, plain)


def iris(width: int) -> Function:
    """The paper's net for binary Iris with seeded random weights."""
    layers = [WithNegation(), Conjunction(width=width), CountHot(), BucketAny(buckets=3)]
    ands = np.random.default_rng(0).random((width, 32)) < 0.03  # denser conjunctions are hardly ever high
    network = _net(Net(16, layers), [None, ands, None, None])
    third = (width + 1) // 3
    wires = "  wire [31:0] v0 = {~x, x};\n" + _masked("v1", "v0", ands, "&") + f"  reg [{width}:0] hot;\n"
    body = f"{_loop(width, '!v1[i]')}    for (i = 0; i <= {width}; i = i + 1) hot[i] = total == i;\n"
    for i in range(3):
        body += f"    bits[{i}] = |hot[{i * third + third - 1}:{i * third}];\n"
    body += "    label = bits[0] ? 0 : bits[1] ? 1 : bits[2] ? 2 : 0;\n"
    ports = "output reg [1:0] label, output reg [2:0] bits"
    return Function(
        f"Iris net, {width} wide", network, _module(16, ports, f"{wires}{_integer('total', width)}{_always(body)}")
    )


def functions(quick: bool) -> Iterator[Function]:
    """All functions, or smaller ones for a quick run."""
    if quick:
        yield threshold("popcount-24 >= 12", 24, 12, 0.75)
        yield threshold("majority of 16", 16, 9, 1.0)
        yield count_hot(11)
        yield scores(3, 10)
        yield one_vector(3, 12, 0.75)
        yield noisy_xor(8, 3)
        yield iris(11)
        return
    yield threshold("popcount-784 >= 392", 784, 392, 520 / 1310)
    yield threshold("majority of 16", 16, 9, 1.0)
    yield threshold("majority of 63", 63, 32, 0.75)
    yield threshold("majority of 256", 256, 129, 0.75)
    yield count_hot(59)
    yield scores(10, 50, 380 / 846)
    yield scores(10, 100)
    yield one_vector(10, 100, 0.5)
    yield noisy_xor(32, 16)
    yield iris(59)


def measure(function: Function, target: str) -> Row:
    """The areas of both, from the same Yosys."""
    lut_inputs = families.find(target).lut_inputs
    verilog = emit_network(passes.simplify(function.network), "net", "0" * 64, (), lut_inputs).verilog
    ours, plain = synthesise(verilog, target), synthesise(function.plain, target)
    ratio, goal = ours.luts / max(plain.luts, 1), function.xilinx_goal if target == "xilinx" else function.goal
    return Row(
        function.name,
        target,
        ours.luts,
        plain.luts,
        ours.depth,
        plain.depth,
        round(ratio, 3),
        round(goal, 3),
        ratio <= goal,
    )


def main(arguments: list[str]) -> int:
    """Runs the bench and returns the exit code."""
    parser = argparse.ArgumentParser(prog="bench.area", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, and ice40 only unless --targets is given")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--targets", help="families, separated by commas (default all)")
    parser.add_argument("--only", default="", help="only functions whose name contains this")
    args = parser.parse_args(arguments)
    targets = (args.targets or ("ice40" if args.quick else ",".join(families.names()))).split(",")
    for target in targets:
        families.find(target)
    rows = []
    for function in functions(args.quick):
        if args.only in function.name:
            for target in targets:
                rows.append(measure(function, target))
                print(f"{function.name} on {target} ...", file=sys.stderr, flush=True)
    if args.json:
        print(json.dumps({"rows": [asdict(row) for row in rows], "reached": all(row.reached for row in rows)}))
    else:
        print(
            table([("function", "target", "LUTs", "plain", "depth", "plain", "ratio", "goal", ""), *map(_cells, rows)])
        )
    return 0 if all(row.reached for row in rows) else 1


def _cells(row: Row) -> tuple[str, ...]:
    numbers = (row.luts, row.plain_luts, row.depth, row.plain_depth, row.ratio, row.goal)
    return (row.function, row.target, *map(str, numbers), "" if row.reached else "MISSED")


def _net(net: Net, weights: list[np.ndarray | None]) -> Network:
    return lower(net, weights, default_names("x", net.inputs))


def _inputs(network: Network, n: int) -> list[int]:
    return [network.input(f"x{i}") for i in range(n)]


def _module(n: int, outputs: str, body: str) -> str:
    return f"module net (input wire [{n - 1}:0] x, {outputs});\n  integer i;\n{body}endmodule\n"


def _integer(name: str, most: int) -> str:
    return f"  reg [{most.bit_length() - 1}:0] {name};\n"


def _always(body: str) -> str:
    return f"  always @* begin\n{body}  end\n"


def _loop(n: int, bit: str = "x[i]") -> str:
    return f"    total = 0;\n    for (i = 0; i < {n}; i = i + 1) total = total + {bit};\n"


def plain_constant(bits: np.ndarray) -> str:
    """Bits as a Verilog constant, the first lowest.

    >>> plain_constant(np.array([True, False, False]))
    "3'b001"
    """
    return f"{len(bits)}'b{''.join('1' if b else '0' for b in reversed(bits.tolist()))}"


def _masked(name: str, source: str, weights: np.ndarray, operator: str) -> str:
    """Conjunctions (`&`) or disjunctions (`|`) of the bits of a vector that the rows of weights choose."""
    lines = f"  wire [{len(weights) - 1}:0] {name};\n"
    for i, row in enumerate(weights):
        chosen = f"{source} | ~{plain_constant(row)}" if operator == "&" else f"{source} & {plain_constant(row)}"
        lines += f"  assign {name}[{i}] = {operator}({chosen});\n"
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
