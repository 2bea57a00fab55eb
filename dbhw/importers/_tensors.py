"""Files of tensors, as other toolkits' checkpoints are saved: safetensors, or JSON of nested lists. Never pickle.

In JSON, `tensors` holds the tensors by name, and beside it stand what safetensors has as metadata, all of it optional:

| key       | value                                                                            |
|-----------|----------------------------------------------------------------------------------|
| `format`  | difflogic, torchlogix or dwn; by default the names of the tensors tell            |
| `classes` | in how many groups the last layer's outputs are summed up (the k of `GroupSum`)  |
| `inputs`  | how many bits the first layer reads from; by default up to the last one it reads |
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

from dbhw.base import files
from dbhw.base.errors import DbhwError, whole
from dbhw.base.names import default_names
from dbhw.data.tables.column import Column, pins
from dbhw.importers._network import provenance
from dbhw.importers._options import Options
from dbhw.model.model import Model
from dbhw.nn.layer import Layer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.layers.wires import Wires
from dbhw.nn.net import Net

SUFFIXES = (".safetensors", ".json")
_MOST_BITS = 1_000_000  # inputs


@dataclass(frozen=True)
class Tensors:
    """The tensors of a file by their names, and what else it says."""

    path: Path
    tensors: dict[str, np.ndarray]
    said: dict[str, Any]

    @property
    def format(self) -> str:
        return str(self.said.get("format", ""))

    def has(self, pattern: str) -> bool:
        """Whether a tensor's name matches."""
        return any(re.search(pattern, name) for name in self.tensors)

    def layers(self, pattern: str) -> list[str]:
        """What the names of layers begin with, in order: the part before what matches, such as `0.` and `10.`"""
        found = {name[: match.start(1)] for name in self.tensors if (match := re.search(pattern, name))}
        return sorted(found, key=lambda name: [int(number) for number in re.findall(r"\d+", name)])

    def numbers(self, name: str, dimensions: int) -> np.ndarray:
        """A tensor of finite numbers."""
        tensor = self.tensors.get(name)
        if tensor is None:
            raise self.wrong(f"must have a tensor {name}, but it has only {', '.join(self.tensors)[:200]}")
        if tensor.ndim != dimensions or not tensor.size or tensor.dtype.kind not in "fiub":
            raise self.wrong(f"must have {dimensions} dimensions of numbers in {name}, not {list(tensor.shape)}")
        if not np.isfinite(tensor).all():
            raise self.wrong(f"must have finite numbers in {name}, but some are not")
        return tensor

    def places(self, name: str) -> np.ndarray:
        """A matrix of whole numbers from 0 on."""
        tensor = self.numbers(name, 2)
        if (tensor < 0).any() or (tensor != np.floor(tensor)).any() or (tensor >= _MOST_BITS).any():
            raise self.wrong(f"must have whole numbers from 0 on in {name}, but some are not")
        return tensor.astype(np.int64)

    def number(self, key: str, chosen: int | None, least: int) -> int | None:
        """A whole number that the user has chosen, or that the file says."""
        value = self.said.get(key) if chosen is None else chosen
        if isinstance(value, str) and value.isdecimal():
            value = int(value)
        if value is not None:
            whole(f"{key} of file {self.path}", value, least)
        return value

    def wrong(self, what: str) -> DbhwError:
        return DbhwError(f"file {self.path} {what}")


def load(path: str | Path) -> Tensors:
    """The tensors of a file; a `DbhwError` if it holds anything else.

    >>> load("no.json")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file no.json must be readable: No such file or directory
    """
    raw = files.read(path)
    try:
        if Path(path).suffix.lower() == ".json":
            said = json.loads(raw)
            tensors = {str(name): np.array(values) for name, values in said.pop("tensors").items()}
        else:
            tensors = safetensors.numpy.load(raw)
            said = json.loads(raw[8 : 8 + int.from_bytes(raw[:8], "little")]).get("__metadata__", {})
    except (safetensors.SafetensorError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as wrong:
        raise DbhwError(f"file {path} must hold tensors, as safetensors or as JSON, but it does not") from wrong
    return Tensors(Path(path), tensors, said)


@dataclass(frozen=True)
class Tables:
    """A layer of look-up tables: the places that each reads, and its bits (tables, 2^n), the first place lowest."""

    reads: np.ndarray
    bits: np.ndarray


def model_of(held: Tensors, importer: str, layers: Sequence[Tables], options: Options, encode: Encode | None) -> Model:
    """The model of layers of tables whose last outputs are summed up in equal groups, the largest of which wins.

    >>> model_of(Tensors(Path("net.json"), {}, {}), "dwn", [], Options(), None)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file net.json must have layers of dwn, but it has none
    """
    if not layers:
        raise held.wrong(f"must have layers of {importer}, but it has none")
    classes = held.number("classes", options.classes, 2)
    if classes is None:
        raise held.wrong("must say how many classes there are: save it as `classes`, or give --classes")
    read = int(layers[0].reads.max()) + 1
    stated = held.number("inputs", options.inputs, 1)
    made: list[Layer] = []
    soft: list[np.ndarray | None] = []
    for layer in layers:
        made += [Wires(tuple(layer.reads.ravel().tolist())), Lookup(layer.reads.shape[1])]
        soft += [None, np.where(layer.bits, 0.5, -0.5).astype(np.float32)]
    columns: tuple[Column, ...] = ()
    if encode is not None:
        made, soft = [encode, *made], [None, *soft]
        kind = "integer" if (options.scale, options.offset) == (1, 0) else "real"
        names = default_names("x", len(encode.encoders))
        columns = tuple(
            Column(name, kind, encoder.width, scale=options.scale, offset=options.offset)
            for name, encoder in zip(names, encode.encoders, strict=True)
        )
    inputs = encode.inputs if encode else max(read, stated or 0)
    net = Net(inputs, [*made, BucketSum(classes)])
    features = pins(columns) if columns else default_names("x", inputs)
    names = default_names("class", classes)
    return Model(net, (*soft, None), features, names, provenance([held.path], importer), columns)
