"""The paper's toy problems as models."""

import numpy as np

from dbhw.model.model import Model
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.net import Net


def toy(inputs, width):
    return Net(inputs, [Negation(width=width), Reshape(shape=(2, inputs * width // 2)), Majority()])


def papers_second_toy():
    """The second toy with the weights that the paper prints."""
    # For each class and feature, in how many of four rows the feature is passed and not negated.
    passed = {"very-cold": (0, 1), "cold": (0, 4), "warm": (3, 0), "very-warm": (1, 3), "outside": (1, 2)}
    rows = [[passed[f][c] > row for f in passed] for c in (0, 1) for row in range(4)]
    soft = np.where(np.array(rows), 0.25, -0.25).astype(np.float32)
    return Model(toy(5, 8), (soft, None, None), tuple(passed), ("t-shirt", "coat"))
