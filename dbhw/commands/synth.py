"""Synthesise a model's Verilog for a family of FPGAs and count what it costs, argmax included."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from dbhw import pipelining, show, weights
from dbhw.model import load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument("--target", default="xilinx", help="ecp5, gowin, ice40 or xilinx (default)")
    parser.add_argument("--place", action="store_true", help="place and route it too: the clock it reaches, and bars")
    pipelining.options(parser)
    weights.option(parser)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw import place
    from dbhw.rtl.loadable import emit_as
    from dbhw.synth import TARGETS, check_target, synthesise

    check_target(args.target)
    if args.place:
        place.check_target(args.target)
    emitted = emit_as(
        args.weights, load(args.model), lut_inputs=TARGETS[args.target].lut_inputs, **pipelining.chosen(args)
    )
    values = asdict(synthesise(emitted.verilog, args.target, emitted.module))
    if args.place:
        placed = place.place(emitted.verilog, emitted.module, args.target)
        values |= {"placed": asdict(placed)} if args.json else place.for_people(placed)
    show.result(args, values)
    return 0
