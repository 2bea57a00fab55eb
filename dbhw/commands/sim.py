"""Simulate a model's Verilog and compare every output bit with the hard net."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from dbhw import files, pipelining, show, stimuli, verilog
from dbhw.model import load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument("--simulator", default="verilator", help="verilator (default) or icarus")
    stimuli.options(parser)
    verilog.option(parser)
    pipelining.options(parser)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.rtl.emit import emit, vectors
    from dbhw.sim import simulators
    from dbhw.sim.run import simulate

    simulators.check(args.simulator)
    model = load(args.model)
    x = stimuli.choose(model.net.inputs, args.vectors, args.data)
    emitted = emit(model, **pipelining.chosen(args))
    text = verilog.chosen(args, emitted.verilog)
    expected = {**vectors(model, emitted, x), "verilog_sha256": files.sha256(text)}
    with verilog.refused(args):
        seen = asdict(simulate(text, emitted.module, expected, args.simulator))
    first = seen.pop("first")
    del seen["by_output"]
    if not emitted.manifest["clock"]:
        del seen["clocks"]
    show.result(args, seen)
    if first is not None:
        print(f"first mismatch: {json.dumps(first)}", file=sys.stderr)
    return 1 if seen["mismatches"] else 0
