"""The settings of training; this module does not import JAX, which listing recipes does not need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dbhw.base.errors import DbhwError, one_of, whole

OPTIMISERS = ("adam", "radam", "sgd")
SCHEDULES = ("constant", "cosine")
_SEEDS = 1 << 30  # the seeds of restarts, which are larger, still fit 32 bits


@dataclass(frozen=True)
class Settings:
    """How to train: everything that decides the result, besides the net and the data.

    >>> Settings(epochs=10).optimiser
    'radam'
    """

    epochs: int
    batch_size: int | None = None  # None: all examples in one step
    learning_rate: float = 0.01
    optimiser: str = "radam"
    temperature: float = 1.0  # scores are divided by it in the loss
    schedule: str = "constant"  # or cosine: the learning rate falls to 0 over the run
    sparsity: float = 0.0  # what every input that a layer selects adds to the loss in the last epoch
    dense_epochs: int = 0  # the epochs before that charge rises from 0: the least useful inputs go first
    untie: bool = False  # weights that start equal are first moved a little against their gradients
    wire_every: int = 1  # wires learn in every n-th step only, n times as fast: their gradient is most of a step's work
    wires_by_row: bool = False  # wires learn by gradients scaled row by row, and not by the optimiser: less work
    balance: float = 0.0  # 0: all examples count the same; 1: all classes do; between: rare classes count for more
    seed: int = 0

    def __post_init__(self) -> None:
        whole("epochs", self.epochs, 0)
        whole("seed", self.seed, 0)
        if self.seed >= _SEEDS:
            raise DbhwError(f"seed must be below {_SEEDS}, not {self.seed}")
        whole("dense epochs", self.dense_epochs, 0)
        whole("wire every", self.wire_every, 1)
        if self.batch_size is not None:
            whole("batch size", self.batch_size, 1)
        if self.optimiser not in OPTIMISERS:
            raise one_of("optimiser", self.optimiser, OPTIMISERS)
        if self.schedule not in SCHEDULES:
            raise one_of("schedule", self.schedule, SCHEDULES)
        for name in ("learning_rate", "temperature"):
            if not getattr(self, name) > 0:
                raise DbhwError(f"{name.replace('_', ' ')} must be above 0, not {getattr(self, name)!r}")
        if not 0 <= self.balance <= 1:
            raise DbhwError(f"balance must be from 0 to 1, not {self.balance!r}")
        if not self.sparsity >= 0:
            raise DbhwError(f"sparsity must be at least 0, not {self.sparsity!r}")


@dataclass(frozen=True)
class Progress:
    """What a progress bar shows after an epoch."""

    epoch: int
    epochs: int
    loss: float
    accuracy: float


_POINTS = 40  # of a curve


@dataclass(frozen=True)
class Curve:
    """The course of a run of some nets in a few dozen epochs: `values` holds losses and accuracies (epochs, 2, nets).

    >>> curve = Curve.of(epochs=100, nets=1)
    >>> curve.add(0, 100, np.linspace(1, 0, 100)[None], np.linspace(0, 1, 100)[None])
    >>> curve.record(0)["epochs"][:3], curve.record(0)["loss"][-1], curve.record(0)["accuracy"][-1]
    ([1, 4, 6], 0.0, 1.0)
    """

    epochs: tuple[int, ...]
    values: np.ndarray

    @classmethod
    def of(cls, epochs: int, nets: int) -> Curve:
        chosen = np.unique(np.linspace(1, epochs, min(_POINTS, epochs)).round().astype(int)) if epochs else ()
        return cls(tuple(int(epoch) for epoch in chosen), np.zeros((len(chosen), 2, nets), np.float32))

    def add(self, done: int, upto: int, losses: np.ndarray, accuracies: np.ndarray) -> None:
        """Takes what it keeps of the epochs after `done` up to `upto`: arrays (nets, epochs)."""
        for i, epoch in enumerate(self.epochs):
            if done < epoch <= upto:
                self.values[i] = losses[:, epoch - done - 1], accuracies[:, epoch - done - 1]

    def record(self, net: int) -> dict[str, list[int] | list[float]]:
        """The curve of one net for its model file, with few digits."""
        losses, accuracies = ([float(f"{value:.4g}") for value in self.values[:, kind, net]] for kind in (0, 1))
        return {"epochs": list(self.epochs), "loss": losses, "accuracy": accuracies}
