"""The paper's net for binary Iris, with the paper's initial weights and its author's settings."""

from dbhw.data.sets import binary_iris
from dbhw.nn.initialisers import Constant
from dbhw.nn.layers.bucket_any import BucketAny
from dbhw.nn.layers.conjunction import Conjunction
from dbhw.nn.layers.count_hot import CountHot
from dbhw.nn.layers.dropout import Dropout
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.with_negation import WithNegation
from dbhw.nn.net import Net
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Settings


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
    return Recipe(net, binary_iris.load(seed), Settings(epochs=1000, batch_size=60, seed=seed))
