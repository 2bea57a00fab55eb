"""Read a net from elsewhere as a model: a netlist, or the tables of another toolkit; all commands then take it."""

from __future__ import annotations

import argparse

from dbhw import importers
from dbhw.base import files, terminal
from dbhw.commands import _options


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", help="the file to read; of Verilog also several, such as a netlist's cells")
    parser.add_argument("-o", "--output", required=True, help="the model file to write")
    names = ", ".join(importers.PLUGINS.names())
    parser.add_argument("--format", help=f"one of {names} (default: what the file's ending and names say)")
    parser.add_argument("--top", help="the module to import of Verilog (default: the one that no other uses)")
    parser.add_argument("--classes", type=int, help="in how many groups another toolkit's net sums up its outputs")
    parser.add_argument("--inputs", type=int, help="how many bits another toolkit's net reads from")
    parser.add_argument("--bits", type=int, help="the width of the input numbers of a net with thresholds")
    parser.add_argument("--scale", type=float, default=1.0, help="input number i is offset + scale * i (default 1)")
    parser.add_argument("--offset", type=float, default=0.0, help="the value of input number 0 (default 0)")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    files.check_writable(args.output)
    options = importers.Options(args.top, args.classes, args.inputs, args.bits, args.scale, args.offset)
    model = importers.read(args.files, args.format, options)
    model.save(args.output)
    ports = model.net.ports or {"label": len(model.classes)}
    values = {
        "output": args.output,
        "format": model.provenance["imported"]["format"],
        "inputs": model.net.inputs,
        "columns": len(model.columns),
        "tables": sum(shape[0] for shape in model.net.weight_shapes() if shape is not None),
        "outputs": ports if args.json else ", ".join(f"{name} ({width})" for name, width in ports.items()),
        "sha256": model.digest(),
    }
    terminal.result(values, args.json)
    return 0
