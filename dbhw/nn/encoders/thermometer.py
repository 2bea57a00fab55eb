"""Thermometer: one bit for each threshold, high where the integer is at least that."""

from dataclasses import dataclass

from dbhw.base.errors import DbhwError
from dbhw.nn.encoders import AT_LEAST, Condition, Encoder


@dataclass(frozen=True)
class Thermometer(Encoder):
    """In hardware a comparator for each threshold that the net uses; equal lower parts are shared.

    A column that says nothing has no thresholds.

    >>> Thermometer(width=8, signed=False, thresholds=(16, 100)).to_json()
    {'encoder': 'thermometer', 'width': 8, 'signed': False, 'thresholds': [16, 100]}
    """

    thresholds: tuple[int, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        lowest, highest = self.lowest, self.highest + 1
        if any(type(t) is not int or not lowest <= t <= highest for t in self.thresholds):
            found = f"{self.thresholds!r:.60}"
            raise DbhwError(f"thermometer thresholds must be whole numbers from {lowest} to {highest}, not {found}")

    def conditions(self) -> list[Condition]:
        return [Condition(AT_LEAST, threshold) for threshold in self.thresholds]
