"""Where the gates of a schematic stand: in columns by level, in an order with few crossings, at heights near their
sources. A wire that passes a column has a place of its own there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

_GAP = 12.0
_SWEEPS = 6


@dataclass
class Item:
    """Something in a column: a gate, an input, an output, or a wire that passes. `y` is its middle."""

    key: object
    height: float
    sources: list[Item]
    y: float = 0.0


def levels(sources: dict[int, list[int]], inputs: Sequence[int]) -> dict[int, int]:
    """The column of each node: inputs in 0, all others behind the last of their sources.

    >>> levels({3: [1, 2], 4: [3, 1]}, [1, 2])
    {1: 0, 2: 0, 3: 1, 4: 2}
    """
    found = dict.fromkeys(inputs, 0)
    pending = list(sources)
    while pending:
        ready = [node for node in pending if all(s in found for s in sources[node])]
        for node in ready:
            found[node] = 1 + max((found[s] for s in sources[node]), default=0)
        pending = [node for node in pending if node not in found]
    return found


def arrange(columns: list[list[Item]]) -> float:
    """Orders each column and gives every item its height; returns the height of all.

    >>> a, b = Item("a", 10, []), Item("b", 10, [])
    >>> c, d = Item("c", 10, [b]), Item("d", 10, [a])
    >>> columns = [[a, b], [c, d]]
    >>> arrange(columns), [item.key for item in columns[1]]
    (44.0, ['d', 'c'])
    """
    readers: dict[int, list[Item]] = {}
    for column in columns:
        _stack(column)
        for item in column:
            for source in item.sources:
                readers.setdefault(id(source), []).append(item)
    for sweep in range(_SWEEPS):
        forth = sweep % 2 == 0
        for column in columns[1:] if forth else columns[-2::-1]:
            wished = {id(i): _near(i, i.sources if forth else readers.get(id(i), [])) for i in column}
            column.sort(key=lambda item: wished[id(item)])
            _settle(column, [wished[id(item)] for item in column])
    top = min(item.y - item.height / 2 for column in columns for item in column)
    bottom = max(item.y + item.height / 2 for column in columns for item in column)
    for column in columns:
        for item in column:
            item.y += _GAP / 2 - top
    return bottom - top + _GAP


def _near(item: Item, others: Sequence[Item]) -> float:
    return mean(other.y for other in others) if others else item.y


def _stack(column: list[Item]) -> None:
    y = 0.0
    for item in column:
        item.y = y + item.height / 2
        y += item.height + _GAP


def _settle(column: list[Item], wished: list[float]) -> None:
    """Puts items as near to where they wish to be as their order and heights allow."""
    lowest = float("-inf")
    for item, y in zip(column, wished, strict=True):
        item.y = max(y, lowest + item.height / 2)
        lowest = item.y + item.height / 2 + _GAP
    shift = mean(item.y - y for item, y in zip(column, wished, strict=True)) if column else 0.0
    for item in column:
        item.y -= shift
