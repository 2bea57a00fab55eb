"""Synthesise a model's Verilog for a family of FPGAs and show its area, as a whole and for each layer."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from dbhw.base import terminal
from dbhw.commands import _options


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    _options.target(parser)
    parser.add_argument("--place", action="store_true", help="also place and route it, and show the clock it reaches")
    _options.pipeline(parser)
    _options.stream(parser)
    _options.fold(parser)
    _options.ports(parser)
    _options.weights(parser)
    parser.add_argument("--passes", action="store_true", help="also show the area after each pass")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.fpga import families, place
    from dbhw.fpga.synth import synthesise
    from dbhw.report import area, lines
    from dbhw.rtl.loadable import emit_as

    lut_inputs = families.find(args.target).lut_inputs
    if args.place:
        place.tools_for(args.target)
    model = _options.chosen_model(args)
    emitted = emit_as(args.weights, model, lut_inputs=lut_inputs, **_options.chosen_emission(args))
    values = asdict(synthesise(emitted.verilog, args.target, emitted.module))
    if args.place:
        placed = place.place(emitted.verilog, emitted.module, args.target)
        values |= {"placed": asdict(placed)} if args.json else lines.of_placed(placed)
    tables = {"layers": area.of_each_layer(emitted.network, args.target)}
    if args.passes:
        tables["passes"] = area.after_each_pass(emitted.lowered, args.target)
    terminal.result({**values, **tables} if args.json else values, args.json)
    for rows in [] if args.json else tables.values():
        print("\n" + terminal.table([tuple(rows[0]), *(tuple(map(str, row.values())) for row in rows)]))
    return 0
