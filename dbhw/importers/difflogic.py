"""difflogic: gates of two inputs and a sum for each class (Felix-Petersen/difflogic), by its names of tensors.

| tensor      | shape    | meaning                                                                            |
|-------------|----------|------------------------------------------------------------------------------------|
| `N.weights` | (out, 16) | logits of the 16 gates; the gate is the first of the largest                       |
| `N.gates`   | (out)    | instead of the logits: the gates themselves, 0 to 15                               |
| `N.indices` | (2, out) | the inputs a and b of each gate; no parameter of difflogic's layer, so saved beside |

Gate g answers bit 3 of g for a, b = 0, 0, bit 2 for 0, 1, bit 1 for 1, 0, and bit 0 for 1, 1: 1 is and, 6 is xor. N is
the layer's number in the `Sequential`. `GroupSum(k)` sums up k equal groups in order; the first of the largest is the
class.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dbhw.importers import _tensors
from dbhw.importers._options import Options
from dbhw.importers._tensors import Tables, Tensors
from dbhw.model.model import Model

SUFFIXES = _tensors.SUFFIXES
PATTERN = r"\d+\.(weights|gates)$"


def read(paths: Sequence[Path], options: Options) -> Model:
    """The model of a saved net of difflogic.

    >>> read([Path("no.json")], Options())
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file no.json must be readable: No such file or directory
    """
    held = _tensors.load(paths[0])
    layers = [gates_of_two(held, gates(held, layer, "weights"), f"{layer}indices") for layer in held.layers(PATTERN)]
    return _tensors.model_of(held, "difflogic", layers, options, None)


def gates(held: Tensors, layer: str, logits: str) -> np.ndarray:
    """The numbers of a layer's gates.

    >>> gates(Tensors(Path("net.json"), {"0.weights": np.eye(16)[[6, 1]]}, {}), "0.", "weights").tolist()
    [6, 1]
    """
    if f"{layer}gates" in held.tensors:
        found = held.numbers(f"{layer}gates", 1)
        if not np.isin(found, np.arange(16)).all():
            raise held.wrong(f"must have gates from 0 to 15 in {layer}gates, but some are not")
        return found.astype(np.int64)
    weights = held.numbers(f"{layer}{logits}", 2)
    if weights.shape[1] != 16:
        raise held.wrong(f"must have logits of 16 gates in {layer}{logits}, not of {weights.shape[1]}")
    return weights.argmax(axis=1)


def gates_of_two(held: Tensors, numbers: np.ndarray, indices: str) -> Tables:
    """The tables of gates; entry a + 2 b of a table is what the gate answers to a and b.

    >>> held = Tensors(Path("net.json"), {"0.indices": np.array([[0], [1]])}, {})
    >>> gates_of_two(held, np.array([2]), "0.indices").bits.tolist()
    [[False, True, False, False]]
    """
    places = held.places(indices)
    if places.shape != (2, len(numbers)):
        raise held.wrong(f"must have 2 x {len(numbers)} numbers in {indices}, not {' x '.join(map(str, places.shape))}")
    shifts = np.array([3 - 2 * a - b for b in (0, 1) for a in (0, 1)])
    return Tables(places.T, (numbers[:, None] >> shifts & 1).astype(bool))
