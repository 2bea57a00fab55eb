"""Simulate a model's Verilog and compare every output bit with the hard net; loadable weights are loaded meanwhile."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError, one_of
from dbhw.commands import _options
from dbhw.fpga import families
from dbhw.model import message
from dbhw.sim import simulators
from dbhw.tools.process import ToolError

if TYPE_CHECKING:
    import numpy as np

    from dbhw.model.model import Model
    from dbhw.rtl.verilog.emit import Emitted
    from dbhw.rtl.verilog.vectors import Vectors

_LEVELS = ["rtl", "netlist"]
_MISMATCH = "mismatch.vcd"  # in the folder where the command runs


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    parser.add_argument("--simulator", default="verilator", help="verilator (default) or icarus")
    parser.add_argument(
        "--level", default="rtl", help="rtl (default): the Verilog; netlist: what synthesis makes of it"
    )
    _options.target(parser)
    _options.weights(parser)
    _options.vectors(parser)
    _options.verilog(parser)
    _options.lut_inputs(parser)
    _options.pipeline(parser)
    _options.stream(parser)
    _options.fold(parser)
    _options.ports(parser)
    _options.mutate(parser, "put N faults into the Verilog and the netlist instead; what goes unnoticed is proved")
    parser.add_argument("--waves", help="write all wires over time to this VCD file")
    parser.add_argument("--seconds", type=float, default=3600.0, help="the most that each tool may take (default 3600)")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.rtl.arithmetic.count import check_lut_inputs

    simulators.check(args.simulator)
    check_lut_inputs(args.lut_inputs)
    message.check_kind(args.weights)
    _check(args)
    model = _options.chosen_model(args)
    x = _options.chosen_vectors(args, model)
    if args.mutate is not None:
        from dbhw.rtl.loadable import emit_as

        emitted = emit_as(args.weights, model, args.lut_inputs, **_options.chosen_emission(args))
        return _options.mutated(args, model, emitted, x, simulated=True)
    seen = (_loads if args.weights == "loadable" else _vectors)(args, model, x)
    first = seen.pop("first")
    terminal.result(seen, args.json)
    if first is not None:
        print(f"first mismatch: {json.dumps(first)}", file=sys.stderr)
    return 1 if seen["mismatches"] else 0


def _check(args: argparse.Namespace) -> None:
    """Refuses options that are wrong or do not go together, before the long work."""
    if args.level not in _LEVELS:
        raise one_of("level", args.level, _LEVELS)
    families.find(args.target)
    if args.waves is not None:
        files.check_writable(args.waves)
        if args.stream or args.weights == "loadable":
            raise DbhwError("waves must be of baked weights without --stream")
    if args.seconds <= 0:
        raise DbhwError(f"seconds must be more than 0, not {args.seconds:g}")


def _text(args: argparse.Namespace, emitted: Emitted) -> str:
    """The Verilog to simulate."""
    from dbhw.sim.netlist import netlist

    text = _options.chosen_verilog(args, emitted.verilog)
    if args.level == "rtl":
        return text
    with simulators.limited("yosys", args.seconds):
        return netlist(text, emitted.module, args.target, args.seconds)


def _vectors(args: argparse.Namespace, model: Model, x: np.ndarray) -> dict[str, Any]:
    from dbhw.rtl.loadable import emit_as
    from dbhw.rtl.verilog.vectors import Vectors
    from dbhw.sim.run import simulate, write_waves

    emitted = emit_as("baked", model, lut_inputs=args.lut_inputs, **_options.chosen_emission(args))
    with _options.users_verilog(args):
        text = _text(args, emitted)
        expected = replace(Vectors.of(model, emitted.manifest, x), verilog_sha256=files.sha256(text))
        seen = asdict(simulate(text, emitted.module, expected, args.simulator, args.seconds))
    del seen["by_output"]
    if not emitted.manifest.clock:
        del seen["clocks"]
    if args.waves is not None:
        write_waves(text, emitted.module, expected, args.simulator, args.waves, args.seconds)
    elif seen["first"] and "vector" in seen["first"] and not expected.stream:
        seen["first"] |= _waves_of_mismatch(args, text, emitted.module, expected, seen["first"]["vector"])
    return seen


def _waves_of_mismatch(
    args: argparse.Namespace, text: str, module: str, vectors: Vectors, number: int
) -> dict[str, str]:
    """Writes waves around a vector. Returns where, and the time of its answer."""
    from dbhw.sim.run import around, write_waves

    few, time = around(vectors, number)
    try:
        write_waves(text, module, few, args.simulator, _MISMATCH, args.seconds)
    except (DbhwError, ToolError) as wrong:  # the mismatch must be told all the same
        return {"waves": f"none: {wrong}"}
    return {"waves": _MISMATCH, "time": f"{time} ns"}


def _loads(args: argparse.Namespace, model: Model, x: np.ndarray) -> dict[str, Any]:
    """Loads two other models of the same shape between the vectors, and damaged and incomplete ones."""
    from dbhw.rtl.loadable import emit_as
    from dbhw.sim.run_loads import others, simulate_loads

    emitted = emit_as("loadable", model, args.lut_inputs, **_options.chosen_emission(args))
    with _options.users_verilog(args):
        models = [model, *others(model, x)]
        return asdict(simulate_loads(_text(args, emitted), emitted, models, x, args.simulator, args.seconds))
