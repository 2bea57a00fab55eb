"""Which net is trained on a table when nothing is said: its size, its thresholds and its settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dbhw.base.errors import one_of
from dbhw.nn.layer import Layer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.lookup import Lookup
from dbhw.train.settings import Settings

BUDGETS = {"small": 10, "medium": 30, "large": 100}  # look-up tables a class
_FAN_IN = 6


@dataclass(frozen=True)
class Choice:
    """A net of look-up tables over thresholds, and how it is trained.

    >>> choose(examples=500, classes=3, budget="small").layers()[1:]
    [Lookup(fan_in=6, init=Uniform(low=0.0, high=1.0)), BucketSum(buckets=3)]
    """

    classes: int
    votes: int  # look-up tables a class
    thresholds: int  # the most of a column
    way: str
    settings: Settings

    def layers(self) -> list[Layer]:
        """The layers after the encoder."""
        tables = self.classes * self.votes
        return [Connect(width=tables * _FAN_IN), Lookup(fan_in=_FAN_IN), BucketSum(buckets=self.classes)]

    def of_size(self, votes: int) -> Choice:
        """The same with another number of look-up tables a class.

        >>> choose(examples=500, classes=3, budget="small").of_size(4).votes
        4
        """
        settings = replace(self.settings, temperature=_temperature(votes))
        return replace(self, votes=votes, settings=settings)


def choose(examples: int, classes: int, budget: str = "medium", seed: int = 0) -> Choice:
    """The choice for a number of examples and classes within a budget: small, medium or large.

    >>> choose(examples=500, classes=3).votes
    30
    """
    if budget not in BUDGETS:
        raise one_of("budget", budget, BUDGETS)
    votes = BUDGETS[budget]
    batch = min(128, examples)
    settings = Settings(
        epochs=max(1, -(-1200 // (examples // batch))),
        batch_size=batch,
        learning_rate=0.02,
        optimiser="adam",
        schedule="cosine",
        temperature=_temperature(votes),
        seed=seed,
    )
    return Choice(classes, votes, 15, "quantiles", settings)


def budgets() -> Sequence[str]:
    """The names of the budgets.

    >>> budgets()
    ['small', 'medium', 'large']
    """
    return list(BUDGETS)


def _temperature(votes: int) -> float:
    return 1.7 * 3.33 * (votes / 100) ** 0.57
