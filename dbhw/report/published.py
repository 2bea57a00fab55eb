"""Published figures of other systems, and what each of them counts; `published.json` holds them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from dbhw.base import records

_FILE = Path(__file__).with_name("published.json")


@dataclass(frozen=True)
class Published:
    """A system's accuracy on a data set's test part, and its size.

    `counted` says what the size includes. `second_hand` means that the figure was read in another paper.

    >>> of("mnist")[0].counted
    'all, from 8-bit pixels'
    """

    system: str
    accuracy: float
    source: str
    size: int | None = None
    unit: str = "LUT"
    counted: str = "not stated"
    second_hand: bool = False

    @property
    def whole(self) -> bool:
        """Whether the size is that of everything from the input's integers to the class."""
        return self.counted.startswith("all")


def of(data: str) -> list[Published]:
    """What is published on a data set, or on the one whose name is continued: `mnist-pixels` is `mnist` too.

    >>> len(of("mnist")) > 20, of("mnist-pixels") == of("mnist"), of("iris")
    (True, True, [])
    """
    by_data = json.loads(_FILE.read_text())
    found = next((rows for name, rows in by_data.items() if data == name or data.startswith(f"{name}-")), [])
    return [records.from_json(Published, row) for row in found]
