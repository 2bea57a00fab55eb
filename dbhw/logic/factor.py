"""Tables as few ANDs and XORs: a table of six inputs becomes about 24 operations of a processor, or fewer.

An input splits a table into two smaller ones, for where it is low and where it is high. They are joined by one
operation where one side is constant or the other's complement, and by a multiplexer otherwise. Of all inputs and ways
to join, the cheapest is taken, down to single inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from dbhw.logic import truth
from dbhw.logic.network import FALSE, TRUE, Network

_MOST_INPUTS_SEARCHED = 6  # a wider table is split on its last input first: the search grows tenfold with each input
_SAME, _PRODUCT, _PARITY, _FROM_LOW, _FROM_HIGH, _EITHER = range(6)
_OPERATIONS = {_SAME: 0, _PRODUCT: 1, _PARITY: 1, _FROM_LOW: 2, _FROM_HIGH: 2, _EITHER: 3}


def factored(network: Network, table: int, literals: Sequence[int]) -> int:
    """The look-up of `table` at the number whose bit j is literal j, as ANDs and XORs.

    >>> n = Network(); a, b, c = (n.input(v) for v in "abc")
    >>> factored(n, 0b11101010, [a, b, c]) == n.or_([a, n.and_([b, c])])
    True
    """
    n = len(literals)
    if table in (0, truth.ones(n)):
        return TRUE if table else FALSE
    if n == 1:
        return literals[0] ^ (table == 0b01)
    _, place, way = _cheapest(table, n)
    low, high = sides(table, n, place)
    x, rest = literals[place], [*literals[:place], *literals[place + 1 :]]

    def part(function: int) -> int:
        return factored(network, function, rest)

    if way == _SAME:
        return part(low)
    if way == _PARITY:
        return network.xor([x, part(low)])
    if way == _FROM_LOW:
        return network.xor([part(low), network.and_([x, part(low ^ high)])])
    if way == _FROM_HIGH:
        return network.xor([part(high), network.and_([x ^ 1, part(low ^ high)])])
    low, high = part(low), part(high)
    if low == TRUE:
        return network.or_([x ^ 1, high])
    return network.or_([x, low]) if high == TRUE else network.or_([network.and_([x, high]), network.and_([x ^ 1, low])])


def operations(table: int, n: int) -> int:
    """How many operations of two inputs a table takes at most.

    >>> operations(0b11101000, 3), operations(0b0110, 2)
    (4, 1)
    """
    return 0 if n < 2 or table in (0, truth.ones(n)) else _cheapest(table, n)[0]


def sides(table: int, n: int, place: int) -> tuple[int, int]:
    """The tables over the other inputs, where the input at a place is low and where it is high.

    >>> [bin(side) for side in sides(0b1000, 2, 0)]
    ['0b0', '0b10']
    """
    shift, low_rows, steps = _gaps(n, place)
    low, high = table & low_rows, table >> shift & low_rows
    for closer, stay, move in steps:
        low = low & stay | low >> closer & move
        high = high & stay | high >> closer & move
    return low, high


@cache
def _gaps(n: int, place: int) -> tuple[int, int, list[tuple[int, int, int]]]:
    """How far apart the two sides are, the rows of the first, and how its gaps close: first those of one row, …"""
    rows = truth.projections(n)
    steps = []
    for j in range(place, n - 1):
        stay = truth.ones(n) ^ (rows[j + 1] | rows[j])
        steps.append((1 << j, stay, stay << (1 << j)))
    return 1 << place, truth.ones(n) ^ rows[place], steps


@lru_cache(1 << 18)
def _cheapest(table: int, n: int) -> tuple[int, int, int]:
    """The number of operations, the input to split on, and the way to join the two sides."""
    if table & 1:
        return _cheapest(table ^ truth.ones(n), n)  # a complement costs nothing: its reader takes it in
    places = range(n) if n <= _MOST_INPUTS_SEARCHED else [n - 1]
    return min(_split(table, n, place) for place in places)


def _split(table: int, n: int, place: int) -> tuple[int, int, int]:
    everywhere = truth.ones(n - 1)
    low, high = sides(table, n, place)

    def cost(way: int, *parts: int) -> tuple[int, int, int]:
        return _OPERATIONS[way] + sum(operations(part, n - 1) for part in parts), place, way

    if low == high:
        return cost(_SAME, low)
    if low in (0, everywhere) or high in (0, everywhere):
        own = [part for part in (low, high) if part not in (0, everywhere)]
        return (0, place, _PRODUCT) if not own else cost(_PRODUCT, *own)
    if low == high ^ everywhere:
        return cost(_PARITY, low)
    return min(cost(_FROM_LOW, low, low ^ high), cost(_FROM_HIGH, high, low ^ high), cost(_EITHER, low, high))
