"""What the columns of a table are: bits, whole numbers, reals, categories, the label, or of no use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.data.readers.arrays import dates
from dbhw.data.tables.column import as_words
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.table import Table, empty_cells

MOST_CLASSES = 1000
MOST_WORDS = 256
_MOST_FRACTIONS = 20  # a label of more different numbers with a fraction is a measurement
_EXACT = 2.0**53  # beyond, two whole numbers may be the same float64
_FEWEST_IDENTIFIERS = 5
_LABELS = ("label", "class", "target", "y", "species", "outcome", "diagnosis")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d{2}.*)?|\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?")


@dataclass(frozen=True)
class Feature:
    """A column as it was understood; `left_out` says why, if it is no input."""

    name: str
    kind: str
    missing: int
    distinct: int
    low: float | None = None
    high: float | None = None
    words: tuple[str, ...] = ()
    left_out: str | None = None


@dataclass(frozen=True)
class Description:
    """A table as it was understood: its columns but the label, the label's classes and how many rows each has."""

    label: str
    classes: tuple[str, ...]
    counts: tuple[int, ...]
    features: tuple[Feature, ...]
    notes: tuple[str, ...]

    @property
    def used(self) -> tuple[Feature, ...]:
        """The columns that are inputs."""
        return tuple(feature for feature in self.features if feature.left_out is None)


def describe(table: Table, options: TableOptions) -> Description:
    """What the columns of a table are, as far as the options do not say.

    >>> beans = {"id": np.arange(1.0, 7), "weight": np.array([1.5, 2, 2.5, 3, 3.5, 4])}
    >>> found = describe(Table.of("beans", {**beans, "kind": np.array([*"abaaba"], object)}), TableOptions())
    >>> found.label, found.classes, [feature.name for feature in found.used]
    ('kind', ('a', 'b'), ['weight'])
    >>> found.notes
    ('label is column kind, the last one; --label says another', 'column id is left out: it counts the rows')
    """
    label, how = find_label(table, options)
    notes = [] if how is None else [f"label is column {label}, {how}; --label says another"]
    named, counts = _classes(table, label)
    others = {label, options.split_column, options.group_column}
    features = tuple(_feature(table, name, options) for name in table.columns if name not in others)
    told = {feature.name for feature in features if options.columns and feature.name not in options.columns}
    notes += [f"column {f.name} is left out: {f.left_out}" for f in features if f.left_out and f.name not in told]
    if not any(feature.left_out is None for feature in features):
        raise DbhwError(f"{table.name} must have a column besides the label {label} that is of use, but it has none")
    notes += [
        f"class {name} has one row only, which is for training" for name, n in zip(named, counts, strict=True) if n == 1
    ]
    return Description(label, named, counts, features, tuple(notes))


def find_label(table: Table, options: TableOptions) -> tuple[str, str | None]:
    """The label's column, and how it was found if nobody said it.

    >>> find_label(Table.of("t", {"class": np.zeros(1), "a": np.ones(1)}), TableOptions())
    ('class', 'by its name')
    """
    if options.label is not None:
        table.column(options.label, "--label")
        return options.label, None
    if table.label is not None:
        return table.label, None
    taken = {options.split_column, options.group_column}
    taken |= {name for i, name in enumerate(table.columns, 1) if name == f"column{i}" and _all_empty(table, name)}
    names = [name for name in table.columns if name not in taken]
    named = [name for name in names if name.lower() in _LABELS]
    if len(named) == 1:
        return named[0], "by its name"
    if not names:
        raise DbhwError(f"{table.name} must have a column of labels, but it has none")
    return names[-1], "the last one"


def _all_empty(table: Table, name: str) -> bool:
    """Whether a column without a name is just what a separator at the end of each row makes."""
    return bool(empty_cells(table.columns[name]).all())


def class_names(values: np.ndarray) -> tuple[str, ...]:
    """The classes of a label's values: numbers in their order, words in the alphabet's.

    >>> class_names(np.array([10.0, 9.0])), class_names(np.array(["b", "a"], object))
    (('9', '10'), ('a', 'b'))
    """
    words = {word for word in set(as_words(values).tolist()) if word}
    try:
        return tuple(sorted(words, key=lambda word: (float(word), word)))
    except ValueError:
        return tuple(sorted(words))


