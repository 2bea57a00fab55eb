"""Write a model's hardware: net.v, net.il, manifest.json and vectors.json."""

from __future__ import annotations

import argparse

from dbhw import pipelining, show, stimuli
from dbhw.model import load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument("-o", "--output", required=True, help="the folder to write to")
    parser.add_argument(
        "--lut-inputs", type=int, default=6, help="shape counts for look-up tables of 4 or 6 inputs (default 6)"
    )
    stimuli.options(parser)
    pipelining.options(parser)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.rtl.count import check_lut_inputs
    from dbhw.rtl.emit import emit, vectors

    check_lut_inputs(args.lut_inputs)
    model = load(args.model)
    x = stimuli.choose(model.net.inputs, args.vectors, args.data)
    emitted = emit(model, lut_inputs=args.lut_inputs, **pipelining.chosen(args))
    emitted.save(args.output, vectors(model, emitted, x))
    values = {"output": args.output, "vectors": len(x), **emitted.manifest}
    show.result(
        args, values if args.json else {n: values[n] for n in ("output", "module", "vectors", "verilog_sha256")}
    )
    return 0
