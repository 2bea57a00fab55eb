"""Features that are the pixels of a picture: where each of them lies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_SQUARES = {64: 8, 784: 28}  # pixels without names that say where they are
_PLACE = re.compile(r"\D*(\d{1,3})\D+(\d{1,3})\D*")
_LARGEST = 128


@dataclass(frozen=True)
class Picture:
    """The size of a picture, and the row and column of each feature."""

    rows: int
    columns: int
    places: tuple[tuple[int, int], ...]


def picture(features: Sequence[str]) -> Picture | None:
    """The picture whose pixels the features are, by their names (pixel_3_7) or their number; None if they are none.

    >>> found = picture([f"row{r}_column{c}" for r in range(4) for c in range(3)])
    >>> found.rows, found.columns, found.places[-1]
    (4, 3, (3, 2))
    >>> picture([f"x{i}" for i in range(64)]).rows, picture(["weight", "colour"])
    (8, None)
    """
    matches = [_PLACE.fullmatch(name) for name in features]
    places = [(int(found[1]), int(found[2])) for found in matches if found]
    if len(places) == len(features) and len(set(places)) == len(places):
        rows, columns = (max(place[i] for place in places) + 1 for i in (0, 1))
        # Pixels that never change may be missing, but not most of them.
        if 2 * len(places) > rows * columns >= 9 and max(rows, columns) <= _LARGEST:
            return Picture(rows, columns, tuple(places))
    side = _SQUARES.get(len(features))
    if side is None:
        return None
    return Picture(side, side, tuple(divmod(i, side) for i in range(len(features))))
