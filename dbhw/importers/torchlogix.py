"""torchlogix: dense layers of gates and a sum for each class (ligerlac/torchlogix), by its names of tensors.

| tensor                  | shape         | meaning                                                             |
|-------------------------|---------------|---------------------------------------------------------------------|
| `N.weight`              | (out, 16)     | `LogicDense`, parametrization raw, rank 2: logits, as in difflogic  |
| `N.tables`              | (out, 2^rank) | instead: `layer.get_luts()`, for any parametrization; first input highest |
| `N.connections.indices` | (rank, out)   | the inputs of each gate, `layer.connections.indices`                 |

`GroupSum(k)` sums up k equal groups in order; the first of the largest is the class.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dbhw.importers import _tensors
from dbhw.importers._options import Options
from dbhw.importers._tensors import Tables, Tensors
from dbhw.importers.difflogic import gates, gates_of_two
from dbhw.model.model import Model

SUFFIXES = _tensors.SUFFIXES
PATTERN = r"\d+\.(weight|tables)$"


def read(paths: Sequence[Path], options: Options) -> Model:
    """The model of a saved net of torchlogix.

    >>> read([Path("no.json")], Options())
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file no.json must be readable: No such file or directory
    """
    held = _tensors.load(paths[0])
    layers = [_layer(held, layer, f"{layer}connections.indices") for layer in held.layers(PATTERN)]
    return _tensors.model_of(held, "torchlogix", layers, options, None)


def _layer(held: Tensors, layer: str, indices: str) -> Tables:
    if f"{layer}tables" not in held.tensors:
        return gates_of_two(held, gates(held, layer, "weight"), indices)
    tables, places = held.numbers(f"{layer}tables", 2), held.places(indices)
    rank = len(places)
    if tables.shape != (places.shape[1], 1 << rank):
        raise held.wrong(f"must have {places.shape[1]} x {1 << rank} bits in {layer}tables, not {list(tables.shape)}")
    # The first input is the highest bit of an address there, and the lowest here.
    return Tables(places[::-1].T, np.asarray(tables > 0))
