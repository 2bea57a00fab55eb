"""Default names for features and classes, and identifiers made of any names."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable


def default_names(prefix: str, n: int) -> tuple[str, ...]:
    """Names for features or classes that have none.

    >>> default_names("x", 2)
    ('x0', 'x1')
    """
    return tuple(f"{prefix}{i}" for i in range(n))


def identifiers(names: Iterable[str]) -> list[str]:
    """Names turned into identifiers of a program, no two of them equal.

    >>> identifiers(["very-cold", "2nd", "x", "x"])
    ['very_cold', '_2nd', 'x', 'x_2']
    """
    taken: set[str] = set()
    made = []
    for name in names:
        clean = re.sub(r"\W", "_", name, flags=re.ASCII)
        if not clean or clean[0].isdigit() or keyword.iskeyword(clean):
            clean = f"_{clean}"
        unique, number = clean, 1
        while unique in taken:
            number += 1
            unique = f"{clean}_{number}"
        taken.add(unique)
        made.append(unique)
    return made
