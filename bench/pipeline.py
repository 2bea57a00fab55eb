"""Which clock the noisy-XOR net reaches at each pipeline setting, beside a bare shift register on the same part.

    python -m bench.pipeline [--quick] [--json] [--target ecp5] [--model FILE]

The shift register has one look-up table between registers: no net can be faster. All stand in the same harness and
are placed with the same seeds; the median counts. The goal is that `levels=1` reaches four fifths of the shift
register's clock; the exit code is 1 where it does not.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from dbhw import recipes
from dbhw.base.terminal import table
from dbhw.fpga import families
from dbhw.fpga.place import Placed, place, tools_for
from dbhw.model.model import Model, load
from dbhw.rtl.verilog.emit import emit
from dbhw.train.policy import Watch, fit_recipe

GOAL = 0.8
_LENGTH = 24  # of the bare shift register
_SETTINGS = ("comb", "stages=2", "levels=2", "levels=1")


@dataclass(frozen=True)
class Row:
    """A core, and what place and route made of it."""

    core: str
    latency: int
    placed: Placed
    ratio: float  # of the shift register's clock


def shift_register() -> str:
    """Registers in a row, an inverter between each and the next."""
    return (
        f"module net (input wire clk, input wire x, output reg y);\n  reg [{_LENGTH - 2}:0] s;\n"
        "  always @(posedge clk) {y, s} <= ~{s, x};\nendmodule\n"
    )


def noisy_xor(quick: bool) -> Model:
    """The paper's net, trained; where it should be quick, until it is right on most inputs."""
    recipe = recipes.find("noisy-xor")
    settings = replace(recipe.settings, epochs=300) if quick else recipe.settings
    return fit_recipe(replace(recipe, settings=settings), Watch("training noisy-xor"))


def rows(model: Model, target: str, quick: bool) -> Iterator[Row]:
    """The shift register, then the net at every setting."""
    seeds = (1, 2, 3) if quick else (1, 2, 3, 4, 5)
    bare = place(shift_register(), "net", target, seeds)
    yield Row("shift register", _LENGTH, bare, 1.0)
    cores = [(setting, False) for setting in (_SETTINGS[-1:] if quick else _SETTINGS)]
    for setting, stream in cores if quick else [*cores, ("levels=1", True)]:
        emitted = emit(model, lut_inputs=families.find(target).lut_inputs, pipeline=setting, stream=stream)
        placed = place(emitted.verilog, emitted.module, target, seeds)
        name = f"net, {setting}{', stream' if stream else ''}"
        yield Row(name, emitted.manifest.latency, placed, round(placed.fmax_mhz / bare.fmax_mhz, 3))


def main(arguments: list[str]) -> int:
    """Runs the bench and returns the exit code."""
    parser = argparse.ArgumentParser(prog="bench.pipeline", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a net trained for 300 epochs, at levels=1 only")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--target", default="ecp5", help="ecp5 (default), gowin or ice40")
    parser.add_argument("--model", help="a model file instead of the noisy-XOR net trained here")
    args = parser.parse_args(arguments)
    tools_for(args.target)
    model = load(args.model) if args.model else noisy_xor(args.quick)
    found = []
    for row in rows(model, args.target, args.quick):
        print(f"{row.core} on {row.placed.part} ...", file=sys.stderr, flush=True)
        found.append(row)
    reached = next(row.ratio for row in found if row.core == "net, levels=1") >= GOAL
    if args.json:
        print(json.dumps({"rows": [asdict(row) for row in found], "goal": GOAL, "reached": reached}))
    else:
        header = (
            "core",
            "latency",
            "LUTs",
            "FFs",
            "MHz",
            "of shift register",
            "longest path",
            "cells between, ns in cells, wires",
        )
        print(table([header, *map(_cells, found)]))
        print(f"levels=1 must reach {GOAL:.0%} of the shift register's clock: {'reached' if reached else 'MISSED'}")
    return 0 if reached else 1


def _cells(row: Row) -> tuple[str, ...]:
    placed, path = row.placed, row.placed.critical_path
    return (
        *(row.core, str(row.latency), str(placed.luts), str(placed.ffs), f"{placed.fmax_mhz:.1f}", f"{row.ratio:.1%}"),
        f"{path.start} -> {path.end}",
        f"{path.through}, {path.logic_ns}, {path.routing_ns}",
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
