"""The printed program, as golden texts; that it computes the net is checked on random nets."""

import numpy as np

from dbhw import passes
from dbhw.layers.majority import Majority
from dbhw.layers.negation import Negation
from dbhw.layers.reshape import Reshape
from dbhw.lowering import lower
from dbhw.model import Model
from dbhw.net import Net
from dbhw.program import program


def toy(inputs, width):
    return Net(inputs, [Negation(width=width), Reshape(shape=(2, inputs * width // 2)), Majority()])


def test_the_papers_first_toy():
    assert program(lower(toy(1, 2), None, ["outside"])) == (
        "def net(outside, w1, w2):\n    return [not (outside ^ w1), not (outside ^ w2)]"
    )
    learned = Model(toy(1, 2), (np.float32([[-0.1], [0.2]]), None, None), ("outside",), ("t-shirt", "coat"))
    assert program(passes.simplify(learned.to_network())) == "def net(outside):\n    return [not outside, outside]"


def test_the_papers_second_toy():
    """The paper's learned weights: its own program, with coefficients collected and constants in the threshold."""
    # For each class and feature, in how many of four rows the feature is passed and not negated.
    passed = {"very-cold": (0, 1), "cold": (0, 4), "warm": (3, 0), "very-warm": (1, 3), "outside": (1, 2)}
    rows = [[passed[f][c] > row for f in passed] for c in (0, 1) for row in range(4)]
    soft = np.where(np.array(rows), 0.25, -0.25).astype(np.float32)
    learned = Model(toy(5, 8), (soft, None, None), tuple(passed), ("t-shirt", "coat"))
    assert program(learned.to_network()) == (
        "def net(very_cold, cold, warm, very_warm, outside):\n"
        "    return [\n"
        "        2*(not very_cold) + 2*(not cold) + warm + (not very_warm) + (not outside) >= 4,\n"
        "        2*cold + 2*(not warm) + (not very_cold) + very_warm >= 4,\n"
        "    ]"
    )


def test_names_that_are_no_names():
    n = lower(Net(3, [Negation(width=1)]), [np.array([[True, True, False]])], ["class", "2 x", "2_x"])
    assert program(n) == "def net(_class, _2_x, _2_x_2):\n    return [_class, _2_x, not _2_x_2]"
