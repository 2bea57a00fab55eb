"""The model file: weights, names and provenance, as data only (safetensors), under a digest."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

from dbhw.base import files, records
from dbhw.base.errors import DbhwError
from dbhw.data.tables.column import Column, pins
from dbhw.nn.net import Net

FORMAT_VERSION = 3  # of a model with a long description, which is compressed
PLAIN = 2
BITS_ONLY = 1  # the format of a model without columns that is not frozen, which older versions read
_LONG = 2**15  # characters of a description: below that, a file can be read by eye, and by older versions
_END = 0.5  # the margins of a frozen model: bits say all
_CONTENT = "content"  # the tensor with a compressed description
_UNREADABLE = (KeyError, ValueError, TypeError, AttributeError, RecursionError, zlib.error)
_LONGEST_HEADER = 100_000_000  # that safetensors reads; as a length, the beginning of a text is far beyond


@dataclass(frozen=True)
class Content:
    """What a model file holds."""

    net: Net
    soft_weights: tuple[np.ndarray | None, ...]
    features: tuple[str, ...]
    classes: tuple[str, ...]
    provenance: dict[str, Any]
    columns: tuple[Column, ...] = ()


def to_bytes(content: Content) -> bytes:
    """The bytes of a model file.

    >>> raw = to_bytes(Content(Net(1, []), (), ("a",), ("no", "yes"), {}))
    >>> from_bytes("a.dbnet", raw).features
    ('a',)
    """
    frozen = all(w is None or (np.abs(w) == _END).all() for w in content.soft_weights)
    tensors = _tensors(content.net, content.soft_weights, margins=not frozen)
    described = {
        "net": content.net.to_json(),
        "classes": content.classes,
        "provenance": content.provenance,
        # The names of the input bits follow from those of the columns.
        **({"columns": [_short(c) for c in content.columns]} if content.columns else {"features": content.features}),
    }
    text = json.dumps(described, sort_keys=True, separators=(",", ":"))
    entry: dict[str, Any] = {"format": PLAIN if content.columns or frozen else BITS_ONLY, "content": described}
    if len(text) > _LONG:
        entry, tensors = {"format": FORMAT_VERSION}, tensors | {_CONTENT: _compressed(text)}
    entry |= {"sha256": checksum(entry, tensors)}
    # One entry, since safetensors writes several in an order that changes from run to run. It is short where there are
    # many columns; files of bits are the same, byte for byte, as ever.
    said = json.dumps(entry, sort_keys=True, separators=(",", ":") if content.columns else None)
    return safetensors.numpy.save(tensors, {"dbhw": said})


def from_bytes(path: str | Path, raw: bytes) -> Content:
    """The content of a model file; errors name `path`.

    >>> from_bytes("a.dbnet", b"weight,kind")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: model file a.dbnet must be a dbhw model, but it is not one; dbhw train makes one
    """
    entry = _entry(path, raw)
    version = entry.get("format")
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise DbhwError(f"model file {path} must be of format {FORMAT_VERSION} or older, not {version}: update dbhw")
    try:
        tensors = safetensors.numpy.load(raw)
        if entry.pop("sha256") != checksum(entry, tensors):
            raise DbhwError(f"model file {path} must match its digest, but it does not: the file is damaged")
        compressed = tensors.pop(_CONTENT, None)
        return _content(entry["content"] if compressed is None else json.loads(_text(compressed)), tensors)
    except DbhwError as wrong:
        raise wrong if str(path) in str(wrong) else DbhwError(f"model file {path}: {wrong}") from wrong
    except (*_UNREADABLE, safetensors.SafetensorError) as wrong:
        raise _damaged(path) from wrong


def _compressed(text: str) -> np.ndarray:
    return np.frombuffer(zlib.compress(text.encode(), 9), np.uint8)


def _text(compressed: np.ndarray) -> str:
    """The text of a compressed description; one that grows beyond all measure is not unpacked to its end."""
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(compressed.tobytes(), _LONGEST_HEADER)
    if not unpacker.eof:
        raise ValueError("a description must end, and be no longer than a header may be")
    return raw.decode()


def _content(described: dict[str, Any], tensors: dict[str, np.ndarray]) -> Content:
    net = Net.from_json(described["net"])
    soft = _soft_weights(net, tensors)
    columns = tuple(records.from_json(Column, column) for column in described.get("columns", ()))
    features, classes = tuple(described.get("features", pins(columns))), tuple(described["classes"])
    named = all(isinstance(name, str) for name in (*features, *classes))
    if not named or len(features) != net.inputs or len(classes) != net.classes:
        raise ValueError("features and classes must be names, as many as the net has")
    words = all(isinstance(word, str) for column in columns for word in column.categories)
    if columns and (features != pins(columns) or not words):
        raise ValueError("features must be the bits of the columns, and categories words")
    provenance = described["provenance"]
    if not isinstance(provenance, dict):
        raise ValueError("provenance must be by name")
    return Content(net, soft, features, classes, provenance, columns)


def _tensors(net: Net, soft_weights: Sequence[np.ndarray | None], margins: bool) -> dict[str, np.ndarray]:
    tensors: dict[str, np.ndarray] = {}
    for i, (layer, w) in enumerate(zip(net.layers, soft_weights, strict=True)):
        if w is not None:
            tensors[f"layer{i}.bits"] = np.packbits(layer.harden(w))
            if margins:
                tensors[f"layer{i}.margins"] = np.asarray(w, np.float32)
    return tensors


def _soft_weights(net: Net, tensors: dict[str, np.ndarray]) -> tuple[np.ndarray | None, ...]:
    margins = any(name.endswith(".margins") for name in tensors)
    soft = [
        None if shape is None else _margins(tensors, i, prod(shape), margins).reshape(shape)
        for i, shape in enumerate(net.weight_shapes())
    ]
    # The hardware gets the bits: they must be those of the margins.
    expected = _tensors(net, soft, margins)
    if expected.keys() != tensors.keys() or any((expected[n] != tensors[n]).any() for n in expected):
        raise ValueError("weight bits and margins differ")
    return tuple(soft)


def _margins(tensors: dict[str, np.ndarray], layer: int, count: int, stored: bool) -> np.ndarray:
    if stored:
        return tensors[f"layer{layer}.margins"]
    bits = np.unpackbits(tensors[f"layer{layer}.bits"], count=count)
    return np.where(bits, _END, -_END).astype(np.float32)


def _short(column: Column) -> dict[str, Any]:
    """A column as plain data, without what is as usual: a picture has hundreds of columns."""
    usual = {field.name: field.default for field in fields(Column)}
    return {name: value for name, value in records.to_json(column).items() if getattr(column, name) != usual[name]}


def checksum(entry: dict[str, object], tensors: dict[str, np.ndarray]) -> str:
    """The digest of a file's entry and tensors; the entry stores it.

    >>> checksum({}, {})[:8]
    '44136fa3'
    """
    parts = [json.dumps(entry, sort_keys=True).encode()]
    for name, tensor in sorted(tensors.items()):
        parts += [f"\n{name} {tensor.dtype} {tensor.shape}\n".encode(), tensor.tobytes()]
    return files.sha256(b"".join(parts))


def _entry(path: str | Path, raw: bytes) -> dict[str, Any]:
    """Our entry in the safetensors header; the library can read it only from a file on disk."""
    length = int.from_bytes(raw[:8], "little")
    if len(raw) > 8 and (raw[8:9] != b"{" or length > _LONGEST_HEADER):
        raise DbhwError(f"model file {path} must be a dbhw model, but it is not one; dbhw train makes one")
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
