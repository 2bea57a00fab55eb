"""Write a model's hardware as a folder for another tool: Wishbone, LiteX, FuseSoC, Vivado or Tiny Tapeout."""

from __future__ import annotations

import argparse

from dbhw.base import files, terminal
from dbhw.commands import _options


def arguments(parser: argparse.ArgumentParser) -> None:
    from dbhw.rtl import wrappers

    _options.model(parser)
    parser.add_argument("--for", dest="tool", required=True, help=f"one of {', '.join(wrappers.names())}")
    _options.output_folder(parser)
    parser.add_argument("--name", default="net", help="the name of the core's module (default net)")
    _options.lut_inputs(parser)
    _options.vectors(parser)
    _options.pipeline(parser)
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.rtl import wrappers
    from dbhw.rtl.arithmetic.count import check_lut_inputs
    from dbhw.rtl.verilog.emit import emit
    from dbhw.rtl.verilog.vectors import Vectors

    folder = wrappers.PLUGINS.member(args.tool, "folder")
    check_lut_inputs(args.lut_inputs)
    files.check_folder(args.output)
    model = _options.chosen_model(args)
    x = _options.chosen_vectors(args, model)
    emitted = emit(model, args.name, args.lut_inputs, _options.chosen_pipeline(args), stream=True)
    made = folder(emitted, Vectors.of(model, emitted.manifest, x))
    files.write_all(args.output, made)
    listed = sorted(made)
    shown = listed if args.json else ", ".join(listed)
    terminal.result({"output": args.output, "wrapper": args.tool, "module": args.name, "files": shown}, args.json)
    return 0
