"""A net that votes for binary Iris: 60 conjunctions, each for or against each flower; with teacher and polish."""

from dbhw import recipes
from dbhw.data.sets import binary_iris
from dbhw.nn.initialisers import Bernoulli
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.conjunction import Conjunction
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.with_negation import WithNegation
from dbhw.nn.net import Net
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Settings


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
    return Recipe(net, binary_iris.load(seed), settings, restarts=2, teacher=recipes.find("binary-iris"), polish=2)
