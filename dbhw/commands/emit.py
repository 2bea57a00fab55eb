"""Write a model's hardware: net.v, net.il, manifest.json and vectors.json; with loadable weights also weights.bin."""

from __future__ import annotations

import argparse

from dbhw.base import terminal
from dbhw.commands import _options
from dbhw.model import message


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    _options.output_folder(parser)
    _options.lut_inputs(parser)
    _options.weights(parser)
    _options.vectors(parser)
    _options.pipeline(parser)
    _options.stream(parser)
    _options.fold(parser)
    _options.ports(parser)
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.rtl.arithmetic.count import check_lut_inputs
    from dbhw.rtl.loadable import emit_as
    from dbhw.rtl.verilog.vectors import Vectors

    check_lut_inputs(args.lut_inputs)
    message.check_kind(args.weights)
    model = _options.chosen_model(args)
    x = _options.chosen_vectors(args, model)
    emitted = emit_as(args.weights, model, lut_inputs=args.lut_inputs, **_options.chosen_emission(args))
    more = {"weights.bin": message.encode(model)} if args.weights == "loadable" else {}
    emitted.save(args.output, Vectors.of(model, emitted.manifest, x), more)
    values = {"output": args.output, "vectors": len(x), **emitted.manifest.to_json()}
    shown = values if args.json else {n: values[n] for n in ("output", "module", "vectors", "verilog_sha256")}
    terminal.result(shown, args.json)
    return 0
