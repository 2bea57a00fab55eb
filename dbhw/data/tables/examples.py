"""From a table to the examples that a net is trained and tested on, and from another table to those of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from dbhw.base import terminal
from dbhw.base.errors import DbhwError, one_of
from dbhw.data.dataset import Data
from dbhw.data.tables import quantise, split
from dbhw.data.tables.column import Column, as_words
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.read import NOTHING_SAID, read
from dbhw.data.tables.table import Table, empty_cells
from dbhw.data.tables.types import Description, describe, find_label, listed


@dataclass(frozen=True)
class Prepared:
    """A table ready for training: its three parts, what its columns are, how it was split, and what is worth saying."""

    train: Data
    validation: Data
    test: Data
    columns: tuple[Column, ...]
    description: Description
    split: dict[str, object]
    notes: tuple[str, ...]


@terminal.working("preparing the rows")
def prepare(table: Table, options: TableOptions = NOTHING_SAID, seed: int = 0, test: Table | None = None) -> Prepared:
    """The parts of a table as bits; columns are fitted to the training part only. `test` is a table of its own.

    >>> weight = np.arange(40.0) / 10
    >>> beans = Table.of("beans", {"weight": weight, "kind": np.where(weight > 2, "red", "white").astype(object)})
    >>> ready = prepare(beans)
    >>> ready.train.x.shape, len(ready.validation.y), len(ready.test.y), ready.train.classes
    ((26, 6), 6, 8, ('red', 'white'))
    """
    found = describe(table, options)
    filled = _without_missing(table, found, options)
    if len(filled) < len(table):
        found = _with_missing(describe(filled, options), found)
    y = indices(filled.columns[found.label], found.classes, filled, found.label)
    parts, how = _parts(filled, y, options, seed, own_test=test is not None)
    columns = quantise.columns(filled, found.used, options, parts.train)
    data = to_data(filled, columns, found.label, found.classes)
    train, validation, tested = (_part(data, index) for index in (parts.train, parts.validation, parts.test))
    if test is not None:
        tested = to_data(_for_model(test, columns, found, options), columns, found.label, found.classes)
    sizes = [len(part.y) for part in (train, validation, tested)]
    record = split.record(sizes, how, seed, test.name if test is not None else None)
    notes = (*filled.notes, *found.notes, *quantise.clipped(filled, columns))
    return Prepared(train, validation, tested, columns, found, record, notes)


def to_data(table: Table, columns: Sequence[Column], label: str, classes: Sequence[str]) -> Data:
    """The examples of a table for the columns of a model.

    >>> table = Table.of("t", {"a": np.array([2.0, 3.0]), "b": np.array(["no", "yes"], object)})
    >>> to_data(table, [Column("a", "integer", 2)], "b", ["no", "yes"]).x.astype(int).tolist()
    [[0, 1], [1, 1]]
    """
    y = indices(table.columns[label], classes, table, label)
    return Data.of(inputs(table, columns), y, name=table.name, classes=classes, columns=columns)


def inputs(table: Table, columns: Sequence[Column]) -> np.ndarray:
    """The input bits of a table (rows, bits) for the columns of a model; columns that the model lacks are ignored.

    >>> inputs(Table.of("t", {"a": np.array([2.0])}), [Column("a", "integer", 2)]).tolist()
    [[False, True]]
    """
    table = by_position(table, columns)
    bits, start = np.empty((len(table), sum(column.width for column in columns)), bool), 0
    for column in columns:  # column by column: a table may have millions of rows
        bits[:, start : start + column.width] = column.bits(column.integers(_fitting(table, column), table.rows))
        start += column.width
    return bits


def indices(values: np.ndarray, classes: Sequence[str], table: Table, label: str) -> np.ndarray:
    """The classes of a label's values, as indices; where no value is a class's name, numbers may be the indices.

    >>> words = np.array(["yes", "no"], object)
    >>> indices(words, ["no", "yes"], Table.of("t", {"y": words}), "y").tolist()
    [1, 0]
    """
    words = as_words(values)
    known = {name: i for i, name in enumerate(classes)}
    if not set(words.tolist()) & known.keys():
        known = {str(i): i for i in range(len(classes))}
    found = np.array([known.get(word, -1) for word in words.tolist()], np.int64)
    if (found < 0).any():
        row = int(np.argmax(found < 0))
        where = f"label {label} of {table.name} in row {table.rows[row]}"
        if not words[row]:
            raise DbhwError(f"{where} must be a class, but the cell is empty: say --missing drop, or fill it in")
        raise one_of(where, words[row], listed(classes, 20).split(", "))
    return found


def load_for(
    path: str | Path,
    columns: Sequence[Column],
    classes: Sequence[str],
    label: str | None = None,
    options: TableOptions = NOTHING_SAID,
) -> Data:
    """The examples of a file for a model with these columns and classes.

    Columns are found by their names, in a file without names by their position. Further columns are ignored.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "beans.csv"
    >>> _ = path.write_text("kind,note,weight\\nred,new,1.5\\nwhite,old,2\\n")
    >>> data = load_for(path, [Column("weight", "real", 4, scale=0.5)], ["red", "white"], label="kind")
    >>> data.y.tolist(), data.x.astype(int).tolist()
    ([0, 1], [[1, 1, 0, 0], [0, 0, 1, 0]])
    """
    table = for_columns(path, columns, classes, label, options)
    if label is not None:
        table.column(label, "the label")
    else:
        label = find_label(_without(table, columns), options)[0]
    if options.missing == "drop":
        names = [column.source or column.name for column in columns if column.fill is None]
        table = table.take(~_any_empty(table, [*names, label]))
    return to_data(table, columns, label, classes)


def for_columns(
    path: str | Path,
    columns: Sequence[Column],
    classes: Sequence[str] = (),
    label: str | None = None,
    options: TableOptions = NOTHING_SAID,
) -> Table:
    """The table of a file for a model with these columns: its categories are words, even where they look like numbers.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "beans.csv"
    >>> _ = path.write_text("size,kind\\n2,red\\n")
    >>> for_columns(path, [Column("size", "category", 2, categories=("1", "2", "XL"))]).columns["size"].tolist()
    ['2']
    """
    hints = {c.source or c.name: "category" if c.kind == "category" else "real" for c in columns if c.kind != "missing"}
    if label is not None and any(not _is_plain_number(name) for name in classes):
        hints[label] = "category"
    return by_position(read(path, replace(options, label=None, hints=hints)), columns, label)


def by_position(table: Table, columns: Sequence[Column], label: str | None = None) -> Table:
    """The table with the model's names, where it has none of its own; a missing column is an error.

    >>> list(by_position(Table.of("t", {"x0": np.ones(2)}), [Column("x0", "bit", 1)]).columns)
    ['x0']
    """
    wanted = list(dict.fromkeys(column.source or column.name for column in columns))
    lacking = [name for name in wanted if name not in table.columns]
    if not lacking:
        return table
    if table.named:
        raise DbhwError(
            f"{table.name} must have the model's columns, but it lacks {listed(lacking)}; "
            f"it has {listed(list(table.columns))}"
        )
    values = list(table.columns.values())
    if len(values) not in (len(wanted), len(wanted) + 1):
        raise DbhwError(
            f"{table.name} has no names, so it must have the model's {len(wanted)} columns in their order and then "
            f"the label, not {len(values)} columns"
        )
    names = [*wanted, label or "label"][: len(values)]
    return replace(table, columns=dict(zip(names, values, strict=True)), named=True)


def _is_plain_number(word: str) -> bool:
    try:
        return f"{float(word):.15g}" == word
    except ValueError:
        return False


def _fitting(table: Table, column: Column) -> np.ndarray:
    values = table.columns[column.source or column.name]
    if column.kind not in ("category", "missing") and values.dtype.kind != "f":
        wrong = ~empty_cells(values)
        if not wrong.any():
            return np.full(len(values), np.nan)
        row = int(np.argmax(wrong))
        where = f"column {column.name} of {table.name} must have numbers"
        raise DbhwError(f"{where}, as in training, but row {table.rows[row]} has {values[row]!r}")
    return values


def _without(table: Table, columns: Sequence[Column]) -> Table:
    taken = {column.source or column.name for column in columns}
    return replace(table, columns={name: values for name, values in table.columns.items() if name not in taken})


def _part(data: Data, index: np.ndarray) -> Data:
    return replace(data, x=data.x[index], y=data.y[index])


def _any_empty(table: Table, names: Sequence[str]) -> np.ndarray:
    found = np.zeros(len(table), bool)
    for name in names:
        found |= empty_cells(table.columns[name])
    return found


def _without_missing(table: Table, found: Description, options: TableOptions) -> Table:
    """The rows that can be used; with nothing said, an empty cell is an error."""
    names = [feature.name for feature in found.used] if options.missing in ("error", "drop") else []
    wrong = _any_empty(table, [*names, found.label])
    if not wrong.any():
        return table
    if options.missing == "error":
        row = int(np.argmax(wrong))
        name = next(name for name in [*names, found.label] if empty_cells(table.columns[name])[row])
        many = f" ({int(wrong.sum())} rows have empty cells)" if wrong.sum() > 1 else ""
        raise DbhwError(
            f"column {name} of {table.name} must have a value in row {table.rows[row]}, but the cell is empty{many}: "
            "say --missing drop, most or own-bit"
        )
    if wrong.all():
        raise DbhwError(f"{table.name} must have a row without empty cells, but it has none: say --missing most")
    what = "an empty cell" if names else "no label"
    return table.take(~wrong).noted(f"{int(wrong.sum())} of {len(table)} rows are left out: they have {what}")


def _with_missing(now: Description, before: Description) -> Description:
    """What remains after rows were left out, with the numbers of empty cells before."""
    missing = {feature.name: feature.missing for feature in before.features}
    return replace(now, features=tuple(replace(f, missing=missing[f.name]) for f in now.features))


def _parts(table: Table, y: np.ndarray, options: TableOptions, seed: int, own_test: bool) -> tuple[split.Parts, str]:
    share = 0.0 if own_test else options.test
    if options.split_column is not None:
        words = as_words(table.columns[options.split_column])
        parts = split.by_column(words, y, table.rows, options.split_column, seed, options.validation)
        return parts, f"column {options.split_column}"
    groups, how = None, "stratified"
    if options.group_column is not None:
        groups = as_words(table.columns[options.group_column]).astype(str)
        how = f"groups of column {options.group_column}"
    return split.split(y, groups, seed, options.validation, share), how


def _for_model(test: Table, columns: Sequence[Column], found: Description, options: TableOptions) -> Table:
    """The rows of the user's own test table that can be used."""
    test = by_position(test, columns, found.label)
    test.column(found.label, "--label")
    names = [c.source or c.name for c in columns if c.fill is None and c.kind != "missing"]
    return test.take(~_any_empty(test, [*names, found.label])) if options.missing == "drop" else test
