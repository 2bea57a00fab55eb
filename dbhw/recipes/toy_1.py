"""The paper's net for its toy problem 1: t-shirt or coat."""

from dbhw.data.sets import toy_1
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.net import Net
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Settings


def recipe(seed: int) -> Recipe:
    """Two weights, one for each class.

    >>> recipe(seed=0).net.weight_count
    2
    """
    net = Net(1, [Negation(width=2), Reshape(shape=(2, 1)), Majority(), Harden()])
    return Recipe(net, toy_1.load(), Settings(epochs=100, seed=seed))
