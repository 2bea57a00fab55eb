"""The paper's net for binary Iris, with the paper's initial weights and its author's settings."""

from dbhw.datasets import binary_iris
from dbhw.initialisers import Constant
from dbhw.layers.bucket_any import BucketAny
from dbhw.layers.conjunction import Conjunction
from dbhw.layers.count_hot import CountHot
from dbhw.layers.dropout import Dropout
from dbhw.layers.harden import Harden
from dbhw.layers.with_negation import WithNegation
from dbhw.net import Net
from dbhw.recipes import Recipe
from dbhw.train import Settings


def recipe(seed: int) -> Recipe:
    """The 60 places of the count-hot vector are three buckets of 20, one per flower.

    >>> recipe(seed=0).net.weight_count // 8
    236
    """
    net = Net(
        16,
        [
            WithNegation(),
            Conjunction(width=59, init=Constant(0.3)),
            Dropout(p=0.05),
            CountHot(),
            BucketAny(buckets=3),
            Harden(),
        ],
    )
    return Recipe(net, binary_iris(seed), Settings(epochs=1000, batch_size=60, seed=seed))
