"""∂LUT: learned look-up tables, each over the next few inputs. In hardware one look-up table each."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.base.errors import DbhwError, whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.initialisers import Initialiser, Uniform
from dbhw.nn.layer import Layer, Shape, vector_length
from dbhw.nn.lazy import Array, margins, operators

_MOST_INPUTS = 8


@dataclass(frozen=True)
class Lookup(Layer):
    """Cuts a vector into runs of `fan_in` bits; each run is the index into a table of learned bits, first bit lowest.

    The output is the margin of the entry that the hardened inputs address, so hardening changes nothing. The gradient
    goes to that entry, and to an input the difference that its bit makes to the entry.

    >>> Lookup(fan_in=6).weight_shape((1800,))
    (300, 64)
    """

    symbol: ClassVar[str] = "∂LUT"
    fan_in: int
    init: Initialiser = Uniform(0.0, 1.0)

    def __post_init__(self) -> None:
        whole("lookup fan_in", self.fan_in, 2)
        if self.fan_in > _MOST_INPUTS:
            raise DbhwError(f"lookup fan_in must be at most {_MOST_INPUTS}, not {self.fan_in}")

    def output_shape(self, inputs: Shape) -> Shape:
        if vector_length(self, inputs) % self.fan_in:
            raise DbhwError(f"lookup of fan_in {self.fan_in} must get a multiple of it, not {inputs[0]} bits")
        return (inputs[0] // self.fan_in,)

    def weight_shape(self, inputs: Shape) -> Shape:
        return (*self.output_shape(inputs), 1 << self.fan_in)

    def fresh_weights(self, key: Array, inputs: Shape) -> Array:
        return self.init.sample(key, self.weight_shape(inputs))

    def soft(self, weights: Array, x: Array, key: Array | None = None) -> Array:
        runs = margins.batch_last(x).reshape(-1, self.fan_in, len(x))
        return margins.batch_first(operators.look_up(weights, runs))

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        return x.reshape(x.shape[0] // self.fan_in, self.fan_in).look_up(weights)
