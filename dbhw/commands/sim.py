"""Simulate a model's Verilog and compare every output bit with the hard net; loadable weights are loaded meanwhile."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from dbhw.base import files, terminal
from dbhw.commands import _options
from dbhw.model import message

if TYPE_CHECKING:
    import numpy as np

    from dbhw.model.model import Model


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    parser.add_argument("--simulator", default="verilator", help="verilator (default) or icarus")
    _options.weights(parser)
    _options.vectors(parser)
    _options.verilog(parser)
    _options.lut_inputs(parser)
    _options.pipeline(parser)
    _options.stream(parser)
    _options.fold(parser)
    _options.ports(parser)
    _options.mutate(parser, "put N faults into the Verilog and the netlist instead; what goes unnoticed is proved")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.rtl.arithmetic.count import check_lut_inputs
    from dbhw.sim import simulators

    simulators.check(args.simulator)
    check_lut_inputs(args.lut_inputs)
    message.check_kind(args.weights)
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


def _vectors(args: argparse.Namespace, model: Model, x: np.ndarray) -> dict[str, Any]:
    from dbhw.rtl.loadable import emit_as
    from dbhw.rtl.verilog.vectors import Vectors
    from dbhw.sim.run import simulate

    emitted = emit_as("baked", model, lut_inputs=args.lut_inputs, **_options.chosen_emission(args))
    text = _options.chosen_verilog(args, emitted.verilog)
    expected = replace(Vectors.of(model, emitted.manifest, x), verilog_sha256=files.sha256(text))
    with _options.users_verilog(args):
        seen = asdict(simulate(text, emitted.module, expected, args.simulator))
    del seen["by_output"]
    if not emitted.manifest.clock:
        del seen["clocks"]
    return seen


def _loads(args: argparse.Namespace, model: Model, x: np.ndarray) -> dict[str, Any]:
    """Loads two other models of the same shape between the vectors, and damaged and incomplete ones."""
    from dbhw.rtl.loadable import emit_as
    from dbhw.sim.run_loads import others, simulate_loads

    emitted = emit_as("loadable", model, args.lut_inputs, **_options.chosen_emission(args))
    text = _options.chosen_verilog(args, emitted.verilog)
    with _options.users_verilog(args):
        return asdict(simulate_loads(text, emitted, [model, *others(model, x)], x, args.simulator))
