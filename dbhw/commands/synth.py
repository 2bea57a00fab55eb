"""Synthesise a model's Verilog for a family of FPGAs and count what it costs, layer by layer, argmax included."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from dbhw.base import terminal
from dbhw.commands import _pipelining
from dbhw.logic import passes
from dbhw.logic.cut import cut
from dbhw.logic.network import Network
from dbhw.model import message
from dbhw.model.model import Model, load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument("--target", default="xilinx", help="ecp5, gowin, ice40 or xilinx (default)")
    parser.add_argument("--place", action="store_true", help="place and route it too: the clock it reaches, and bars")
    _pipelining.options(parser)
    message.option(parser)
    parser.add_argument("--passes", action="store_true", help="show also the area after each pass")
    terminal.json_option(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.fpga import families, place
    from dbhw.fpga.synth import synthesise
    from dbhw.rtl.loadable import emit_as

    lut_inputs = families.find(args.target).lut_inputs
    if args.place:
        place.tools_for(args.target)
    model = load(args.model)
    emitted = emit_as(args.weights, model, lut_inputs=lut_inputs, **_pipelining.chosen(args))
    values = asdict(synthesise(emitted.verilog, args.target, emitted.module))
    if args.place:
        placed = place.place(emitted.verilog, emitted.module, args.target)
        values |= {"placed": asdict(placed)} if args.json else place.for_people(placed)
    tables = {"layers": _of_each_layer(emitted.network, args.target)}
    if args.passes:
        tables["passes"] = _after_each_pass(model, args.target)
    terminal.result(args, {**values, **tables} if args.json else values)
    for rows in [] if args.json else tables.values():
        print("\n" + terminal.table([tuple(rows[0]), *(tuple(map(str, row.values())) for row in rows)]))
    return 0


def _of_each_layer(network: Network, target: str) -> list[dict[str, Any]]:
    """Rows for all layers, each synthesised by itself; what encodes inputs and chooses a class has its own, always."""
    nothing = {"luts": 0, "ffs": 0, "carries": 0, "depth": 0}
    areas = {layer: _area(part, target) for layer, part in cut(network).items()}
    titles = ["encoder", *network.layer_names[1:]]
    return [{"layer": title, **areas.get(layer, nothing)} for layer, title in enumerate(titles)]


def _after_each_pass(model: Model, target: str) -> list[dict[str, Any]]:
    network, rows = model.to_network(), []
    for name in ["lowered", *passes.DEFAULT]:
        network = network if name == "lowered" else passes.find(name)(network)
        rows.append({"pass": name, "nodes": len(network), **_area(network, target)})
    return rows


def _area(network: Network, target: str) -> dict[str, Any]:
    from dbhw.fpga import families
    from dbhw.fpga.synth import synthesise
    from dbhw.rtl.verilog.emit import MODULE, emit_network

    verilog = emit_network(network, MODULE, "0" * 64, (), families.find(target).lut_inputs).verilog
    area = asdict(synthesise(verilog, target))
    del area["target"]
    return area
