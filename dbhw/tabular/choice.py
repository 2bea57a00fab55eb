"""The default net for a table: how large it is, how it is trained, and how its columns are encoded.

The net has one layer of learned tables over learned wires, and each class counts the votes of its own tables. A table
reads a few comparisons, as a small decision tree does, so the net votes like a forest. `bench/tables.py` measures it.

Rare classes have no extra weight: the net then finds them as often as a random forest does, and weights cost up to 13
points of accuracy where classes overlap. Who wants to miss fewer of them says so with `balance`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from dbhw.base.errors import DbhwError, one_of, whole
from dbhw.nn.layer import Layer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.dropout import Dropout
from dbhw.nn.layers.lookup import Lookup
from dbhw.train.settings import Settings

# Votes of a class by tables of six inputs, for few examples and for many. Few examples are learnt by heart by few
# tables; many gain from more.
BUDGETS = {"small": (8, 15), "medium": (20, 50), "large": (50, 150)}
_MANY_EXAMPLES = 5000
FEWEST_VOTES, _MOST_VOTES = 2, 400
# Thresholds of a column: few of many columns, many of few, so that none that matters is missed.
THRESHOLDS, _OF_ALL_COLUMNS, _MOST_THRESHOLDS = 7, 60, 63
NUMBERS_OF_THRESHOLDS = (THRESHOLDS, 4, 2, 1)  # of a column, for nets within a number of LUTs
_TIGHT = 3  # votes of a class; with fewer, comparators would take most of the LUTs
# By the inputs of a LUT: LUTs for a vote (its table and its part of the counter) and for a threshold.
_LUTS = {4: (2.2, 2.7), 6: (2.0, 2.0)}


@dataclass(frozen=True)
class Choice:
    """The layers behind the encoder, the settings of their training, and how thresholds are chosen for each column."""

    layers: tuple[Layer, ...]
    settings: Settings
    thresholds: int  # of a column, at most
    way: str  # how they are chosen


def choose(
    examples: int,
    classes: int,
    columns: int,
    budget: str = "medium",
    *,
    lut_inputs: int = 6,
    balance: float = 0.0,
    seed: int = 0,
) -> Choice:
    """The net for so many training examples, classes and columns, for an FPGA with LUTs of 4 or 6 inputs.

    >>> found = choose(examples=120, classes=3, columns=13)
    >>> [layer.name() for layer in found.layers], found.layers[1].width, found.thresholds, found.way
    (['dropout', 'connect', 'lookup', 'bucket_sum'], 360, 7, 'quantiles')
    """
    if budget not in BUDGETS:
        raise one_of("budget", budget, list(BUDGETS))
    fan_in = _fan_in(lut_inputs)
    # Twice as many tables of four inputs are as good as those of six, each of which would take about six such LUTs.
    votes = BUDGETS[budget][examples >= _MANY_EXAMPLES] * (2 if fan_in == 4 else 1)
    return with_votes(votes, examples, classes, _many(columns), fan_in=fan_in, balance=balance, seed=seed)


def within(
    luts: int,
    examples: int,
    classes: int,
    columns: int,
    *,
    thresholds: int | None = None,
    lut_inputs: int = 6,
    balance: float = 0.0,
    seed: int = 0,
) -> Choice:
    """The largest net that is expected to fit into so many LUTs, with its encoder, counters and argmax.

    It is no larger than that of the budget `large`. Columns of one bit take no comparators: they need not be counted.
    Without a number of thresholds it has as many as leave room for a few votes.

    >>> within(300, examples=120, classes=3, columns=4).layers[1].width // 18
    36
    """
    whole("LUTs", luts, 1)
    fan_in = _fan_in(lut_inputs)
    for each in NUMBERS_OF_THRESHOLDS if thresholds is None else (thresholds,):
        votes = _votes_within(luts, classes, columns * each, fan_in)
        if votes >= _TIGHT:
            break
    if votes < FEWEST_VOTES:
        least = estimate(FEWEST_VOTES, classes, columns * each, fan_in)
        raise DbhwError(f"LUTs must be at least {least} for {classes} classes and {columns} columns, not {luts}")
    wanted = min(votes, most_votes(examples, fan_in))
    return with_votes(wanted, examples, classes, each, fan_in=fan_in, balance=balance, seed=seed)


def with_votes(
    votes: int,
    examples: int,
    classes: int,
    thresholds: int = THRESHOLDS,
    *,
    fan_in: int = 6,
    balance: float = 0.0,
    seed: int = 0,
) -> Choice:
    """The net with so many votes for each class.

    >>> with_votes(30, examples=16000, classes=20).layers[1].width
    3600
    """
    whole("votes", votes, 1)
    whole("examples", examples, 1)
    # Flipped bits make a table's neighbouring entries alike; without, few noisy examples are learnt by heart.
    noise = Dropout(p=min(0.05, 150 / examples))
    tables = (Connect(width=classes * votes * fan_in), Lookup(fan_in=fan_in))
    settings = _settings(votes, examples, balance, seed)
    # Many thresholds leave the choice to the wiring; few of them must be the right ones.
    way = "quantiles" if thresholds >= THRESHOLDS else "information"
    return Choice((noise, *tables, BucketSum(buckets=classes)), settings, thresholds, way)


def most_votes(examples: int, fan_in: int = 6) -> int:
    """The votes of a class in the largest net, that of the budget `large`.

    >>> most_votes(120), most_votes(60_000)
    (50, 150)
    """
    return BUDGETS["large"][examples >= _MANY_EXAMPLES] * (2 if fan_in == 4 else 1)


def estimate(votes: int, classes: int, thresholds: int, fan_in: int = 6) -> int:
    """About how many LUTs a net takes, all in, before it is trained; `thresholds` are those of all columns together.

    >>> estimate(30, classes=3, thresholds=28), estimate(30, classes=3, thresholds=91)
    (256, 379)
    """
    for_vote, for_threshold = _LUTS[fan_in]
    wires = votes * classes * fan_in
    used = thresholds * (1 - exp(-0.7 * wires / max(thresholds, 1)))  # wires prefer some thresholds, and meet there
    argmax = 2 * votes.bit_length() * (classes - 1)
    return round(for_vote * votes * classes + for_threshold * used + argmax)


def _many(columns: int) -> int:
    return min(max(_OF_ALL_COLUMNS // columns, THRESHOLDS), _MOST_THRESHOLDS)


def _votes_within(luts: int, classes: int, thresholds: int, fan_in: int) -> int:
    fitting = (v for v in range(_MOST_VOTES, 0, -1) if estimate(v, classes, thresholds, fan_in) <= luts)
    return next(fitting, 0)


def _fan_in(lut_inputs: int) -> int:
    if lut_inputs not in _LUTS:
        raise one_of("inputs of a LUT", lut_inputs, list(map(str, _LUTS)))
    return lut_inputs


def _settings(votes: int, examples: int, balance: float, seed: int) -> Settings:
    batch = min(examples, 128)
    while examples > 250 * batch and batch < 1024:  # of very many examples, all are seen at least twice
        batch *= 2
    return Settings(
        # The number of steps counts, not that of epochs.
        epochs=max(2, round(_steps(examples) * batch / examples)),
        batch_size=batch,
        learning_rate=0.02,
        optimiser="adam",
        # About the spread of a count of random votes. Half of it costs four points where classes overlap, twice as
        # much three.
        temperature=5.5 * (votes / 100) ** 0.57,
        schedule="cosine",
        balance=balance,
        seed=seed,
    )


def _steps(examples: int) -> int:
    return 600 if examples < _MANY_EXAMPLES else 1000
