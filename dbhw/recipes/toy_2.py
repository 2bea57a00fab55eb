"""The paper's net for its toy problem 2: t-shirt or coat."""

from dbhw.data.sets import toy_2
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.net import Net
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Settings


def recipe(seed: int) -> Recipe:
    """Forty weights; most seeds learn all eight examples, but not every one.

    The temperature is low, so that only wrong answers move the weights. Of the first 24 seeds, by which these settings
    were chosen, 21 learned all examples; with the paper's RAdam at 0.01 and 600 epochs 7 did.

    >>> recipe(seed=0).net.weight_count
    40
    """
    net = Net(5, [Negation(width=8), Reshape(shape=(2, 20)), Majority(), Harden()])
    settings = Settings(epochs=300, optimiser="sgd", learning_rate=1.0, temperature=0.1, schedule="cosine", seed=seed)
    return Recipe(net, toy_2.load(), settings)
