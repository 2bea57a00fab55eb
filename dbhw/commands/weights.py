"""Write the bytes that put a model into loadable hardware of its shape."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.model import message
from dbhw.model.model import load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument("-o", "--output", required=True, help="the file to write")
    parser.add_argument("--emitted", help="the folder of the emitted hardware: refuse a model of another shape")
    terminal.json_option(parser)


def run(args: argparse.Namespace) -> int:
    model = load(args.model)
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
    terminal.result(args, values)
    return 0


def _check_shape(path: Path, found: str) -> None:
    try:
        manifest = json.loads(files.read(path))
    except ValueError as wrong:
        raise DbhwError(f"file {path} must be a manifest, but it is not: emit again") from wrong
    if not isinstance(manifest, dict) or "weights" not in manifest:
        raise DbhwError(f"hardware in {path.parent} must have loadable weights: emit it with --weights loadable")
    shape = manifest["weights"].get("shape") if isinstance(manifest["weights"], dict) else None
    if shape != found:
        raise DbhwError(f"model must have the shape {shape} of {path.parent}, not {found}")
