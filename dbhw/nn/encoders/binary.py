"""Binary: the bits of the integer as they are, the lowest first. Only wires in hardware."""

from dataclasses import dataclass

from dbhw.nn.encoders import BIT, Condition, Encoder


@dataclass(frozen=True)
class Binary(Encoder):
    """The raw bits, in two's complement if the integer is signed.

    >>> Binary(width=3, signed=False).conditions()[-1]
    Condition(kind='bit', number=2)
    """

    def conditions(self) -> list[Condition]:
        return [Condition(BIT, index) for index in range(self.width)]
