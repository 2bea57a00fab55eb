"""A model's weights as a message of bytes for loadable hardware, through its load port or the serial link.

| bytes            | what                                                                            |
|------------------|---------------------------------------------------------------------------------|
| `TAG_BYTES`      | the shape of the net: hardware of another shape refuses the message             |
| `IDENTITY_BYTES` | the model's SHA-256: a board reports which model it holds                       |
| the weights      | layer by layer, row by row, eight to a byte, the lowest bit first; zeros at the end |
| `CRC_BYTES`      | the CRC-32 of all of the above, the lowest byte first                           |
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from math import prod
from typing import TypedDict

import numpy as np

from dbhw.base import files
from dbhw.base.errors import DbhwError, one_of
from dbhw.base.names import default_names
from dbhw.logic.formats import text
from dbhw.logic.network import Network
from dbhw.model.lower import describe, lower
from dbhw.model.model import Model
from dbhw.nn.net import Net

KINDS = ["baked", "loadable"]
TAG_BYTES, IDENTITY_BYTES, CRC_BYTES = 4, 32, 4


class LayerWeights(TypedDict):
    """A layer's weights among all: the index of the first, and their shape."""

    layer: str
    first: int
    shape: list[int]


def check_kind(weights: str) -> None:
    """Refuses weights that are neither baked nor loadable.

    >>> check_kind("loadable")
    """
    if weights not in KINDS:
        raise one_of("weights", weights, KINDS)


def check_loadable(net: Net) -> None:
    """Refuses a net that has nothing to load.

    >>> check_loadable(Net(2, []))
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: net must have weights to be loadable, but it has none
    """
    if not net.weight_count:
        raise DbhwError("net must have weights to be loadable, but it has none")


@lru_cache(maxsize=1)  # Emitting, sending and proving one net all start from it.
def symbolic(net: Net) -> Network:
    """The network of a net for all weights: its inputs are those of the net, and then the weights.

    >>> from dbhw.nn.layers.negation import Negation
    >>> symbolic(Net(1, [Negation(width=2)])).input_names
    ['x0', 'w1', 'w2']
    """
    return lower(net, None, default_names("x", net.inputs))


def shape_tag(net: Net) -> bytes:
    """Four bytes that identify a net as a function of its inputs and its weights.

    They are a digest of the logic network, so they change if a layer's meaning ever does. Names of features and
    classes, initial weights and dropout probabilities are no part of it.

    >>> from dbhw.nn.layers.negation import Negation
    >>> shape_tag(Net(3, [Negation(width=2)])) == shape_tag(Net(3, [Negation(width=4)]))
    False
    """
    return bytes.fromhex(files.sha256(text.write(symbolic(net))))[:TAG_BYTES]


def encode(model: Model) -> bytes:
    """The message that loads a model into hardware of its shape.

    >>> from dbhw.nn.layers.negation import Negation
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> len(encode(model)), encode(model)[-5]
    (41, 2)
    """
    check_loadable(model.net)
    packed = np.packbits(bits(model), bitorder="little").tobytes()
    body = shape_tag(model.net) + bytes.fromhex(model.digest()) + packed
    return body + zlib.crc32(body).to_bytes(CRC_BYTES, "little")


def digest(sent: bytes) -> str:
    """The digest that the hardware reports of its weights: the CRC-32 at the end of a message, in hex.

    >>> digest(bytes([1, 2, 3, 4]))
    '04030201'
    """
    return sent[-CRC_BYTES:][::-1].hex()


def bits(model: Model) -> np.ndarray:
    """All weights of a model in one vector, in the order of the hardware.

    >>> from dbhw.nn.layers.negation import Negation
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> bits(model).tolist()
    [False, True]
    """
    return np.concatenate([w.ravel() for w in model.weights if w is not None])


def layout(net: Net) -> list[LayerWeights]:
    """The place of each layer's weights in that vector: the index of the first, and their shape.

    >>> from dbhw.nn.layers.negation import Negation
    >>> layout(Net(3, [Negation(width=2)]))
    [{'layer': 'negation 3 -> 2x3', 'first': 0, 'shape': [2, 3]}]
    """
    found: list[LayerWeights] = []
    first = 0
    for layer, inputs, shape in zip(net.layers, net.input_shapes(), net.weight_shapes(), strict=True):
        if shape is not None:
            found.append(LayerWeights(layer=describe(layer, inputs), first=first, shape=list(shape)))
            first += prod(shape)
    return found
