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
    """Forty weights, trained until the rate has fallen to nothing; two seeds in three learn all eight examples.

    The paper's RAdam does as well for fewer seeds: weights of one feature move together under it, and skip the
    coefficients in between.

    >>> recipe(seed=0).net.weight_count
    40
    """
    net = Net(5, [Negation(width=8), Reshape(shape=(2, 20)), Majority(), Harden()])
    settings = Settings(epochs=300, optimiser="sgd", learning_rate=0.3, temperature=0.3, schedule="cosine", seed=seed)
    return Recipe(net, toy_2(), settings)
