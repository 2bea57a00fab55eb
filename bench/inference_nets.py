"""The nets and images of `bench.inference`."""

from __future__ import annotations

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.base.names import default_names
from dbhw.data.dataset import Data, Split
from dbhw.data.sets import mnist_grey
from dbhw.model.model import Model
from dbhw.nn.encoders import AT_LEAST, Condition
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.layers.wires import Wires
from dbhw.nn.net import Net

_WIDTH = 8  # the bits of a pixel
_BRIGHT = Condition(AT_LEAST, 128)  # where the highest of them is high


def tables_net(tables: int = 500, seed: int = 0) -> Model:
    """A random net of the shape that the recipes mnist-bits have once its wires are fixed.

    >>> tables_net(10).net.output_shape
    (10,)
    """
    random = np.random.default_rng(seed)
    wires = Wires(tuple(random.integers(0, 784, tables * 6).tolist()))
    return random_model(Net(784, [wires, Lookup(fan_in=6), BucketSum(buckets=10)]), seed)


def random_model(net: Net, seed: int = 0) -> Model:
    """A net with random weights.

    >>> random_model(Net(2, [])).classes
    ('class0', 'class1')
    """
    random = np.random.default_rng(seed)
    soft = [None if s is None else random.choice(np.array([-0.5, 0.5], np.float32), s) for s in net.weight_shapes()]
    return Model(net, tuple(soft), default_names("x", net.inputs), default_names("class", net.classes))


def bright(model: Model) -> Model:
    """A net that asks of grey pixels only whether they are bright, as a net of one bit for each pixel.

    >>> from dbhw import zoo
    >>> bright(zoo.load("mnist-small")).net.inputs
    784
    """
    encode, *layers = model.net.layers
    if not isinstance(encode, Encode):
        raise DbhwError("a net of grey pixels must begin with an encoder")
    asked = [(pixel, question) for pixel, encoder in enumerate(encode.encoders) for question in encoder.conditions()]
    if any(question != _BRIGHT for _, question in asked):
        raise DbhwError(f"pixels must be compared with {_BRIGHT.number} only")
    inputs = len(encode.encoders)
    net = Net(inputs, [Wires(tuple(pixel for pixel, _ in asked)), *layers])
    return Model(net, model.soft_weights, default_names("x", inputs), model.classes)


def bright_images() -> Split:
    """The images of MNIST, of pixels that are bright or not.

    >>> bright_images().test.x.shape
    (10000, 784)
    """
    grey = mnist_grey.load()
    train, test = (
        Data.of(part.x[:, _WIDTH - 1 :: _WIDTH], part.y, name=part.name, classes=part.classes)
        for part in (grey.train, grey.test)
    )
    return Split(train, test)
