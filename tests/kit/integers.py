"""A small model of integers under names that hardware cannot take, shared by tests of ports, links and boards."""

from dataclasses import replace

import numpy as np

from dbhw.data.tables.column import Column, pins
from dbhw.nn.encoders.binary import Binary
from dbhw.nn.encoders.one_hot import OneHot
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.parity import Parity
from dbhw.nn.net import Net
from tests.kit import samples

COLUMNS = (
    Column("petal length (cm)", "real", 4, scale=0.1, offset=1.0),
    Column("petal-length-(cm)", "integer", 4, signed=True),
    Column("reg", "category", 2, categories=("blue", "red", "green")),
    Column("clk", "bit", 1),
)
ENCODERS = (
    Thermometer(4, False, (3, 8, 12)),
    Thermometer(4, True, (-5, 0, 4)),
    OneHot(2, False, categories=3),
    Binary(1, False),
)
NET = Net(11, [Encode(ENCODERS), Parity(width=6), Negation(width=4), BucketSum(buckets=4)])
PORTS = ["petal_length_cm", "petal_length_cm_2", "reg_in", "clk_in"]


def integer_model(seed=0, net=NET):
    """A model of eleven bits in four columns, with four named classes."""
    model = samples.random_model(net, np.random.default_rng(seed))
    classes = ("setosa", "Iris-setosa", "iris setosa", "7")
    return replace(model, features=pins(COLUMNS), columns=COLUMNS, classes=classes)


def table(random, rows):
    """Rows as a user has them: numbers and words, some of them out of range."""
    length = random.integers(0, 30, rows) / 10
    return np.array(
        [
            *zip(
                length.tolist(),
                random.integers(-9, 9, rows).tolist(),
                random.choice(COLUMNS[2].categories, rows).tolist(),
                random.integers(0, 2, rows).tolist(),
                strict=True,
            )
        ],
        object,
    )
