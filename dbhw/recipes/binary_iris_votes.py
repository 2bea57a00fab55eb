"""A net that votes for binary Iris: 60 conjunctions, for or against each flower; taught by the paper's, polished."""

from dbhw.datasets import binary_iris
from dbhw.initialisers import Bernoulli
from dbhw.layers.bucket_sum import BucketSum
from dbhw.layers.conjunction import Conjunction
from dbhw.layers.harden import Harden
from dbhw.layers.negation import Negation
from dbhw.layers.with_negation import WithNegation
from dbhw.net import Net
from dbhw.recipes import Recipe
from dbhw.train import Settings


def recipe(seed: int) -> Recipe:
    """The paper's net finds a rule that some flowers break; this one learns those too, and keeps to the rule elsewhere.

    >>> recipe(seed=0).net.weight_count
    2280
    """
    net = Net(
        16,
        [
            WithNegation(),
            Conjunction(width=60, init=Bernoulli(0.06, high=0.501, low=0.3)),
            Negation(width=6),
            Harden(),
            BucketSum(buckets=3),
        ],
    )
    settings = Settings(epochs=300, temperature=8.0, seed=seed)
    return Recipe(net, binary_iris(seed), settings, restarts=2, teacher="binary-iris", polish=2)
