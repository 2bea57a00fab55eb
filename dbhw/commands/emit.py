"""Write a model's hardware: net.v, net.il, manifest.json and vectors.json; with loadable weights also weights.bin."""

from __future__ import annotations

import argparse

from dbhw.base import terminal
from dbhw.commands import _pipelining
from dbhw.data import stimuli
from dbhw.model import message
from dbhw.model.model import load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument("-o", "--output", required=True, help="the folder to write to")
    _pipelining.lut_inputs_option(parser)
    message.option(parser)
    stimuli.options(parser)
    _pipelining.options(parser)
    terminal.json_option(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.rtl.core.count import check_lut_inputs
    from dbhw.rtl.loadable import emit_as
    from dbhw.rtl.verilog.emit import vectors

    check_lut_inputs(args.lut_inputs)
    message.check_kind(args.weights)
    model = load(args.model)
    x = stimuli.choose(model.net.inputs, args.vectors, args.data)
    emitted = emit_as(args.weights, model, lut_inputs=args.lut_inputs, **_pipelining.chosen(args))
    more = {"weights.bin": message.encode(model)} if args.weights == "loadable" else {}
    emitted.save(args.output, vectors(model, emitted, x), more)
    values = {"output": args.output, "vectors": len(x), **emitted.manifest}
    terminal.result(
        args, values if args.json else {n: values[n] for n in ("output", "module", "vectors", "verilog_sha256")}
    )
    return 0
