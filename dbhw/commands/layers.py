"""List the layers a net can be built from."""

from __future__ import annotations

import argparse
from dataclasses import fields

from dbhw.base import terminal
from dbhw.commands import _options
from dbhw.nn import layers


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    rows = []
    for name in layers.names():
        kind = layers.find(name)
        summary = (kind.__doc__ or "").splitlines()[0]
        rows.append((name, kind.symbol, ", ".join(f.name for f in fields(kind)), summary))
    if args.json:
        keys = ("name", "symbol", "fields", "summary")
        terminal.result({"layers": [dict(zip(keys, row, strict=True)) for row in rows]}, args.json)
    else:
        print(terminal.table([("layer", "symbol", "fields", "what it does"), *rows]))
    return 0
