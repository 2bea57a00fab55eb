"""A smaller net of the paper's kind for noisy XOR, charged for what it selects: it mostly finds x0 xor x1 alone."""

from dbhw.datasets import noisy_xor
from dbhw.layers.conjunction import Conjunction
from dbhw.layers.disjunction import Disjunction
from dbhw.layers.majority import Majority
from dbhw.layers.negation import Negation
from dbhw.layers.reshape import Reshape
from dbhw.layers.with_negation import WithNegation
from dbhw.net import Net
from dbhw.recipes import Recipe
from dbhw.train import Settings


def recipe(seed: int) -> Recipe:
    """What fits the noise is worth less than its charge, and goes. One start in four gets stuck, so there are four.

    >>> recipe(seed=0).net.weight_count
    704
    """
    net = Net(
        12,
        [
            WithNegation(),
            Conjunction(width=16),
            Disjunction(width=16),
            Negation(width=4),
            Reshape(shape=(1, 64)),
            Majority(),
            WithNegation(),
        ],
    )
    settings = Settings(epochs=150, batch_size=500, dense_epochs=80, sparsity=1.5e-4, seed=seed)
    return Recipe(net, noisy_xor(seed), settings, restarts=4, tolerance=0.01)
