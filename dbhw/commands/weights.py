"""Write a model's weights as the message that loadable hardware takes."""

from __future__ import annotations

import argparse
from pathlib import Path

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.commands import _options
from dbhw.model import message


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    parser.add_argument("-o", "--output", required=True, help="the file to write")
    parser.add_argument("--emitted", help="a folder that dbhw emit wrote: refuse a model of another shape")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    model = _options.chosen_model(args)
    sent = message.encode(model)
    if args.emitted:
        _check_shape(Path(args.emitted) / "manifest.json", message.shape_tag(model.net).hex())
    files.write(args.output, sent)
    values = {
        "output": args.output,
        "bytes": len(sent),
        "bits": model.net.weight_count,
        "shape": message.shape_tag(model.net).hex(),
        "digest": message.digest(sent),
        "model_sha256": model.digest(),
    }
    terminal.result(values, args.json)
    return 0


def _check_shape(path: Path, found: str) -> None:
    from dbhw.rtl.verilog.manifest import Manifest

    load_port = Manifest.read(path).weights
    if load_port is None:
        raise DbhwError(f"hardware in {path.parent} must have loadable weights: emit it with --weights loadable")
    if load_port.shape != found:
        raise DbhwError(f"model must have the shape {load_port.shape} of {path.parent}, not {found}")
