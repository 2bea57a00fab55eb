"""A model evaluated on data: the accuracy of the soft net and of the hard net, and where the two differ."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from dbhw.base import terminal
from dbhw.data.dataset import Data
from dbhw.model.model import Model
from dbhw.nn.net import labels

_DEVIATIONS = 1.96  # the standard deviations that 95 % of a normal distribution lie within


@dataclass(frozen=True)
class Evaluation:
    """Accuracies, on how many examples any soft output differs from the hard output, and what ran the hard net."""

    examples: int
    soft_accuracy: float
    hard_accuracy: float
    mismatches: int
    engine: str


def interval(accuracy: float, examples: int) -> tuple[float, float]:
    """The range in which the accuracy on other rows lies, with 95 % certainty, by that on some examples (Wilson).

    >>> [round(end, 3) for end in interval(0.95, 100)]
    [0.888, 0.978]
    """
    if not examples:
        return 0.0, 1.0
    middle = accuracy + _DEVIATIONS**2 / (2 * examples)
    half = _DEVIATIONS * sqrt(accuracy * (1 - accuracy) / examples + (_DEVIATIONS / (2 * examples)) ** 2)
    whole = 1 + _DEVIATIONS**2 / examples
    return (middle - half) / whole, (middle + half) / whole


def confusion(truth: np.ndarray, said: np.ndarray, classes: int) -> np.ndarray:
    """How many examples of each class (rows) were said to be of each class (columns).

    >>> confusion(np.array([0, 0, 1]), np.array([0, 1, 1]), 2).tolist()
    [[1, 1], [0, 1]]
    """
    found = np.zeros((classes, classes), np.int64)
    np.add.at(found, (truth, said), 1)
    return found


@terminal.working("evaluating, soft and hard")
def evaluate(model: Model, data: Data, engine: str = "auto", threads: int = 1) -> Evaluation:
    """Evaluates a model on data that fits its net.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("a",), ("b", "c"))
    >>> evaluate(model, Data("two", np.array([[False], [True]]), np.array([0, 1]), ("a",), ("b", "c")))
    Evaluation(examples=2, soft_accuracy=1.0, hard_accuracy=1.0, mismatches=0, engine='numpy')
    """
    from dbhw.train.fit import soft_outputs  # It imports JAX, which all other reports do without.

    found = model.answers(data.x, engine=engine, threads=threads)
    soft = soft_outputs(model, data.x)
    right = [float((classes == data.y).mean()) for classes in (labels(soft), found.labels)]
    mismatches = int((soft != found.outputs).any(axis=1).sum())
    return Evaluation(len(data.y), right[0], right[1], mismatches, found.engine)
