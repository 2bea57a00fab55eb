"""Runs that start several times and keep the best, judged by the training data alone."""

from __future__ import annotations

from collections.abc import Sequence

from dbhw.data import Data
from dbhw.model import Model


def restart_seeds(seed: int, restarts: int) -> list[int]:
    """The seeds of a run that starts several times and keeps the best.

    >>> restart_seeds(7, 3)
    [7, 1000010, 2000013]
    """
    return [seed + 1_000_003 * i for i in range(restarts)]


def best_of(models: Sequence[Model], data: Data, tolerance: float = 0.0) -> Model:
    """The model that selects the fewest inputs of those that are right on most of the training data.

    `tolerance` is how much less than the most right one they may be, as a part of the examples.

    >>> import numpy as np
    >>> from dbhw.layers.negation import Negation
    >>> from dbhw.net import Net
    >>> data = Data.of([[0], [1]], [0, 1], name="toy")
    >>> net, weights = Net(1, [Negation(width=2)]), np.array([[-0.5], [0.5]], np.float32)
    >>> models = [Model(net, (w,), data.features, data.classes) for w in (-weights, weights)]
    >>> best_of(models, data) is models[1]
    True
    """
    right = [float((model.predict(data.x) == data.y).mean()) for model in models]
    good = [model for model, found in zip(models, right, strict=True) if found >= max(right) - tolerance]
    return min(good, key=_selected_bits)


def _selected_bits(model: Model) -> int:
    layers = zip(model.net.layers, model.weights, strict=True)
    return sum(int(w.sum()) for layer, w in layers if layer.selects and w is not None)
