"""The default net for a table: how large it is, how it is trained, and how its columns are encoded.

The net has one layer of learned tables over learned wires, and each class counts the votes of its own tables. A table
reads a few comparisons, as a small decision tree does, so the net votes like a forest.
"""

from __future__ import annotations

from dataclasses import dataclass

from dbhw.base.errors import DbhwError, one_of, whole
from dbhw.nn.layer import Layer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.lookup import Lookup
from dbhw.train.settings import Settings

BUDGETS = {"small": 10, "medium": 30, "large": 100}  # votes of a class
MOST_VOTES = 200  # of a class; more of them do not gain any more
FEWEST_VOTES = 3
_FAN_IN = 6
_FEW_EXAMPLES = 5000
_LUTS_PER_VOTE = 1.8  # the table, and its part of the counter


@dataclass(frozen=True)
class Choice:
    """The layers behind the encoder, the settings of their training, and how thresholds are chosen for each column."""

    layers: tuple[Layer, ...]
    settings: Settings
    thresholds: int
    way: str


def choose(examples: int, classes: int, budget: str = "medium", seed: int = 0) -> Choice:
    """The net for a table with so many examples for training and so many classes.

    >>> found = choose(examples=120, classes=3)
    >>> found.layers[1:], found.thresholds, found.way
    ((Lookup(fan_in=6, init=Uniform(low=0.0, high=1.0)), BucketSum(buckets=3)), 7, 'quantiles')
    """
    if budget not in BUDGETS:
        raise one_of("budget", budget, list(BUDGETS))
    return with_votes(BUDGETS[budget], examples, classes, seed)


def within(luts: int, examples: int, classes: int, columns: int, seed: int = 0) -> Choice:
    """The largest net that is expected to fit into so many LUTs, with its encoder, counters and argmax.

    >>> within(300, examples=120, classes=3, columns=4).layers[0].width // 6
    129
    """
    whole("LUTs", luts, 1)
    fitting = [votes for votes in range(FEWEST_VOTES, MOST_VOTES + 1) if estimate(votes, classes, columns) <= luts]
    if not fitting:
        least = estimate(FEWEST_VOTES, classes, columns)
        raise DbhwError(f"LUTs must be at least {least} for {classes} classes of {columns} columns, not {luts}")
    return with_votes(fitting[-1], examples, classes, seed)


def with_votes(votes: int, examples: int, classes: int, seed: int = 0) -> Choice:
    """The net with so many votes for each class.

    >>> with_votes(30, examples=16000, classes=20).layers[0].width
    3600
    """
    whole("votes", votes, 1)
    layers = (Connect(width=classes * votes * _FAN_IN), Lookup(fan_in=_FAN_IN), BucketSum(buckets=classes))
    # Few examples are told apart by few comparisons; more of them only fit the noise.
    thresholds = 7 if examples < _FEW_EXAMPLES else 15
    return Choice(layers, _settings(votes, examples, seed), thresholds, "quantiles")


def _settings(votes: int, examples: int, seed: int) -> Settings:
    # What counts is the number of steps. Few examples are soon learnt by heart; longer training changes little.
    steps = 600 if examples < _FEW_EXAMPLES else 1200
    batch = min(examples, 128)
    while examples > 250 * batch and batch < 1024:
        batch *= 2
    return Settings(
        epochs=max(1, round(steps * batch / examples)),
        batch_size=batch,
        learning_rate=0.02,
        optimiser="adam",
        # About the spread of a count of random votes: below, one step turns too many tables at once.
        temperature=5 * (votes / 100) ** 0.57,
        schedule="cosine",
        seed=seed,
    )


def estimate(votes: int, classes: int, columns: int) -> int:
    """About how many LUTs a net with so many votes for each class takes, all in, before it is trained.

    >>> estimate(10, classes=3, columns=4)
    112
    """
    bits = votes.bit_length()
    comparators = min(1.5 * columns * 7, 6 * votes * classes)
    return round(_LUTS_PER_VOTE * votes * classes + 2 * bits * (classes - 1) + comparators)
