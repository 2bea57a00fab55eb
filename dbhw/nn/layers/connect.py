"""Connect: learns which input each output is wired to. Only wires in hardware; with loadable weights a multiplexer."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.nn.bits import TINY, AnyBits
from dbhw.nn.initialisers import Initialiser, Uniform
from dbhw.nn.layer import Shape, WeightedLayer, added, vector_length
from dbhw.nn.layers.wires import Wires
from dbhw.nn.lazy import Array, choices, jnp, margins


@dataclass(frozen=True)
class Connect(WeightedLayer):
    """Each of `width` outputs is the input with the highest weight in its row; the first one on ties.

    A row of weights is compared within itself, not with 1/2, so hardening makes one bit of each row high. The gradient
    of a weight is how well its input would have done: +1 where the input is high, -1 where it is low, times the
    gradient of the output.

    With `groups`, inputs and outputs are cut into as many equal runs, and an output chooses from its own run only. A
    layer `wires` before it deals the inputs, some to several runs. Fewer weights learn faster.

    >>> Connect(width=3).harden(np.array([[-0.4, -0.1], [0.2, 0.1], [0.0, 0.0]], np.float32)).astype(int).tolist()
    [[0, 1], [1, 0], [1, 0]]
    >>> Connect(width=4, groups=2).weight_shape((6,))
    (4, 3)
    """

    symbol: ClassVar[str] = "connect"
    costly: ClassVar[bool] = True
    bounded: ClassVar[bool] = False
    init: Initialiser = Uniform(0.49, 0.51)
    groups: int = added(1)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("connect groups", self.groups, 1)
        if self.width % self.groups:
            raise DbhwError(f"connect width must be a multiple of its {self.groups} groups, not {self.width}")

    def output_shape(self, inputs: Shape) -> Shape:
        return self.weight_shape(inputs)[:1]

    def weight_shape(self, inputs: Shape) -> Shape:
        if vector_length(self, inputs) % self.groups:
            raise DbhwError(f"connect of {self.groups} groups must get a multiple of it, not {inputs[0]} bits")
        return (self.width, inputs[0] // self.groups)

    def harden(self, weights: np.ndarray) -> np.ndarray:
        ordered = np.where(np.abs(weights) >= TINY, weights, 0)
        return np.arange(weights.shape[-1]) == ordered.argmax(-1)[..., None]

    def at_rest(self, weights: Array) -> Array:
        return choices.chosen(weights, self.groups)  # the places of the inputs

    def fixed(self, bits: np.ndarray) -> Wires:
        """The wires that the hardened weights choose.

        >>> Connect(width=2).fixed(np.array([[False, True], [True, False]]))
        Wires(places=(1, 0))
        >>> Connect(width=2, groups=2).fixed(np.array([[False, True], [True, False]]))
        Wires(places=(1, 2))
        """
        first = np.arange(self.width) // (self.width // self.groups) * bits.shape[1]
        return Wires(tuple((first + bits.argmax(axis=1)).tolist()))

    def soft(self, weights: Array, x: Array, key: Array | None = None) -> Array:
        columns = margins.batch_last(x)
        if jnp.issubdtype(weights.dtype, jnp.integer):
            return margins.batch_first(margins.canonical(columns)[weights])
        return margins.batch_first(choices.connect(weights, columns))

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        if self.groups == 1:
            return x.select(weights)
        runs = range(self.groups)
        outputs, inputs = self.width // self.groups, x.shape[0] // self.groups
        own = [weights.take(np.arange(run * outputs, (run + 1) * outputs)) for run in runs]
        found = [x.part(run * inputs, (run + 1) * inputs).select(own[run]) for run in runs]
        return found[0].concatenate(*found[1:])
