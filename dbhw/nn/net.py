"""A net: a list of layers over a vector of input bits, with its soft and its hard meaning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.data.dataset import Data
from dbhw.nn import layers as registry
from dbhw.nn.bits import AnyBits
from dbhw.nn.layer import Layer, Shape
from dbhw.nn.lazy import Array, jax


@dataclass(frozen=True)
class Net:
    """Layers applied one after another to `inputs` bits.

    The last layer gives either one bit (the class is the bit), a vector of bits, or a vector of integer scores (the
    class is the index of the largest, the lowest index on ties).

    >>> from dbhw.nn.layers.conjunction import Conjunction
    >>> from dbhw.nn.layers.majority import Majority
    >>> net = Net(12, [Conjunction(width=5), Majority()])
    >>> net.weight_count, net.output_shape
    (60, ())
    """

    inputs: int
    layers: tuple[Layer, ...]

    def __init__(self, inputs: int, layers: Iterable[Layer]) -> None:
        whole("net inputs", inputs, 1)
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(self, "layers", tuple(layers))
        for layer, shape in zip(self.layers, self.input_shapes(), strict=True):
            layer.output_shape(shape)
        for layer in self.layers[:-1]:
            if layer.integer_output:
                raise DbhwError(f"{layer.name()} must be the last layer: the others take bits, not integers")

    def encoded(self) -> tuple[Net | None, Net]:
        """The net of the layer that encodes integers, if the net begins with one, and the net of the other layers.

        >>> from dbhw.nn.encoders.binary import Binary
        >>> from dbhw.nn.layers.encode import Encode
        >>> first, rest = Net(3, [Encode((Binary(3, True),))]).encoded()
        >>> len(first.layers), rest.inputs, rest.layers
        (1, 3, ())
        """
        if not self.layers or not self.layers[0].encodes:
            return None, self
        first = Net(self.inputs, self.layers[:1])
        return first, Net(prod(first.output_shape), self.layers[1:])

    def input_shapes(self) -> list[Shape]:
        """The shape that each layer gets."""
        shapes: list[Shape] = [(self.inputs,)]
        for layer in self.layers[:-1]:
            shapes.append(layer.output_shape(shapes[-1]))
        return shapes[: len(self.layers)]

    @property
    def output_shape(self) -> Shape:
        return self.layers[-1].output_shape(self.input_shapes()[-1]) if self.layers else (self.inputs,)

    @property
    def integer_scores(self) -> bool:
        return bool(self.layers) and self.layers[-1].integer_output

    @property
    def classes(self) -> int:
        """How many classes the net has; a single output bit stands for two."""
        outputs = prod(self.output_shape)
        return 2 if outputs == 1 and not self.integer_scores else outputs

    @property
    def ports(self) -> dict[str, int]:
        """The names and widths of the net's outputs; empty for a net of classes, which has `label` and its scores."""
        return self.layers[-1].ports() if self.layers else {}

    def unnamed(self) -> Net:
        """The net as one of classes, whose outputs have no names.

        >>> Net(2, []).unnamed().ports
        {}
        """
        return Net(self.inputs, [*self.layers[:-1], self.layers[-1].unnamed()]) if self.ports else self

    def weight_shapes(self) -> list[Shape | None]:
        return [layer.weight_shape(shape) for layer, shape in zip(self.layers, self.input_shapes(), strict=True)]

    @property
    def weight_count(self) -> int:
        return sum(prod(shape) for shape in self.weight_shapes() if shape is not None)

    def init(self, key: Array) -> list[Array | None]:
        """Fresh soft weights, one entry per layer, None where a layer has none."""
        keys = jax.random.split(key, max(len(self.layers), 1))
        return [
            layer.fresh_weights(k, shape)
            for layer, shape, k in zip(self.layers, self.input_shapes(), keys, strict=False)
        ]

    def soft(self, weights: Sequence[Array | None], x: Array, key: Array | None = None) -> Array:
        """The soft net on margins (examples, inputs): margins or scores (examples, outputs)."""
        many = max(len(self.layers), 1)
        keys = [None] * many if key is None else jax.random.split(key, many)
        from dbhw.nn import fusion  # imports JAX, which the hard net does not need

        out = fusion.soft(self.layers, weights, x, keys)
        return out.reshape(out.shape[0], -1)

    def hard(self, weights: Sequence[np.ndarray | AnyBits | None], x: AnyBits) -> AnyBits | np.ndarray:
        """The hard net on bits of any kind: bits, or integers where the last layer counts.

        Weights are NumPy booleans, or bits of the kind of `x` where they are inputs themselves.
        """
        value: Any = x
        for layer, w in zip(self.layers, weights, strict=True):
            value = layer.hard(x.constant(w) if isinstance(w, np.ndarray) else w, value)
        outputs = prod(self.output_shape)
        return value.reshape(len(value), outputs) if isinstance(value, np.ndarray) else value.reshape(outputs)

    def check_data(self, data: Data) -> None:
        """Refuses data that the net cannot take."""
        if data.x.shape[1] != self.inputs:
            raise DbhwError(f"data {data.name} must have {self.inputs} features for this net, not {data.x.shape[1]}")
        if len(data.classes) > self.classes:
            raise DbhwError(
                f"data {data.name} must have at most the net's {self.classes} classes, not {len(data.classes)}"
            )

    def to_json(self) -> dict[str, object]:
        return {"inputs": self.inputs, "layers": [layer.to_json() for layer in self.layers]}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Net:
        return cls(data["inputs"], [registry.from_json(layer) for layer in data["layers"]])


def labels(outputs: np.ndarray) -> np.ndarray:
    """The predicted class of hard outputs (examples, outputs), booleans or integers.

    >>> labels(np.array([[True], [False]])).tolist(), labels(np.array([[3, 7, 7]])).tolist()
    ([1, 0], [1])
    """
    if outputs.shape[1] == 1 and outputs.dtype == bool:
        return outputs[:, 0].astype(np.int64)
    return np.argmax(outputs, axis=1)
