"""Simulate a model's Verilog and compare every output bit with the hard net; with loadable weights, through loads."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dbhw.base import files, terminal
from dbhw.commands import _pipelining, _verilog
from dbhw.data import stimuli
from dbhw.model import message
from dbhw.model.model import load

if TYPE_CHECKING:
    import numpy as np

    from dbhw.model.model import Model


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument("--simulator", default="verilator", help="verilator (default) or icarus")
    message.option(parser)
    stimuli.options(parser)
    _verilog.option(parser)
    _pipelining.lut_inputs_option(parser)
    _pipelining.options(parser)
    terminal.json_option(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.rtl.core.count import check_lut_inputs
    from dbhw.sim import simulators

    simulators.check(args.simulator)
    check_lut_inputs(args.lut_inputs)
    message.check_kind(args.weights)
    model = load(args.model)
    x = stimuli.choose(model.net.inputs, args.vectors, args.data)
    seen = (_loads if args.weights == "loadable" else _vectors)(args, model, x)
    first = seen.pop("first")
    terminal.result(args, seen)
    if first is not None:
        print(f"first mismatch: {json.dumps(first)}", file=sys.stderr)
    return 1 if seen["mismatches"] else 0


def _vectors(args: argparse.Namespace, model: Model, x: np.ndarray) -> dict[str, Any]:
    from dbhw.rtl.verilog.emit import emit, vectors
    from dbhw.sim.run import simulate

    emitted = emit(model, lut_inputs=args.lut_inputs, **_pipelining.chosen(args))
    text = _verilog.chosen(args, emitted.verilog)
    expected = {**vectors(model, emitted, x), "verilog_sha256": files.sha256(text)}
    with _verilog.refused(args):
        seen = asdict(simulate(text, emitted.module, expected, args.simulator))
    del seen["by_output"]
    if not emitted.manifest["clock"]:
        del seen["clocks"]
    return seen


def _loads(args: argparse.Namespace, model: Model, x: np.ndarray) -> dict[str, Any]:
    """Two other models of the same shape are loaded while the vectors flow, between damaged and half loads."""
    from dbhw.rtl.loadable import emit_as
    from dbhw.sim.loading import others, simulate_loads

    emitted = emit_as("loadable", model, args.lut_inputs, **_pipelining.chosen(args))
    text = _verilog.chosen(args, emitted.verilog)
    with _verilog.refused(args):
        return asdict(simulate_loads(text, emitted, [model, *others(model, x)], x, args.simulator))
