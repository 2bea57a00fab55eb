"""One-hot: one bit for each category, high where the integer is its code."""

from dataclasses import dataclass

from dbhw.base.errors import whole
from dbhw.nn.encoders import EQUAL, Condition, Encoder


@dataclass(frozen=True)
class OneHot(Encoder):
    """The codes of the categories are 0 to `categories` - 1.

    >>> len(OneHot(width=2, signed=False, categories=3).conditions())
    3
    """

    categories: int

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("one_hot categories", self.categories, 1)

    def conditions(self) -> list[Condition]:
        return [Condition(EQUAL, code) for code in range(self.categories)]
