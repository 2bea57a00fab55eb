"""Words among the names of bits: `a[0]`, `a[1]`, … are the bus `a`, as Yosys, BLIF and AIGER files name them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_INDEXED = re.compile(r"(.+)\[(\d{1,6})\]")


@dataclass(frozen=True)
class Bus:
    """A word: its name, and the places of its bits in a list of names, the lowest bit first."""

    name: str
    bits: tuple[int, ...]


def buses(names: Sequence[str]) -> list[Bus]:
    """The words that names of bits make, in the order of their first bits; a bit that is in none is one by itself.

    >>> buses(["a[1]", "go", "a[0]", "b[7]"])
    [Bus(name='a', bits=(2, 0)), Bus(name='go', bits=(1,)), Bus(name='b[7]', bits=(3,))]
    """
    members: dict[str, dict[int, int]] = {}
    for place, name in enumerate(names):
        if found := _INDEXED.fullmatch(name):
            members.setdefault(found[1], {})[int(found[2])] = place
    times = Counter(found[1] for name in names if (found := _INDEXED.fullmatch(name)))
    # Only whole words, every bit of which is there once, and whose name no single bit has.
    whole = {n: m for n, m in members.items() if len(m) == times[n] == max(m) + 1 and n not in names}
    found_buses: dict[str, Bus] = {}
    for place, name in enumerate(names):
        match = _INDEXED.fullmatch(name)
        if match and match[1] in whole:
            own = whole[match[1]]
            found_buses.setdefault(match[1], Bus(match[1], tuple(own[i] for i in range(len(own)))))
        else:
            found_buses.setdefault(f"{name} {place}", Bus(name, (place,)))
    return list(found_buses.values())
