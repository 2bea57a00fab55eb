"""Bits: a column of zeros and ones, as it is."""

from dataclasses import dataclass

from dbhw.base.errors import DbhwError
from dbhw.nn.encoders import BIT, Condition, Encoder


@dataclass(frozen=True)
class Bits(Encoder):
    """For an integer of one bit.

    >>> Bits(width=1, signed=False).conditions()
    [Condition(kind='bit', number=0)]
    """

    def __post_init__(self) -> None:
        if self.width != 1 or self.signed:
            raise DbhwError(f"encoder bits must get one unsigned bit, not {self.width}: take binary or thermometer")

    def conditions(self) -> list[Condition]:
        return [Condition(BIT, 0)]
