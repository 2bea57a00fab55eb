"""Tables in text: comma-separated and the like, read in parts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TextIO

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.data.readers import cells, dialect, header
from dbhw.data.readers.dialect import Dialect
from dbhw.data.readers.sample import Sample
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.table import Table, unknown_column

_CELLS_AT_A_TIME = 1 << 16


def read(path: str | Path, options: TableOptions, cells_kept: int | None = None) -> Table:
    """The table of a text file; one of more than `cells_kept` cells becomes a random sample of its rows.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "beans.csv"
    >>> _ = path.write_text("weight;kind\\n1,5;red\\nNA;white\\n")
    >>> read(path, TableOptions()).columns["weight"].tolist()
    [1.5, nan]
    """
    found = dialect.find(path, options)
    try:
        return _read(path, found, options, cells_kept)
    except UnicodeError as wrong:
        if options.encoding or found.encoding != "utf-8":
            raise dialect.not_decoded(path, found.encoding, wrong) from wrong
    return _read(path, replace(found, encoding="latin-1"), options, cells_kept)


@dataclass(frozen=True)
class _Layout:
    """What is the same for all rows: how many cells they have, and the columns that are kept."""

    path: str | Path
    names: list[str]
    kept: list[int]
    decimal: str
    empty: frozenset[str]
    types: dict[str, bool | None]  # whether a column is numbers, as far as that is known


def _read(path: str | Path, found: Dialect, options: TableOptions, cells_kept: int | None) -> Table:
    named, names, notes = _names(path, found, options)
    kept = [i for i, name in enumerate(names) if name not in options.drop]
    told = {name: kind != "category" for name, kind in {**options.hints, **options.types}.items()}
    types = {name: told.get(name) for name in names}
    empty = cells.EMPTY | {word.lower() for word in options.empty}
    layout = _Layout(path, names, kept, found.decimal, frozenset(empty), types)
    sample = Sample(str(path), [names[i] for i in kept], cells_kept)
    with open(path, encoding=found.encoding, newline="") as file:
        rows = dialect.parsed(_lines(path, file), found.separator)
        for numbers, part in _parts(path, rows, len(names), skip=int(named)):
            sample.add(numbers, _columns(layout, numbers, part))
    table = sample.table()
    if not table.seen:
        raise DbhwError(f"data file {path} must have at least one row of values, but it has none")
    if found.encoding == "latin-1" and not options.encoding:
        notes.append(f"{path} is not UTF-8; it was read as Latin-1 (--encoding says another)")
    return replace(table, named=named).noted(*notes)


def _names(path: str | Path, found: Dialect, options: TableOptions) -> tuple[bool, list[str], list[str]]:
    if not found.beginning:
        raise DbhwError(f"data file {path} must have at least one row of values, but it is empty")
    named = header.has_names(path, found.beginning, found.decimal) if options.header is None else options.header
    first = found.beginning[0]
    names, notes = header.names(path, first) if named else (header.default(len(first)), [])
    for name, option in options.named().items():
        if name not in names:
            raise unknown_column(str(path), name, option, names)
    if len(names) == 1 and options.separator:
        raise DbhwError(
            f"data file {path} must have several columns, but with the separator "
            f"{dialect.separator_name(found.separator)} it has one: leave --separator out, or say another"
        )
    return named, names, notes


def _lines(path: str | Path, file: TextIO) -> Iterator[str]:
    """The lines of a file, none of them endless."""
    return chain.from_iterable(io.StringIO(block, newline="") for block in _blocks(path, file))


def _blocks(path: str | Path, file: TextIO) -> Iterator[str]:
    """The text of a file in blocks of whole lines."""
    before, rest = 0, ""
    while read := file.read(dialect.LONGEST_LINE):
        text = rest + read
        end = max(text.rfind("\n"), text.rfind("\r", 0, -1)) + 1  # after a last \r there may come a \n
        dialect.check_text(path, text, before)
        if len(text) - end > dialect.LONGEST_LINE:
            raise dialect.too_long(path, before + dialect.count_lines(text) + 1)
        before += dialect.count_lines(text[:end])
        yield text[:end]
        rest = text[end:]
    yield rest


def _parts(
    path: str | Path, rows: Iterator[list[str]], width: int, skip: int
) -> Iterator[tuple[np.ndarray, list[list[str]]]]:
    """The rows in parts, with their numbers; a row's number counts the names and blank lines too."""
    at_a_time = max(_CELLS_AT_A_TIME // width, 1)
    next_row = 1
    while True:
        try:
            part = list(islice(rows, at_a_time))
        except csv.Error as wrong:
            raise DbhwError(
                f"data file {path} must have quotes in pairs and a separator after them: {wrong}, after row {next_row}"
            ) from wrong
        if not part:
            return
        numbers = np.arange(next_row, next_row + len(part))
        next_row += len(part)
        if set(map(len, part)) != {width}:
            numbers, part = _without_blanks(path, numbers, part, width)
        if skip and part:
            numbers, part, skip = numbers[1:], part[1:], 0
        if part:
            yield numbers, part


def _without_blanks(
    path: str | Path, numbers: np.ndarray, part: list[list[str]], width: int
) -> tuple[np.ndarray, list[list[str]]]:
    filled = [i for i, row in enumerate(part) if len(row) > 1 or "".join(row).strip()]
    for i in filled:
        if len(part[i]) != width:
            raise DbhwError(
                f"row {numbers[i]} of {path} must have {width} cells like the first row, not {len(part[i])}; "
                "put cells that have the separator in them into quotes, or say --separator"
            )
    return numbers[filled], [part[i] for i in filled]


def _columns(layout: _Layout, numbers: np.ndarray, part: list[list[str]]) -> list[np.ndarray]:
    columns = list(zip(*part, strict=True))
    return [_column(layout, layout.names[i], numbers, columns[i]) for i in layout.kept]


def _column(layout: _Layout, name: str, rows: np.ndarray, column: tuple[str, ...]) -> np.ndarray:
    """The values of a column; the first part of it that is not empty decides whether it is numbers or words."""
    known, rules = layout.types[name], (layout.decimal, layout.empty)
    if known is False:
        return cells.words(column, layout.empty)
    found = cells.numbers(column, *rules)
    if found is None:
        if known is None and not cells.mostly_numbers(column, *rules):
            layout.types[name] = False
            return cells.words(column, layout.empty)
        raise _not_a_number(layout, name, rows, column)
    if np.isinf(found).any():
        row = int(np.argmax(np.isinf(found)))
        raise DbhwError(
            f"column {name} of {layout.path} must have finite numbers, but row {rows[row]} has "
            f"{cells.shown(column[row])}: correct it, or leave the column out with --drop {name}"
        )
    if known is None and not np.isnan(found).all():
        layout.types[name] = True
    return found


def _not_a_number(layout: _Layout, name: str, rows: np.ndarray, column: tuple[str, ...]) -> DbhwError:
    wrong = next(i for i, cell in enumerate(column) if cells.number(cell, layout.decimal, layout.empty) is None)
    return DbhwError(
        f"column {name} of {layout.path} must have numbers, but row {rows[wrong]} has {cells.shown(column[wrong])}: "
        f"correct it, or say --types {name}=category for words, or --empty for a word that means an empty cell"
    )
