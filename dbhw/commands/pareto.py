"""Train nets of several sizes on a table or data set, and show their accuracy against their look-up tables."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.commands import _options, _table_options
from dbhw.data.dataset import Data

if TYPE_CHECKING:
    from dbhw.report.charts import Mark
    from dbhw.report.published import Published
    from dbhw.tabular.pareto import Point

_COUNTED = "all: encoder, tables, counts and argmax"
_SIZES = 4


class _Rows(NamedTuple):
    """The rows to train on, to judge by and to test on."""

    train: Data
    validation: Data
    test: Data


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", help="a file with a table (.csv, .npz, .parquet), or a built-in data set")
    parser.add_argument("--sizes", type=int, help=f"how many sizes, from small to large (default {_SIZES})")
    parser.add_argument("--luts", help="instead: about how many LUTs each net may take: 100,200,400")
    _options.target(parser)
    parser.add_argument("--seed", type=int, default=0, help="the seed of all random choices (default 0)")
    parser.add_argument("-o", "--output", help="a .svg file for the plot")
    _table_options.arguments(parser)
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.fpga import families
    from dbhw.report import published
    from dbhw.tabular import pareto

    families.find(args.target)
    if args.output is not None:
        _check_output(args.output)
    asked = _luts(args)
    rows, notes = _rows(args)
    if not args.json:
        for note in notes:
            terminal.note(f"note: {note}")
    asked = asked or pareto.sizes(_SIZES if args.sizes is None else args.sizes, rows.train, args.target)
    points = pareto.sweep(*rows, asked, args.target, args.seed)
    others = published.of(args.data)
    if args.output is not None:
        files.write(args.output, _plot(args, points, others))
    if args.json:
        terminal.result(_json(args, rows, points, others, notes), args.json)
    else:
        print(_shown(args, rows, points, others))
    return 0


def _check_output(output: str) -> None:
    if Path(output).suffix.lower() != ".svg":
        raise DbhwError(f"output must be a file that ends in .svg, not {output!r}")
    files.check_writable(output)


def _luts(args: argparse.Namespace) -> list[int]:
    """The numbers of --luts; none without it."""
    if args.luts is None:
        return []
    if args.sizes is not None:
        raise DbhwError("pareto must have either --sizes or --luts, not both")
    parts = [part.strip() for part in args.luts.split(",")]
    if not all(part.isdecimal() and int(part) for part in parts):
        raise DbhwError(f"luts must be whole numbers above 0 such as 100,200,400, not {args.luts!r}")
    return [int(part) for part in parts]


def _rows(args: argparse.Namespace) -> tuple[_Rows, list[str]]:
    """The rows that the command names, and what is worth saying about them."""
    from dbhw.data.load import load_split
    from dbhw.data.tables.examples import prepare
    from dbhw.data.tables.read import is_table, read
    from dbhw.data.tables.split import split
    from dbhw.tabular.pareto import with_columns

    options = _table_options.chosen(args)
    if is_table(args.data):
        test = read(args.test, options.for_another_file()) if args.test else None
        ready = prepare(read(args.data, options), options, args.seed, test)
        return _Rows(ready.train, ready.validation, ready.test), list(ready.notes)
    parts = load_split(args.data)
    train = with_columns(parts.train)
    index = split(train.y, seed=args.seed, validation=options.validation, test=0.0)
    own, checked = (replace(train, x=train.x[i], y=train.y[i]) for i in (index.train, index.validation))
    return _Rows(own, checked, parts.test), []


def _sizes_of(rows: _Rows) -> dict[str, int]:
    return {name: len(part.y) for name, part in rows._asdict().items()}


def _json(
    args: argparse.Namespace, rows: _Rows, points: list[Point], others: list[Published], notes: list[str]
) -> dict[str, object]:
    return {
        "data": args.data,
        "target": args.target,
        "seed": args.seed,
        "rows": _sizes_of(rows),
        "input_bits": rows.train.x.shape[1],
        "counted": _COUNTED,
        "points": [asdict(point) for point in points],
        "published": [asdict(other) for other in others],
        "output": args.output,
        "notes": notes,
    }


def _shown(args: argparse.Namespace, rows: _Rows, points: list[Point], others: list[Published]) -> str:
    heads = (f"LUTs {args.target}", "depth", "validation", "test", "best for its size")
    lines = [
        (str(p.luts), str(p.depth), f"{p.validation_accuracy:.2%}", _per_cent(p.test_accuracy), "●" if p.best else "")
        for p in sorted(points, key=lambda p: p.luts)
    ]
    sizes = ", ".join(f"{number} for {part}" for part, number in _sizes_of(rows).items())
    parts = [terminal.table([heads, *lines]), f"LUTs count {_COUNTED}. Rows: {sizes}."]
    if others:
        parts.append(terminal.table([("published", "accuracy", "size", "counted", "source"), *map(_row, others)]))
    if any(other.second_hand for other in others):
        parts.append("† read in another paper")
    return "\n\n".join(parts)


def _row(other: Published) -> tuple[str, ...]:
    size = "" if other.size is None else f"{other.size} {other.unit}"
    return (other.system, f"{other.accuracy:.2%}", size, other.counted, f"{other.source}{'†' * other.second_hand}")


def _per_cent(accuracy: float | None) -> str:
    return "" if accuracy is None else f"{accuracy:.2%}"


def _plot(args: argparse.Namespace, points: list[Point], others: list[Published]) -> str:
    from dbhw.report.charts import accuracy_against_luts

    tested = points[0].test_accuracy is not None
    shown = "test rows" if tested else "validation rows"
    caption = f"Accuracy on {shown}; the line joins the nets that are best for their size on validation rows."
    marks = [*(_mark(p) for p in points), *(_their_mark(o) for o in others if o.unit == "LUT" and o.size)]
    title = f"{Path(args.data).name}: accuracy against LUTs on {args.target}, everything counted"
    return accuracy_against_luts(title, caption, marks)


def _mark(point: Point) -> Mark:
    from dbhw.report.charts import Mark

    accuracy = point.validation_accuracy if point.test_accuracy is None else point.test_accuracy
    words = f"{point.luts} LUTs, depth {point.depth}; validation {point.validation_accuracy:.2%}"
    words += f", test {_per_cent(point.test_accuracy)}" if point.test_accuracy is not None else ""
    return Mark(point.luts, accuracy, "best" if point.best else "other", f"{accuracy:.1%}, {point.luts:,} LUTs", words)


def _their_mark(other: Published) -> Mark:
    from dbhw.report.charts import Mark

    assert other.size is not None
    words = f"{other.system}: {other.accuracy:.2%}, {other.size} LUTs; counted: {other.counted} ({other.source})"
    return Mark(other.size, other.accuracy, "whole" if other.whole else "part", other.system, words)
