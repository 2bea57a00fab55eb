"""DWN: look-up tables, thermometers and a sum for each class (alanbacellar/DWN), by its names of tensors.

| tensor              | shape            | meaning                                                               |
|---------------------|------------------|-----------------------------------------------------------------------|
| `N.luts`            | (out, 2^n)       | the tables; an entry is high where it is more than 0                  |
| `N.mapping`         | (out, n)         | the inputs of each table, the first one the lowest bit of the address |
| `N.mapping.weights` | (in, out x n)    | instead, where the mapping is learnable: the largest of each column   |
| `thresholds`        | (features, bits) | `thermometer.thresholds`; a bit is high where the feature is more     |

Without thresholds the inputs are bits. With them they are numbers: `bits`, `scale` and `offset` say which, and the
comparisons are those of the thresholds' own precision, so they agree on every number that the input can be.
`GroupSum(k)` sums up k equal groups in order, the last one filled up with zeros; the first of the largest is the class.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.importers import _tensors
from dbhw.importers._options import Options
from dbhw.importers._tensors import Tables, Tensors
from dbhw.model.model import Model
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layers.encode import Encode

SUFFIXES = _tensors.SUFFIXES
PATTERN = r"\d+\.(luts)$"
_MOST_BITS = 16  # of an input: all of its numbers are compared


def read(paths: Sequence[Path], options: Options) -> Model:
    """The model of a saved DWN.

    >>> read([Path("no.json")], Options())
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file no.json must be readable: No such file or directory
    """
    held = _tensors.load(paths[0])
    layers = [_layer(held, layer) for layer in held.layers(PATTERN)]
    classes = held.number("classes", options.classes, 2)
    if layers and classes:
        layers[-1] = _filled(layers[-1], classes)
    encode = _encode(held, options) if "thresholds" in held.tensors else None
    return _tensors.model_of(held, "dwn", layers, options, encode)


def _layer(held: Tensors, layer: str) -> Tables:
    luts = held.numbers(f"{layer}luts", 2)
    n = luts.shape[1].bit_length() - 1
    if f"{layer}mapping.weights" in held.tensors:
        wires = held.numbers(f"{layer}mapping.weights", 2).argmax(axis=0)
        places = wires.reshape(len(luts), -1) if len(wires) == n * len(luts) else wires[None]
    else:
        places = held.places(f"{layer}mapping")
    if luts.shape[1] != 1 << n or places.shape != (len(luts), n):
        raise held.wrong(f"must have a mapping of {len(luts)} x {n} for {layer}luts, not {list(places.shape)}")
    return Tables(places, np.asarray(luts > 0))


def _filled(layer: Tables, classes: int) -> Tables:
    """The layer with tables that are always low, so that groups have the same size."""
    more = -len(layer.bits) % classes
    rows = [(0, more), (0, 0)]
    return Tables(np.pad(layer.reads, rows), np.pad(layer.bits, rows))


def _encode(held: Tensors, options: Options) -> Encode:
    thresholds = held.numbers("thresholds", 2)
    if options.bits is None or not 1 <= options.bits <= _MOST_BITS:
        found = "none" if options.bits is None else options.bits
        raise DbhwError(f"bits of the inputs must be given for thresholds, 1 to {_MOST_BITS}, not {found}: --bits 8")
    if not options.scale > 0:
        raise DbhwError(f"scale must be above 0, not {options.scale}")
    kind = thresholds.dtype if thresholds.dtype.kind == "f" else np.float64
    numbers = (options.offset + options.scale * np.arange(1 << options.bits)).astype(kind)
    # The least integer whose number is more than the threshold.
    least = np.searchsorted(numbers, thresholds.astype(kind), side="right")
    return Encode(tuple(Thermometer(options.bits, False, tuple(row)) for row in least.tolist()))
