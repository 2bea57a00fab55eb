"""Write a model's logic network in a format that other programs, or people, read."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.commands import _options
from dbhw.data import stimuli
from dbhw.logic import formats, passes
from dbhw.logic.network import Network
from dbhw.model.model import Model

_SELF_TEST = 32  # examples


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    parser.add_argument("--format", default="text", help=f"one of {', '.join(formats.names())} (default text)")
    parser.add_argument(
        "--passes",
        default=",".join(passes.DEFAULT),
        help="the passes to run first, with commas between them, or none (default the ones that hardware goes through)",
    )
    parser.add_argument("-o", "--output", help="the file to write (default: print it)")
    parser.add_argument(
        "--folder", help="with --format c: write a library for Arduino, PlatformIO and C compilers there"
    )
    parser.add_argument("--name", default="net", help="what the names in the library begin with (default net)")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    write = formats.PLUGINS.member(args.format, "write")
    chosen = [] if args.passes == "none" else args.passes.split(",")
    for name in chosen:
        passes.find(name)  # a wrong name is told before the work starts
    if args.folder and (args.format != "c" or args.output):
        raise DbhwError("export --folder must have --format c and no --output")
    if args.folder:
        files.check_folder(args.folder)
    model = _options.chosen_model(args)
    network = passes.simplify(model.to_network(), chosen)
    values = {"format": args.format, "passes": chosen if args.json else ", ".join(chosen), "nodes": len(network)}
    if args.folder:
        _write_library(Path(args.folder), args.name, model, network)
        terminal.result({"folder": args.folder, **values}, args.json)
        return 0
    with terminal.working(f"writing {args.format}"):
        text = write(network)
    if isinstance(text, bytes) and not args.output:
        raise DbhwError(f"export of {args.format} must have --output, for it is no text")
    if args.output:
        files.write(args.output, text)
        terminal.result({"output": args.output, **values}, args.json)
    elif args.json:
        terminal.result({**values, "text": text}, args.json)
    else:
        print(text.removesuffix("\n"))
    return 0


def _write_library(folder: Path, name: str, model: Model, network: Network) -> None:
    from dbhw.logic.formats.c import Described
    from dbhw.software.library import library

    x = stimuli.choose(model.net.inputs, str(_SELF_TEST))
    expected = model.answers(x, engine="numpy")
    fields = np.column_stack([expected.labels, expected.outputs])
    made = library(network, name, Described(model.classes, model.columns), x, fields)
    for path, text in made.items():
        files.write_all((folder / path).parent, {Path(path).name: text})
