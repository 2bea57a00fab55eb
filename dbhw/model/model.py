"""A trained net: its weights, the names of its features and classes, and where it comes from."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dbhw.base import files
from dbhw.data.dataset import check_bits
from dbhw.logic.network import Network
from dbhw.model import file
from dbhw.model.lower import lower
from dbhw.nn.bits import WordBits
from dbhw.nn.net import Net, labels


@dataclass(frozen=True)
class Model:
    """A net with its trained weights.

    >>> from dbhw.nn.layers.negation import Negation
    >>> net = Net(1, [Negation(width=2)])
    >>> model = Model(net, (np.array([[-0.4], [0.3]], np.float32),), features=("outside",), classes=("in", "out"))
    >>> model.predict(np.array([[0], [1]])).tolist()
    [0, 1]
    """

    net: Net
    soft_weights: tuple[np.ndarray | None, ...]
    features: tuple[str, ...]
    classes: tuple[str, ...]
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def weights(self) -> list[np.ndarray | None]:
        """The hardened weights: one bit each."""
        layers = zip(self.net.layers, self.soft_weights, strict=True)
        return [None if w is None else layer.harden(w) for layer, w in layers]

    def outputs(self, x: ArrayLike) -> np.ndarray:
        """The outputs of the hard net for bits (examples, inputs): booleans, or integers where it counts."""
        result = self.net.hard(self.weights, WordBits.pack(check_bits(x, self.net.inputs)))
        return result if isinstance(result, np.ndarray) else result.unpack()

    def scores(self, x: ArrayLike) -> np.ndarray:
        """The hard net's outputs as integers (examples, outputs)."""
        return self.outputs(x).astype(np.int64)

    def predict(self, x: ArrayLike) -> np.ndarray:
        """The predicted classes, as indices."""
        return labels(self.outputs(x))

    def to_network(self) -> Network:
        """The logic network of the net with its weights baked in."""
        return lower(self.net, self.weights, self.features)

    def blank(self) -> Model:
        """A model of the same shape whose weights are all low."""
        soft = tuple(None if w is None else np.full_like(w, -0.5) for w in self.soft_weights)
        return Model(self.net, soft, self.features, self.classes)

    def digest(self) -> str:
        """The SHA-256 of the hard net and its names of features and classes.

        The exact values of the soft weights and the provenance are no part of it.
        """
        names = json.dumps([self.net.to_json(), self.features, self.classes], sort_keys=True)
        return files.sha256(names.encode() + b"".join(np.packbits(w).tobytes() for w in self.weights if w is not None))

    def save(self, path: str | Path) -> None:
        """Writes the model file; an interrupted write leaves the old one."""
        files.write(path, self.to_bytes())

    def to_bytes(self) -> bytes:
        """The content of the model's file."""
        return file.to_bytes(file.Content(self.net, self.soft_weights, self.features, self.classes, self.provenance))


def load(path: str | Path) -> Model:
    """The model in a file; a `DbhwError` if it is missing, damaged, or of a newer format.

    >>> load("no.dbnet")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file no.dbnet must be readable: No such file or directory
    """
    content = file.from_bytes(path, files.read(path))
    return Model(content.net, content.soft_weights, content.features, content.classes, content.provenance)
