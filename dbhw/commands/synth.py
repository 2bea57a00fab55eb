"""Synthesise a model's Verilog for a family of FPGAs and count what it costs, argmax included."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from dbhw import show, weights
from dbhw.model import load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument("--target", default="xilinx", help="ecp5, gowin, ice40 or xilinx (default)")
    weights.option(parser)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.rtl.loadable import emit_as
    from dbhw.synth import TARGETS, check_target, synthesise

    check_target(args.target)
    emitted = emit_as(args.weights, load(args.model), lut_inputs=TARGETS[args.target].lut_inputs)
    show.result(args, asdict(synthesise(emitted.verilog, args.target, emitted.module)))
    return 0
