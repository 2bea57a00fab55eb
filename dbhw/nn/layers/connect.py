"""Connect: learns which input each output is wired to. Only wires in hardware; with loadable weights a multiplexer."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dbhw.nn.bits import TINY, AnyBits
from dbhw.nn.initialisers import Initialiser, Uniform
from dbhw.nn.layer import Shape, WeightedLayer
from dbhw.nn.layers.wires import Wires
from dbhw.nn.lazy import Array, choices, jnp, margins


@dataclass(frozen=True)
class Connect(WeightedLayer):
    """Each of `width` outputs is the input with the highest weight in its row; the first one on ties.

    A row of weights is compared within itself, not with 1/2, so hardening makes one bit of each row high. The gradient
    of a weight is how well its input would have done: +1 where the input is high, -1 where it is low, times the
    gradient of the output.

    >>> Connect(width=3).harden(np.array([[-0.4, -0.1], [0.2, 0.1], [0.0, 0.0]], np.float32)).astype(int).tolist()
    [[0, 1], [1, 0], [1, 0]]
    """

    symbol: ClassVar[str] = "connect"
    costly: ClassVar[bool] = True
    bounded: ClassVar[bool] = False
    init: Initialiser = Uniform(0.49, 0.51)

    def output_shape(self, inputs: Shape) -> Shape:
        return self.weight_shape(inputs)[:1]

    def harden(self, weights: np.ndarray) -> np.ndarray:
        ordered = np.where(np.abs(weights) >= TINY, weights, 0)
        return np.arange(weights.shape[-1]) == ordered.argmax(-1)[..., None]

    def at_rest(self, weights: Array) -> Array:
        return choices.highest(weights)  # the places of the inputs

    def fixed(self, bits: np.ndarray) -> Wires:
        """The wires that the hardened weights choose.

        >>> Connect(width=2).fixed(np.array([[False, True], [True, False]]))
        Wires(places=(1, 0))
        """
        return Wires(tuple(bits.argmax(axis=1).tolist()))

    def soft(self, weights: Array, x: Array, key: Array | None = None) -> Array:
        columns = margins.batch_last(x)
        if jnp.issubdtype(weights.dtype, jnp.integer):
            return margins.batch_first(margins.canonical(columns)[weights])
        return margins.batch_first(choices.connect(weights, columns))

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        return x.select(weights)
