"""A trained net and its file: weights, names and provenance, as data only (safetensors), under a digest."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

from dbhw import files
from dbhw.bits import WordBits
from dbhw.errors import DbhwError
from dbhw.lowering import lower
from dbhw.net import Net, labels
from dbhw.network import Network

FORMAT_VERSION = 1
# What dbhw.margins calls TINY: a soft weight of at least the smallest normal float32 is high.
_HIGH = np.finfo(np.float32).tiny


@dataclass(frozen=True)
class Model:
    """A net with its trained weights.

    >>> from dbhw.layers.negation import Negation
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
        return [None if w is None else w >= _HIGH for w in self.soft_weights]

    def outputs(self, x: np.ndarray) -> np.ndarray:
        """What the hard net gives for bits (examples, inputs): booleans, or integers where it counts."""
        x = check_bits(x, self.net.inputs)
        result = self.net.hard(self.weights, WordBits.pack(x))
        return result if isinstance(result, np.ndarray) else result.unpack()

    def scores(self, x: np.ndarray) -> np.ndarray:
        """The hard net's outputs as integers (examples, outputs)."""
        return self.outputs(x).astype(np.int64)

    def predict(self, x: np.ndarray) -> np.ndarray:
        """The predicted classes, as indices."""
        return labels(self.outputs(x))

    def to_network(self) -> Network:
        """The logic network of the net with its weights baked in."""
        return lower(self.net, self.weights, self.features)

    def to_verilog(self) -> str:
        """The combinational core as Verilog."""
        from dbhw.rtl.emit import emit  # the hardware half is imported when it is asked for

        return emit(self).verilog

    def blank(self) -> Model:
        """A model of the same shape whose weights are all low."""
        soft = tuple(None if w is None else np.full_like(w, -0.5) for w in self.soft_weights)
        return Model(self.net, soft, self.features, self.classes)

    def digest(self) -> str:
        """The SHA-256 of the model's content, which its file carries.

        It covers all that decides and names the function; not the soft weights' exact values or the provenance.
        """
        names = json.dumps([self.net.to_json(), self.features, self.classes], sort_keys=True)
        return files.sha256(names.encode() + b"".join(np.packbits(w).tobytes() for w in self.weights if w is not None))

    def save(self, path: str | Path) -> None:
        """Writes the model file, whole or not at all."""
        files.write(path, self.to_bytes())

    def to_bytes(self) -> bytes:
        tensors = _tensors(self.soft_weights)
        content = {
            "net": self.net.to_json(),
            "features": self.features,
            "classes": self.classes,
            "provenance": self.provenance,
        }
        # One entry: safetensors writes several in an order that changes from run to run.
        entry = {"format": FORMAT_VERSION, "content": content}
        text = json.dumps({**entry, "sha256": _checksum(entry, tensors)}, sort_keys=True)
        return safetensors.numpy.save(tensors, {"dbhw": text})


def load(path: str | Path) -> Model:
    """The model of a file; a `DbhwError` where it is missing, damaged, or of a newer format.

    >>> load("no.dbnet")
    Traceback (most recent call last):
    ...
    dbhw.errors.DbhwError: file no.dbnet must be readable: No such file or directory
    """
    raw = files.read(path)
    entry = _entry(path, raw)
    version = entry.get("format")
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise DbhwError(f"model file {path} must be of format {FORMAT_VERSION} or older, not {version}: update dbhw")
    try:
        tensors = safetensors.numpy.load(raw)
        content = entry["content"]
        if entry.pop("sha256") != _checksum(entry, tensors):
            raise DbhwError(f"model file {path} must match its digest, but it does not: the file is damaged")
        net = Net.from_json(content["net"])
        soft = _soft_weights(net, tensors)
    except DbhwError as wrong:
        raise wrong if str(path) in str(wrong) else DbhwError(f"model file {path}: {wrong}") from wrong
    except (safetensors.SafetensorError, KeyError, ValueError, TypeError, AttributeError) as wrong:
        raise _damaged(path) from wrong
    features, classes = tuple(content["features"]), tuple(content["classes"])
    named = all(isinstance(name, str) for name in (*features, *classes))
    if not named or len(features) != net.inputs or len(classes) != net.classes:
        raise _damaged(path)
    return Model(net, soft, features, classes, content["provenance"])


def check_bits(x: np.ndarray, inputs: int) -> np.ndarray:
    """Booleans (examples, inputs), or a `DbhwError` where the array is not that.

    >>> check_bits(np.array([[0, 2]]), 2)
    Traceback (most recent call last):
    ...
    dbhw.errors.DbhwError: data values must be bits 0 or 1, not 2
    """
    x = np.asarray(x)
    if x.ndim != 2 or x.shape[1] != inputs:
        raise DbhwError(f"data must have {inputs} columns of bits, not shape {list(x.shape)}")
    if x.dtype == bool:
        return x
    wrong = ~((x == 0) | (x == 1))
    if wrong.any():
        raise DbhwError(f"data values must be bits 0 or 1, not {x[wrong][0]}")
    return x.astype(bool)


def default_names(prefix: str, n: int) -> tuple[str, ...]:
    """Names for features or classes that have none.

    >>> default_names("x", 2)
    ('x0', 'x1')
    """
    return tuple(f"{prefix}{i}" for i in range(n))


def _tensors(soft_weights: Sequence[np.ndarray | None]) -> dict[str, np.ndarray]:
    tensors: dict[str, np.ndarray] = {}
    for i, w in enumerate(soft_weights):
        if w is not None:
            tensors[f"layer{i}.bits"] = np.packbits(w >= _HIGH)
            tensors[f"layer{i}.margins"] = np.asarray(w, np.float32)
    return tensors


def _soft_weights(net: Net, tensors: dict[str, np.ndarray]) -> tuple[np.ndarray | None, ...]:
    soft = [
        None if shape is None else tensors[f"layer{i}.margins"].reshape(shape)
        for i, shape in enumerate(net.weight_shapes())
    ]
    # The bits are what the hardware gets: the file must not say two things.
    expected = _tensors(soft)
    if expected.keys() != tensors.keys() or any((expected[n] != tensors[n]).any() for n in expected):
        raise ValueError("weight bits and margins differ")
    return tuple(soft)


def _checksum(entry: dict[str, Any], tensors: dict[str, np.ndarray]) -> str:
    parts = [json.dumps(entry, sort_keys=True).encode()]
    for name, tensor in sorted(tensors.items()):
        parts += [f"\n{name} {tensor.dtype} {tensor.shape}\n".encode(), tensor.tobytes()]
    return files.sha256(b"".join(parts))


def _entry(path: str | Path, raw: bytes) -> dict[str, Any]:
    """Our entry in the safetensors header, which the library gives only for files on disk."""
    length = int.from_bytes(raw[:8], "little")
    try:
        header = json.loads(raw[8 : 8 + length])
        metadata = header.get("__metadata__", {})
        if len(raw) >= 8 + length and "dbhw" not in metadata:
            raise DbhwError(f"model file {path} must be a dbhw model, not another safetensors file")
        entry = json.loads(metadata["dbhw"])
    except DbhwError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as wrong:
        raise _damaged(path) from wrong
    if not isinstance(entry, dict):
        raise _damaged(path)
    return entry


def _damaged(path: str | Path) -> DbhwError:
    return DbhwError(f"model file {path} must be a whole safetensors file, but it is damaged or cut short")
