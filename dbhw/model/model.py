"""A trained net: its weights, the names of its features and classes, and where it comes from."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dbhw.base import files, records, terminal
from dbhw.base.errors import DbhwError
from dbhw.data.dataset import check_bits
from dbhw.data.tables.column import Column, to_bits
from dbhw.logic.network import Network
from dbhw.model import file
from dbhw.model.engines import Answers, Hard
from dbhw.model.lower import lower
from dbhw.nn.net import Net
from dbhw.software.packed import Packed

_BYTE = ("integer", 8, False, 1.0, 0.0)  # a column whose numbers are bytes as they are


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
    columns: tuple[Column, ...] = ()  # the integers that the input bits are, side by side; empty if they are just bits

    @cached_property
    def weights(self) -> list[np.ndarray | None]:
        """The hardened weights: one bit each."""
        layers = zip(self.net.layers, self.soft_weights, strict=True)
        return [None if w is None else layer.harden(w) for layer, w in layers]

    @terminal.working("running the hard net")
    def answers(self, x: ArrayLike | Packed, *, engine: str = "auto", threads: int = 1) -> Answers:
        """The predicted classes, the outputs of the hard net, and which engine gave them: numpy or c.

        `x` is input bits (examples, inputs), which may be `Packed`, or for a model of integers the user's numbers
        (examples, columns). It may be a memory map.

        >>> model = Model(Net(2, []), (), ("a", "b"), ("c", "d"))
        >>> model.answers([[0, 1]], engine="numpy")
        Answers(labels=array([1]), outputs=array([[False,  True]]), engine='numpy')
        """
        return self._hard.answers(self._inputs(x), engine=engine, threads=threads)

    def outputs(self, x: ArrayLike | Packed, *, engine: str = "auto", threads: int = 1) -> np.ndarray:
        """The outputs of the hard net (examples, outputs): booleans, or integers where it counts. `x` as above."""
        return self._hard.answers(self._inputs(x), engine=engine, threads=threads, labels_wanted=False).outputs

    def scores(self, x: ArrayLike | Packed, *, engine: str = "auto", threads: int = 1) -> np.ndarray:
        """The hard net's outputs as integers (examples, outputs)."""
        return self.outputs(x, engine=engine, threads=threads).astype(np.int64, copy=False)

    def predict(self, x: ArrayLike | Packed, *, engine: str = "auto", threads: int = 1) -> np.ndarray:
        """The predicted classes, as indices."""
        return self._hard.answers(self._inputs(x), engine=engine, threads=threads, outputs_wanted=False).labels

    def engine_for(self, examples: int) -> str:
        """The engine that answers so many examples soonest, also if they come in several calls.

        >>> Model(Net(2, []), (), ("a", "b"), ("c", "d")).engine_for(64)
        'numpy'
        """
        return self._hard.engine_for(examples)

    @cached_property
    def _hard(self) -> Hard:
        return Hard(self.net, self.weights)

    def _inputs(self, x: ArrayLike | Packed) -> np.ndarray | Packed:
        """Input bits as the engines take them. Those that are bytes already are not copied."""
        if isinstance(x, Packed):
            x.check(self.net.inputs)
            return x
        x = np.asarray(x)
        if not self.columns:
            fits = x.ndim == 2 and x.shape[1] == self.net.inputs
            return x if fits else check_bits(x, self.net.inputs)  # values are checked part by part, where they are read
        plain = x.dtype == np.uint8 and x.ndim == 2 and x.shape[1] == len(self.columns)
        if plain and all((c.kind, c.width, c.signed, c.scale, c.offset) == _BYTE for c in self.columns):
            return Packed(x)
        return self.input_bits(x)

    def input_bits(self, x: ArrayLike | Packed) -> np.ndarray:
        """The bits of the input ports: booleans as they are, the user's numbers and words as the columns turn them.

        >>> from dbhw.nn.encoders.thermometer import Thermometer
        >>> from dbhw.nn.layers.encode import Encode
        >>> net = Net(2, [Encode((Thermometer(2, False, (2,)),))])
        >>> model = Model(net, (None,), ("a[0]", "a[1]"), ("low", "high"), columns=(Column("a", "real", 2, scale=0.1),))
        >>> model.input_bits([[0.1]]).tolist(), model.predict([[0.1], [0.2]]).tolist()
        ([[True, False]], [0, 1])
        """
        if isinstance(x, Packed):
            x.check(self.net.inputs)
            return x.bits(self.net.inputs)
        x = np.asarray(x)
        if not self.columns or (x.dtype == bool and x.ndim == 2 and x.shape[1] == self.net.inputs):
            return check_bits(x, self.net.inputs)
        if x.ndim != 2 or x.shape[1] != len(self.columns):
            raise DbhwError(f"data must have {len(self.columns)} columns, not shape {list(x.shape)}")
        return to_bits(self.columns, np.stack([c.of_any(x[:, i]) for i, c in enumerate(self.columns)], axis=1))

    def to_network(self) -> Network:
        """The logic network of the net with its weights baked in."""
        return lower(self.net, self.weights, self.features)

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes that the hardware's port `label` says; none where its outputs have names of their own."""
        return () if self.net.ports else self.classes

    def labelled(self) -> Model:
        """The model as one of classes: its outputs are `label` and `bits`, and have no names of their own.

        >>> model = Model(Net(2, []), (), ("a", "b"), ("c", "d"))
        >>> model.labelled() == model
        True
        """
        return replace(self, net=self.net.unnamed()) if self.net.ports else self

    def blank(self) -> Model:
        """A model of the same shape whose weights are all low."""
        soft = tuple(None if w is None else np.full_like(w, -0.5) for w in self.soft_weights)
        return replace(self, soft_weights=soft, provenance={})

    def digest(self) -> str:
        """The SHA-256 of the hard net and its names of features and classes.

        The exact values of the soft weights and the provenance are no part of it.
        """
        named = [self.net.to_json(), self.features, self.classes]
        names = json.dumps([*named, *([records.to_json(c) for c in self.columns])], sort_keys=True)
        return files.sha256(names.encode() + b"".join(np.packbits(w).tobytes() for w in self.weights if w is not None))

    def save(self, path: str | Path) -> None:
        """Writes the model file; an interrupted write leaves the old one."""
        files.write(path, self.to_bytes())

    def to_bytes(self) -> bytes:
        """The content of the model's file."""
        named = (self.features, self.classes, self.provenance, self.columns)
        return file.to_bytes(file.Content(self.net, self.soft_weights, *named))


def load(path: str | Path) -> Model:
    """The model in a file; a `DbhwError` if it is missing, damaged, or of a newer format.

    >>> load("no.dbnet")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file no.dbnet must be readable: No such file or directory
    """
    content = file.from_bytes(path, files.read(path))
    named = (content.features, content.classes, content.provenance, content.columns)
    return Model(content.net, content.soft_weights, *named)
