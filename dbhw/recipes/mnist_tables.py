"""Learned look-up tables for MNIST: 500 tables of six pixels each, 50 votes a digit."""

from dbhw.data.sets import mnist
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.layers.shift import Shift
from dbhw.nn.net import Net
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Settings

_TABLES, _FAN_IN, _DIGITS = 500, 6, 10


def recipe(seed: int) -> Recipe:
    """One layer of tables over learned wires; pictures move by up to a pixel while training.

    The temperature grows with the votes of a digit: 3.33 for 100 of them, to the power 0.57.

    >>> recipe(seed=0).net.output_shape
    (10,)
    """
    net = Net(
        784,
        [
            Shift(rows=28, columns=28, by=1),
            Connect(width=_TABLES * _FAN_IN),
            Lookup(fan_in=_FAN_IN),
            BucketSum(buckets=_DIGITS),
        ],
    )
    settings = Settings(
        epochs=30,
        batch_size=128,
        learning_rate=0.005,
        optimiser="adam",
        temperature=3.33 * (_TABLES / _DIGITS / 100) ** 0.57,
        schedule="cosine",
        seed=seed,
    )
    return Recipe(net, mnist.load(), settings)
