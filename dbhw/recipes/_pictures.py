"""What the recipes for pictures of grey pixels have in common."""

from __future__ import annotations

from dbhw.data.dataset import Split
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.layers.shift import Shift
from dbhw.nn.net import Net
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Settings

_SIDE, _FAN_IN, _CLASSES = 28, 6, 10
_HALF = 128  # a pixel that is at least that has its highest bit set: this comparison costs nothing


def tables(data: Split, votes: int, epochs: int, seed: int, thresholds: tuple[int, ...] = (_HALF,)) -> Recipe:
    """One layer of six-input tables over learned wires, so many votes a class; pictures move by up to a pixel.

    The temperature grows with the votes of a class: 3.33 for 100 of them, to the power 0.57.

    >>> from dbhw.data.sets import mnist_grey
    >>> tables(mnist_grey.load(), votes=37, epochs=30, seed=0).net.output_shape
    (10,)
    """
    encoders = [Thermometer(8, False, thresholds)] * _SIDE * _SIDE
    net = Net(
        8 * _SIDE * _SIDE,
        [
            Encode(tuple(encoders)),
            Shift(rows=_SIDE, columns=_SIDE, by=1, depth=len(thresholds)),
            Connect(width=_CLASSES * votes * _FAN_IN),
            Lookup(fan_in=_FAN_IN),
            BucketSum(buckets=_CLASSES),
        ],
    )
    settings = Settings(
        epochs=epochs,
        batch_size=128,
        learning_rate=0.005,
        optimiser="adam",
        temperature=3.33 * (votes / 100) ** 0.57,
        schedule="cosine",
        seed=seed,
    )
    return Recipe(net, data, settings, compact=True)