def _classes(table: Table, label: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    values = table.columns[label]
    filled = values[~empty_cells(values)]
    _check_label(table, label, filled)
    classes = table.classes or class_names(filled)
    if len(set(classes)) < 2:
        found = f"all are {classes[0]!r}" if classes else "it is empty"
        raise DbhwError(f"label {label} of {table.name} must have at least two classes, but {found}; choose --label")
    found_words, number = np.unique(as_words(filled).astype(str), return_counts=True)
    known = dict(zip(found_words.tolist(), number.tolist(), strict=True))
    return classes, tuple(known.get(name, 0) for name in classes)


def _check_label(table: Table, label: str, filled: np.ndarray) -> None:
    distinct = np.unique(filled) if filled.dtype.kind == "f" else np.array(list(set(filled.tolist())), object)
    where = f"label {label} of {table.name}"
    if filled.dtype.kind == "f":
        fractions = distinct[distinct != np.floor(distinct)]
        if len(fractions) and len(distinct) > _MOST_FRACTIONS:
            raise DbhwError(
                f"{where} must be classes, but it has {len(distinct)} different numbers such as {fractions[0]:.6g}: "
                "choose another column with --label, or put the numbers into ranges"
            )
        if (np.abs(distinct) > _EXACT).any():
            raise DbhwError(f"{where} must be whole numbers of at most 53 bits: say --types {label}=category")
    if len(distinct) > MOST_CLASSES:
        raise DbhwError(
            f"{where} must have at most {MOST_CLASSES} classes, not {len(distinct)}: choose another with --label"
        )


def _feature(table: Table, name: str, options: TableOptions) -> Feature:
    values = table.columns[name]
    told = options.types.get(name)
    empty = empty_cells(values)
    missing = int(empty.sum())
    if empty.all():
        return Feature(name, told or "real", missing, 0, left_out="all its cells are empty")
    asked = name in {*options.columns, *options.types, *options.bits, *options.scale}
    reason = "it is not in --columns" if options.columns and name not in options.columns else None
    if values.dtype.kind != "f" or told == "category":
        return _words(table, name, as_words(values[~empty]), missing, asked, reason, told)
    return _numbers(table, name, options, asked, reason)


def _words(
    table: Table, name: str, filled: np.ndarray, missing: int, asked: bool, reason: str | None, told: str | None
) -> Feature:
    if told not in (None, "category"):
        row = table.rows[~empty_cells(table.columns[name])][0]
        raise DbhwError(f"column {name} of {table.name} must be {told}, but row {row} has {filled[0]!r}")
    words = class_names(filled)
    if reason is None and not asked:
        if all(_DATE.fullmatch(word) for word in words):
            raise dates(name, words[0])
        reason = _useless_words(len(words), len(filled), missing, name)
    if reason is None and len(words) > 1 << 16:
        raise DbhwError(f"column {name} of {table.name} must have at most 65536 words, not {len(words)}: --drop {name}")
    return Feature(name, "category", missing, len(words), words=words if reason is None else (), left_out=reason)


def _useless_words(distinct: int, filled: int, missing: int, name: str) -> str | None:
    if distinct == filled >= _FEWEST_IDENTIFIERS:
        return "every row has another word"
    if distinct > MOST_WORDS:
        return f"it has {distinct} different words (--types {name}=category keeps it)"
    return "it is constant" if distinct == 1 and not missing else None


def _numbers(table: Table, name: str, options: TableOptions, asked: bool, reason: str | None) -> Feature:
    values = table.columns[name]
    empty = np.isnan(values)
    distinct = np.unique(values[~empty])
    missing, low, high = int(empty.sum()), float(distinct[0]), float(distinct[-1])
    kind = options.types.get(name) or _kind(distinct)
    if reason is None:
        _check_kind(table, name, kind, values)
    if reason is None and not asked:
        if len(distinct) == 1 and not (missing and options.missing == "own-bit"):
            reason = f"it is constant, {low:.6g}"
        elif not missing and _counts_rows(values, table.rows):
            reason = "it counts the rows"
    return Feature(name, kind, missing, len(distinct), low, high, left_out=reason)


def _kind(distinct: np.ndarray) -> str:
    if np.isin(distinct, (0, 1)).all():
        return "bit"
    return "integer" if (distinct == np.floor(distinct)).all() else "real"


def _check_kind(table: Table, name: str, kind: str, values: np.ndarray) -> None:
    wrong = np.zeros(len(values), bool)
    if kind == "bit":
        wrong = ~np.isnan(values) & ~np.isin(values, (0, 1))
    elif kind == "integer":
        wrong = ~np.isnan(values) & (values != np.floor(values))
    if wrong.any():
        row = int(np.argmax(wrong))
        found = f"row {table.rows[row]} has {values[row]:.15g}"
        raise DbhwError(f"column {name} of {table.name} must be {kind} as --types says, but {found}")


def _counts_rows(values: np.ndarray, rows: np.ndarray) -> bool:
    if len(values) < _FEWEST_IDENTIFIERS or values[0] != np.floor(values[0]):
        return False
    return bool(np.ptp(values - rows) == 0 or (np.diff(values) == 1).all())


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names in a text, the first of them if there are many.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
