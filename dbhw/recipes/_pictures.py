"""What the recipes for pictures of grey pixels have in common."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dbhw.data.dataset import Split
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layer import Layer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.layers.shift import Shift
from dbhw.nn.layers.warp import Warp
from dbhw.nn.layers.wires import Wires
from dbhw.nn.net import Net
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Settings

_SIDE, _FAN_IN, _CLASSES = 28, 6, 10
_GROUPS = 60  # of wires in wide nets: every class has six, so that the runs of its wires cover nearly all pixels
HALF = (128,)  # a pixel that is at least that has its highest bit set: this comparison costs nothing
QUARTERS = (64, 128, 192)
SIXTEENTHS = tuple(range(16, 256, 16))


def tables(data: Split, votes: int, epochs: int, seed: int) -> Recipe:
    """One layer of six-input tables over learned wires, so many votes a class; pictures move by up to a pixel.

    A pixel is one bit, or has eight, of which the highest is read.

    >>> from dbhw.data.sets import mnist_grey
    >>> tables(mnist_grey.load(), votes=37, epochs=30, seed=0).net.output_shape
    (10,)
    """
    encode = [_encode(HALF)] if data.train.columns else []
    wires = Connect(width=_CLASSES * votes * _FAN_IN)
    net = _net([*encode, Shift(rows=_SIDE, columns=_SIDE, by=1), wires])
    return Recipe(net, data, _settings(votes, epochs, seed), compact=True)


@dataclass(frozen=True)
class Distortion:
    """How pictures are distorted while training, see the layer `warp`."""

    stretch: float = 0.0
    bend: float = 0.0
    flip: bool = False


@dataclass(frozen=True)
class Learning:
    """What was found by trials for a data set; the defaults are those for digits.

    `pool` is how many bits a wire chooses from, and `warmth` a factor of the temperature. Pictures that are hard to
    tell apart want a higher one: the loss is then not content with few votes more than the next class has.
    """

    pool: int = 392
    warmth: float = 1.0
    rate: float = 0.005


_FOR_DIGITS = Learning()
FOR_CLOTHES = Learning(pool=784, warmth=2.0, rate=0.01)


def wide_tables(
    data: Split,
    votes: int,
    epochs: int,
    seed: int,
    thresholds: tuple[int, ...],
    distortion: Distortion,
    learning: Learning = _FOR_DIGITS,
) -> Recipe:
    """The same for many votes and several bits a pixel: wires choose from some of the bits, dealt at random.

    >>> from dbhw.data.sets import mnist_grey
    >>> made = wide_tables(mnist_grey.load(), 400, 30, 0, QUARTERS, Distortion())
    >>> made.net.weight_shapes()[3]
    (24000, 392)
    """
    depth, ways = len(thresholds), distortion
    warp = Warp(_SIDE, _SIDE, depth, shift=1.0, stretch=ways.stretch, bend=ways.bend, flip=ways.flip)
    bits, pool = _SIDE * _SIDE * depth, learning.pool
    dealt = [sorted(np.random.default_rng(group).permutation(bits)[:pool].tolist()) for group in range(_GROUPS)]
    deal = Wires(tuple(place for run in dealt for place in run))
    connect = Connect(width=_CLASSES * votes * _FAN_IN, groups=_GROUPS)
    settings = replace(_settings(votes, epochs, seed), learning_rate=learning.rate, wires_by_row=True)
    settings = replace(settings, temperature=settings.temperature * learning.warmth)
    return Recipe(_net([_encode(thresholds), warp, deal, connect]), data, settings, compact=True)


def _encode(thresholds: tuple[int, ...]) -> Encode:
    return Encode((Thermometer(8, False, thresholds),) * (_SIDE * _SIDE))


def _net(before: list[Layer]) -> Net:
    """The layers before the tables, the tables, and the counts of their votes."""
    inputs = _SIDE * _SIDE * (8 if before[0].encodes else 1)
    return Net(inputs, [*before, Lookup(fan_in=_FAN_IN), BucketSum(buckets=_CLASSES)])


def _settings(votes: int, epochs: int, seed: int) -> Settings:
    """The temperature grows with the votes of a class: 3.33 for 100 of them, to the power 0.57."""
    return Settings(
        epochs=epochs,
        batch_size=128,
        learning_rate=0.005,
        optimiser="adam",
        temperature=3.33 * (votes / 100) ** 0.57,
        schedule="cosine",
        seed=seed,
    )
