"""The paper's net for its toy problem 1: t-shirt or coat."""

from dbhw.datasets import toy_1
from dbhw.layers.harden import Harden
from dbhw.layers.majority import Majority
from dbhw.layers.negation import Negation
from dbhw.layers.reshape import Reshape
from dbhw.net import Net
from dbhw.recipes import Recipe
from dbhw.train import Settings


def recipe(seed: int) -> Recipe:
    """Two weights, one for each class.

    >>> recipe(seed=0).net.weight_count
    2
    """
    net = Net(1, [Negation(width=2), Reshape(shape=(2, 1)), Majority(), Harden()])
    return Recipe(net, toy_1(), Settings(epochs=100, seed=seed))
