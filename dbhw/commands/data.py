"""Show what is understood of a table: its columns, their types, ranges and bits, its classes, and how it is split."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dbhw.base import terminal
from dbhw.commands import _options, _table_options
from dbhw.data.dataset import Data
from dbhw.data.tables.column import Column
from dbhw.data.tables.examples import Prepared, prepare
from dbhw.data.tables.read import read
from dbhw.data.tables.table import Table
from dbhw.data.tables.types import Feature

_MOST_SHOWN = 60
_MOST_CLASSES = 6  # so many histograms stand side by side
_BLOCKS = " ▁▂▃▄▅▆▇█"
_BINS = 12


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a table: .csv, .tsv, .txt, .npz or .parquet")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the split (default 0)")
    _table_options.arguments(parser)
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    options = _table_options.chosen(args)
    table = read(args.file, options)
    test = read(args.test, options.for_another_file()) if args.test else None
    # Empty cells are shown, not refused; what training will want to know is a note.
    shown = replace(options, missing="most") if options.missing == "error" else options
    ready = prepare(table, shown, args.seed, test)
    empty = sum(feature.missing for feature in ready.description.used)
    notes = [*ready.notes]
    if options.missing == "error" and empty:
        notes.append(f"{empty} cells are empty: for training say --missing drop, most or own-bit")
    if args.json:
        terminal.result(_json(table, ready, notes), as_json=True)
        return 0
    print(f"{table.name}: {table.seen} rows, label {ready.description.label}\n")
    print(_columns(ready))
    print(f"\n{_classes(ready)}\n\n{_split(ready)}")
    for note in notes:
        print(f"note: {note}")
    return 0


def _json(table: Table, ready: Prepared, notes: Sequence[str]) -> dict[str, Any]:
    found = ready.description
    by_name = {column.name: column for column in ready.columns}
    classes = zip(found.classes, found.counts, strict=True)
    return {
        "file": table.name,
        "rows": table.seen,
        "rows_kept": len(table),
        "label": found.label,
        "columns": [_column_json(feature, by_name.get(feature.name)) for feature in found.features],
        "input_bits": sum(column.width for column in ready.columns),
        "classes": [{"name": name, "rows": rows} for name, rows in classes],
        "split": ready.split,
        "notes": list(notes),
    }


def _column_json(feature: Feature, column: Column | None) -> dict[str, Any]:
    values = {"name": feature.name, "kind": feature.kind, "low": feature.low, "high": feature.high}
    bits = {name: getattr(column, name) if column else None for name in ("width", "signed", "scale", "offset")}
    counts = {"missing": feature.missing, "distinct": feature.distinct, "left_out": feature.left_out}
    return {**values, **bits, **counts}


def _columns(ready: Prepared) -> str:
    """A row for each column: what it is, and a histogram for each class, all of them over the range of the column."""
    found = ready.description
    classes = found.classes if len(found.classes) <= _MOST_CLASSES else ()
    rows = [("column", "kind", "from", "to", "bits", "step", "empty", "distinct", *(classes or ("values",)))]
    pictures = _histograms(ready.train, classes)
    by_name = {column.name: column for column in ready.columns}
    for feature in found.features[:_MOST_SHOWN]:
        column, ends = by_name.get(feature.name), _ends(feature)
        bits = f"{column.width}{' signed' if column.signed else ''}" if column else ""
        step = f"{column.scale:g}" if column and column.kind in ("integer", "real") else ""
        counts = (str(feature.missing), str(feature.distinct))
        kind = feature.kind if column else "left out"
        pictured = pictures.get(feature.name, [""] * max(len(classes), 1))
        rows.append((feature.name, kind, *ends, bits, step, *counts, *pictured))
    more = len(found.features) - _MOST_SHOWN
    return terminal.table(rows) + (f"\n… and {more} more columns, which --json lists" if more > 0 else "")


def _ends(feature: Feature) -> tuple[str, str]:
    if feature.low is not None and feature.high is not None:
        return f"{feature.low:.6g}", f"{feature.high:.6g}"
    return (feature.words[0], feature.words[-1]) if feature.words else ("", "")


def _histograms(data: Data, classes: Sequence[str]) -> dict[str, list[str]]:
    """By column: how often the training rows of each class have which values."""
    made, start = {}, 0
    for column in data.columns[: 2 * _MOST_SHOWN]:
        bits = data.x[:, start : start + column.width].astype(np.int64)
        start += column.width
        integers = bits @ (1 << np.arange(column.width))
        if column.signed:
            integers -= (integers > column.highest) * (1 << column.width)
        ends = (int(integers.min()), max(int(integers.max()), int(integers.min()) + 1))
        bins = min(_BINS, ends[1] - ends[0] + 1)
        parts = [integers[data.y == i] for i in range(len(classes))] if classes else [integers]
        made[column.name] = [_bars(np.histogram(part, bins, ends)[0]) for part in parts]
    return made


def _bars(counts: np.ndarray) -> str:
    heights = np.ceil(counts / max(counts.max(), 1) * (len(_BLOCKS) - 1)).astype(int)
    return "".join(_BLOCKS[height] for height in heights)


def _classes(ready: Prepared) -> str:
    found = ready.description
    rows = zip(found.classes[:_MOST_SHOWN], found.counts, strict=False)
    total = max(sum(found.counts), 1)
    return terminal.table([("class", "rows"), *((name, terminal.bar(count, total)) for name, count in rows)])


def _split(ready: Prepared) -> str:
    parts = (("train", ready.train), ("validation", ready.validation), ("test", ready.test))
    sizes = ", ".join(f"{name} {len(data.y)}" for name, data in parts)
    return f"split: {sizes} rows ({ready.split['how']}); {ready.train.x.shape[1]} input bits"
