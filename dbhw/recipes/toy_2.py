"""The paper's net for its toy problem 2: t-shirt or coat."""

from dbhw.datasets import toy_2
from dbhw.layers.harden import Harden
from dbhw.layers.majority import Majority
from dbhw.layers.negation import Negation
from dbhw.layers.reshape import Reshape
from dbhw.net import Net
from dbhw.recipes import Recipe
from dbhw.train import Settings


def recipe(seed: int) -> Recipe:
    """TODO.

    >>> recipe(seed=0).net.weight_count
    40
    """
    net = Net(5, [Negation(width=8), Reshape(shape=(2, 20)), Majority(), Harden()])
    return Recipe(net, toy_2(), Settings(epochs=1000, seed=seed))
