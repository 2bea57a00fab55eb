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
    """Forty weights; about five seeds in six learn all eight examples.

    The steps are long and the temperature is low, so that only what is still wrong pulls at the weights. With the
    paper's RAdam fewer seeds do: the weights of one feature move together, past the coefficients in between.

    >>> recipe(seed=0).net.weight_count
    40
    """
    net = Net(5, [Negation(width=8), Reshape(shape=(2, 20)), Majority(), Harden()])
    settings = Settings(epochs=300, optimiser="sgd", learning_rate=1.0, temperature=0.1, schedule="cosine", seed=seed)
    return Recipe(net, toy_2(), settings)
