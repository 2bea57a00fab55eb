"""Numbers and words of a table as integers: the width, scale and offset of each column, from the training rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor, log10

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.data.tables.column import MOST_BITS, Column
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.table import Table, empty_cells
from dbhw.data.tables.types import Feature

WIDEST_INTEGER = 16  # whole numbers of more bits are scaled, as reals are
WIDEST_GRID = 12
_WIDTHS = (8, 10, 12)
_TAILS = (0.002, 0.01, 0.025, 0.05)  # the share that is clipped at each end of a skewed column
_CROWD = 32  # 1 of so many different values may fall on one integer
_FAR = 3  # so many bits an offset must save
_MOST_DIGITS = 9


def columns(
    table: Table, features: Sequence[Feature], options: TableOptions, training: np.ndarray | None = None
) -> tuple[Column, ...]:
    """The columns of the hardware for the columns of a table, from its training rows (default: all of them).

    Words are those of all rows: a word has no order and no range that could be learnt.

    >>> table = Table.of("beans", {"weight": np.array([0.1, 1.5, 6.3])})
    >>> [weight] = columns(table, [Feature("weight", "real", 0, 3)], TableOptions())
    >>> weight.width, weight.scale, weight.integers(table.columns["weight"]).tolist()
    (6, 0.1, [1, 15, 63])
    """
    made: list[Column] = []
    names = {feature.name for feature in features}
    for feature in features:
        values = table.columns[feature.name]
        values = values if training is None else values[training]
        column = _column(feature, values[~empty_cells(values)], options)
        made.append(_filled(column, values) if _needs_fill(feature, options) else column)
        if feature.missing and options.missing == "own-bit":
            made.append(Column(_free(f"{feature.name}_missing", names), "missing", 1, source=feature.name))
    return tuple(made)


def clipped(table: Table, made: Sequence[Column]) -> tuple[str, ...]:
    """Notes about columns whose range is narrower than their values.

    >>> clipped(Table.of("t", {"a": np.array([1.0, 9.0])}), [Column("a", "integer", 3)])
    ('column a: 1 of 2 values is outside 0 to 7 and becomes the nearer end',)
    """
    notes = []
    for column in made:
        if column.kind in ("integer", "real"):
            values = table.columns[column.source or column.name]
            low, high = (column.offset + column.scale * (end + d) for end, d in _ends(column))
            outside = int(((values < low) | (values > high)).sum())
            if outside:
                limits = " to ".join(f"{column.offset + column.scale * end:.6g}" for end, _ in _ends(column))
                verb = "is outside {} and becomes" if outside == 1 else "are outside {} and become"
                count = f"column {column.name}: {outside} of {len(values)} values"
                notes.append(f"{count} {verb.format(limits)} the nearer end")
    return tuple(notes)


def _ends(column: Column) -> list[tuple[int, float]]:
    return [(column.lowest, -0.5), (column.highest, 0.5)]


def _column(feature: Feature, values: np.ndarray, options: TableOptions) -> Column:
    name = feature.name
    if feature.kind == "category":
        width = max((len(feature.words) - 1).bit_length(), 1)
        return Column(name, "category", width, categories=feature.words)
    if not len(values):
        values = np.zeros(1)
    if name in options.bits or name in options.scale or name in options.offset:
        return _told(feature, values, options)
    if feature.kind == "bit":
        return Column(name, "bit", 1)
    if feature.kind == "integer":
        found = _on_grid(feature, values, 1.0, WIDEST_INTEGER)
        if found is not None:
            return found
        feature = replace(feature, kind="real")  # its integers are no longer the user's
    grid = _grid(values)
    found = _on_grid(feature, values, grid, WIDEST_GRID) if grid else None
    return found or _spread(feature, values)


def _told(feature: Feature, values: np.ndarray, options: TableOptions) -> Column:
    """The column with what the user says of it; the rest is found out."""
    name = feature.name
    width, signed = options.bits.get(name, (None, None))
    kind = "real" if feature.kind == "real" or name in options.scale else "integer"
    low, high = float(values.min()), float(values.max())
    if name not in options.scale and feature.kind == "real":
        width = width or _WIDTHS[0]
        if name not in options.offset:
            return _linear(feature, low, high, width, bool(signed))
        return _from_offset(feature, low, high, width, signed, options.offset[name])
    scale, offset = options.scale.get(name, 1.0), options.offset.get(name, 0.0)
    if not 0 < scale < float("inf"):
        raise DbhwError(f"scale of column {name} must be above 0, not {scale}")
    first, last = (floor((end - offset) / scale + 0.5) for end in (low, high))
    signed = first < 0 if signed is None else signed
    needed = _width(first, last, signed)
    if width is None and needed > MOST_BITS:
        raise DbhwError(
            f"column {name} must have at most {MOST_BITS} bits, but with the scale {scale} its values take {needed}: "
            f"say a larger --scale, or --bits {name}=N to clip them"
        )
    return Column(name, kind, width or needed, signed, scale, offset)


def _from_offset(feature: Feature, low: float, high: float, width: int, signed: bool | None, offset: float) -> Column:
    """The step that takes the range from a given offset."""
    signed = low < offset if signed is None else signed
    farthest = max(high - offset, offset - low if signed else 0.0)
    scale = _rounded_up(farthest / max((1 << width - signed) - 1, 1)) if farthest > 0 else 1.0
    return Column(feature.name, feature.kind, width, signed, scale, offset)


def _width(low: int, high: int, signed: bool) -> int:
    if signed:
        return max(high.bit_length(), (-low - 1).bit_length() if low < 0 else 0) + 1
    return max(high.bit_length(), 1)


def _on_grid(feature: Feature, values: np.ndarray, grid: float, widest: int) -> Column | None:
    """Whole multiples of the grid as they are; minus an offset if they lie far from zero."""
    low, high = (floor(float(end) / grid + 0.5) for end in (values.min(), values.max()))
    signed = low < 0
    width, shifted = _width(low, high, signed), _width(0, high - low, False)
    if width - shifted >= _FAR:
        if shifted > widest:
            return None
        return Column(feature.name, feature.kind, shifted, False, grid, _rounded(low * grid))
    return Column(feature.name, feature.kind, width, signed, grid) if width <= widest else None


def _grid(values: np.ndarray) -> float | None:
    """The power of ten of which all values are multiples, or None."""
    distinct = np.unique(values)
    for digits in range(-_MOST_DIGITS, _MOST_DIGITS + 1):
        grid = float(f"1e{-digits}")
        steps = distinct / grid
        if np.abs(steps).max() >= 2.0**53:
            return None
        if (np.abs(steps - np.rint(steps)) <= 1e-9 * np.abs(steps)).all():
            return grid
    return None


def _spread(feature: Feature, values: np.ndarray) -> Column:
    """The narrowest range and width that keep most different values apart."""
    distinct = np.unique(values)
    column = _linear(feature, float(distinct[0]), float(distinct[-1]), _WIDTHS[0], False)
    tries = [(0.0, _WIDTHS[0]), *((_TAILS[0], width) for width in _WIDTHS), *((tail, _WIDTHS[-1]) for tail in _TAILS)]
    for tail, width in tries:
        low, high = (float(end) for end in np.quantile(values, [tail, 1 - tail], method="nearest"))
        if low >= high:
            break
        column = _linear(feature, low, high, width, False)
        _, crowd = np.unique(column.integers(distinct), return_counts=True)
        if crowd.max() <= max(len(distinct) // _CROWD, 1):
            break
    return column


def _linear(feature: Feature, low: float, high: float, width: int, signed: bool) -> Column:
    """The range in as many steps as the bits allow; the step is rounded up to three digits, so that it can be read."""
    steps = max((1 << width) - 2, 1)
    step = high / steps - low / steps  # not (high - low), which may be infinite
    if step <= 0:
        return Column(feature.name, feature.kind, width, signed, 1.0, low)
    scale = _rounded_up(step)
    offset = _rounded(floor(low / scale) * scale) if abs(low / scale) < 2.0**53 else low
    lowest = -(1 << width - 1) if signed else 0
    return Column(feature.name, feature.kind, width, signed, scale, _rounded(offset - lowest * scale))


def _rounded_up(step: float) -> float:
    unit = floor(log10(step)) - 2
    return float(f"{ceil(step / 10.0**unit)}e{unit}") if unit > -300 else step


def _rounded(value: float) -> float:
    return float(f"{value:.12g}")


def _needs_fill(feature: Feature, options: TableOptions) -> bool:
    return options.missing == "most" or (options.missing == "own-bit" and feature.missing > 0)


def _filled(column: Column, values: np.ndarray) -> Column:
    """The column with what an empty cell becomes: the median of numbers, the most frequent of bits and words."""
    known = values[~empty_cells(values)]
    if not len(known):
        return replace(column, fill=max(column.lowest, 0))
    found = np.sort(column.integers(known))
    if column.kind in ("integer", "real"):
        return replace(column, fill=int(found[(len(found) - 1) // 2]))
    codes, counts = np.unique(found, return_counts=True)
    return replace(column, fill=int(codes[np.argmax(counts)]))


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name
