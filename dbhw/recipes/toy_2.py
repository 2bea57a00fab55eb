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
    """Forty weights; most seeds learn all eight examples, but not every one.

    The temperature is low, so that only what is still wrong pulls at the weights. Of the first 24 seeds, by which
    these settings were chosen, 21 got there; with the paper's RAdam at 0.01 and 600 epochs it was 7.

    >>> recipe(seed=0).net.weight_count
    40
    """
    net = Net(5, [Negation(width=8), Reshape(shape=(2, 20)), Majority(), Harden()])
    settings = Settings(epochs=300, optimiser="sgd", learning_rate=1.0, temperature=0.1, schedule="cosine", seed=seed)
    return Recipe(net, toy_2(), settings)
