"""The base of all layers: a soft and a hard meaning of one function, and the shapes of its weights and outputs."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from math import prod
from typing import Any, ClassVar

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.nn import encoders, initialisers
from dbhw.nn.bits import AnyBits, harden
from dbhw.nn.initialisers import Initialiser
from dbhw.nn.lazy import Array

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Layer:
    """The base of every layer; a file in `dbhw/nn/layers` holds one subclass, named like the file.

    Shapes are those of one example; `soft` and `hard` get a batch axis in front of it.

    >>> from dbhw.nn.layers.count import Count
    >>> Count(k=2).to_json()
    {'layer': 'count', 'k': 2}
    """

    symbol: ClassVar[str]
    gradient_rich: ClassVar[bool] = False
    integer_output: ClassVar[bool] = False
    selects: ClassVar[bool] = False  # a low weight leaves its input out
    random: ClassVar[bool] = False  # draws from the random key of a training step
    encodes: ClassVar[bool] = False  # turns integers into bits, without weights: training does so once, ahead
    costly: ClassVar[bool] = False  # the gradient of its weights is most of a step's work; see `at_rest`
    bounded: ClassVar[bool] = True  # soft weights are kept between the margins -1/2 and 1/2

    def output_shape(self, inputs: Shape) -> Shape:
        """The shape that comes out, or a `DbhwError` where the layer cannot take such inputs."""
        raise NotImplementedError

    def weight_shape(self, inputs: Shape) -> Shape | None:
        """The shape of the weights; None for a layer without any."""
        return None

    def fresh_weights(self, key: Array, inputs: Shape) -> Array | None:
        """Initial soft weights; None for a layer without any."""
        return None

    def ports(self) -> dict[str, int]:
        """The names and widths of the outputs of a net that ends in the layer; if empty, `label` and `bits`."""
        return {}

    def unnamed(self) -> Layer:
        """The layer without names for its outputs."""
        return self

    def harden(self, weights: np.ndarray) -> np.ndarray:
        """The hard weights, one bit each: by default those whose margins are high."""
        return harden(weights)

    def at_rest(self, weights: Array) -> Array:
        """What `soft` takes instead of the weights in a step in which they do not learn, if that costs less."""
        return weights

    def soft(self, weights: Any, x: Array, key: Array | None = None) -> Array:
        """The differentiable meaning, on margins; `key` is the random key of a training step, else None.

        Weights are an array, or None for a layer without any; a layer says which.
        """
        raise NotImplementedError

    def hard(self, weights: Any, x: AnyBits) -> Any:
        """The discrete meaning: from bits of any kind to bits of that kind, or integers if `integer_output` is set."""
        raise NotImplementedError

    def to_json(self) -> dict[str, object]:
        """The layer as plain data: its file's name and its fields."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        values = {f.name: values[f.name] for f in fields(self) if not (f.metadata and values[f.name] == f.default)}
        if "init" in values:
            values["init"] = initialisers.to_json(values["init"])
        if "encoders" in values:
            values["encoders"] = encoders.all_to_json(values["encoders"])
        if "of" in values:
            values["of"] = values["of"].to_json()
        return {"layer": self.name(), **{n: list(v) if isinstance(v, tuple) else v for n, v in values.items()}}

    @classmethod
    def name(cls) -> str:
        """The name of the file that holds the layer.

        >>> from dbhw.nn.layers.count_hot import CountHot
        >>> CountHot.name()
        'count_hot'
        """
        return cls.__module__.rpartition(".")[2]


@dataclass(frozen=True)
class WeightedLayer(Layer):
    """A layer of `width` rows of weights, one for each element of an input vector.

    >>> from dbhw.nn.layers.negation import Negation
    >>> Negation(width=8).weight_shape((5,))
    (8, 5)
    """

    width: int
    init: Initialiser

    def __post_init__(self) -> None:
        whole(f"{self.name()} width", self.width, 1)

    def weight_shape(self, inputs: Shape) -> Shape:
        return (self.width, vector_length(self, inputs))

    def fresh_weights(self, key: Array, inputs: Shape) -> Array:
        return self.init.sample(key, self.weight_shape(inputs))


@dataclass(frozen=True)
class WrappingLayer(Layer):
    """A layer that applies another one, `of`, in its own way; the weights are those of the other one.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.layers.skip import Skip
    >>> Skip(of=Negation(width=1)).to_json()["of"]["layer"]
    'negation'
    """

    of: Layer

    def __post_init__(self) -> None:
        if not isinstance(self.of, Layer):
            raise DbhwError(f"{self.name()} must be of a layer, not {self.of!r:.60}")
        if self.of.random or self.of.encodes or self.of.integer_output:
            raise DbhwError(f"{self.name()} must be of a layer of bits that is not random, not {self.of.name()}")
        for trait in ("selects", "costly", "bounded"):
            object.__setattr__(self, trait, getattr(self.of, trait))

    def inner_shape(self, inputs: Shape) -> Shape:
        """The shape that the other layer gets, or a `DbhwError`."""
        raise NotImplementedError

    def weight_shape(self, inputs: Shape) -> Shape | None:
        return self.of.weight_shape(self.inner_shape(inputs))

    def fresh_weights(self, key: Array, inputs: Shape) -> Array | None:
        return self.of.fresh_weights(key, self.inner_shape(inputs))

    def harden(self, weights: np.ndarray) -> np.ndarray:
        return self.of.harden(weights)

    def at_rest(self, weights: Array) -> Array:
        return self.of.at_rest(weights)


def added(default: Any) -> Any:
    """A field that model files of older versions lack: it is written only if its value is not the default.

    >>> from dbhw.nn.layers.lookup import Lookup
    >>> "gradient" in Lookup(fan_in=6).to_json()
    False
    """
    return field(default=default, metadata={"added": True})


def vector_length(layer: Layer, inputs: Shape) -> int:
    """The length of a vector input, for layers that take nothing else.

    >>> from dbhw.nn.layers.conjunction import Conjunction
    >>> vector_length(Conjunction(width=2), (5,))
    5
    """
    if len(inputs) != 1:
        raise DbhwError(f"{layer.name()} must get a vector, not shape {list(inputs)}; put a reshape before it")
    return inputs[0]


def equal_parts(layer: Layer, parts: int, inputs: Shape) -> Shape:
    """The shape of one output for each part, for layers that split all bits into equal parts.

    >>> from dbhw.nn.layers.bucket_any import BucketAny
    >>> equal_parts(BucketAny(buckets=3), 3, (2, 6))
    (3,)
    """
    if prod(inputs) % parts:
        raise DbhwError(f"{layer.name()} of {parts} buckets must get a multiple of {parts} bits, not {prod(inputs)}")
    return (parts,)


def last_axis(layer: Layer, inputs: Shape) -> int:
    """The length of the last axis, for layers that reduce it.

    >>> from dbhw.nn.layers.majority import Majority
    >>> last_axis(Majority(), (2, 5))
    5
    """
    if not inputs:
        raise DbhwError(f"{layer.name()} must get at least one axis, not a single bit")
    return inputs[-1]
