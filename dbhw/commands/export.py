"""Write a model's logic network in a format that other programs, or people, read."""

from __future__ import annotations

import argparse

from dbhw.base import files, terminal
from dbhw.commands import _options
from dbhw.logic import formats, passes


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    parser.add_argument("--format", default="text", help=f"one of {', '.join(formats.names())} (default text)")
    parser.add_argument(
        "--passes",
        default=",".join(passes.DEFAULT),
        help="the passes to run first, with commas between them, or none (default the ones that hardware goes through)",
    )
    parser.add_argument("-o", "--output", help="the file to write (default: print it)")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    write = formats.PLUGINS.member(args.format, "write")
    chosen = [] if args.passes == "none" else args.passes.split(",")
    for name in chosen:
        passes.find(name)  # a wrong name is told before the work starts
    network = passes.simplify(_options.chosen_model(args).to_network(), chosen)
    text = write(network)
    values = {"format": args.format, "passes": chosen if args.json else ", ".join(chosen), "nodes": len(network)}
    if args.output:
        files.write(args.output, text)
        terminal.result({"output": args.output, **values}, args.json)
    elif args.json:
        terminal.result({**values, "text": text}, args.json)
    else:
        print(text.removesuffix("\n"))
    return 0
