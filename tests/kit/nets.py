"""Small nets of every kind of layer, shared by many tests."""

import numpy as np

from dbhw.nn.layers.bucket_any import BucketAny
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.conjunction import Conjunction
from dbhw.nn.layers.count_hot import CountHot
from dbhw.nn.layers.disjunction import Disjunction
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.parity import Parity
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.layers.with_negation import WithNegation
from dbhw.nn.net import Net
from tests.kit import samples

NETS = [
    Net(
        8,
        [
            WithNegation(),
            Conjunction(width=9),
            Disjunction(width=9),
            Negation(width=3),
            Reshape(shape=(3, 9)),
            Majority(),
        ],
    ),
    Net(8, [Parity(width=7), CountHot(), BucketAny(buckets=4)]),
    Net(8, [Disjunction(width=6), Negation(width=4), BucketSum(buckets=4)]),
    Net(8, [Parity(width=20), Negation(width=1), Majority()]),
]


def the_model():
    """A net with counts in it, several tables deep."""
    return samples.random_model(NETS[3], np.random.default_rng(2))
