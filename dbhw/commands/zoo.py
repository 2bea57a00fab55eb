"""List the trained models that come with dbhw, with their accuracy and size; zoo:NAME stands for a model file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dbhw.base import records, terminal
from dbhw.commands import _options

if TYPE_CHECKING:
    from dbhw import zoo


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw import zoo

    found = zoo.entries()
    if args.json:
        listed = [{"name": name, **records.to_json(entry)} for name, entry in found.items()]
        terminal.result({"models": listed}, args.json)
        return 0
    targets = sorted({target for entry in found.values() for target in entry.sizes})
    placed = [t for t in targets if any(_clock(entry, t) for entry in found.values())]
    figures = (*(f"LUTs {target}" for target in targets), *(f"MHz {target}" for target in placed))
    heads = ("model", "data", "made by", "accuracy", "test rows", *figures, "sha256")
    print(terminal.table([heads, *(_row(name, entry, targets, placed) for name, entry in found.items())]))
    return 0


def _row(name: str, entry: zoo.Entry, targets: list[str], placed: list[str]) -> tuple[str, ...]:
    luts = (str(entry.sizes[target].luts) if target in entry.sizes else "" for target in targets)
    clocks = (_clock(entry, target) for target in placed)
    figures = (f"{entry.test_accuracy:.2%}", str(entry.test_examples), *luts, *clocks)
    return (name, entry.data, entry.made_by, *figures, entry.sha256[:12])


def _clock(entry: zoo.Entry, target: str) -> str:
    clock = entry.sizes[target].fmax_mhz if target in entry.sizes else None
    return "" if clock is None else f"{clock:.0f}"
