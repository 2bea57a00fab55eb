"""∂LUT: learned look-up tables, each over the next few inputs. In hardware one look-up table each."""

from dataclasses import dataclass
from typing import ClassVar

from dbhw.base.errors import DbhwError, one_of, whole
from dbhw.nn.bits import AnyBits
from dbhw.nn.initialisers import Initialiser, Uniform
from dbhw.nn.layer import Layer, Shape, added, vector_length
from dbhw.nn.lazy import Array, choices, margins

GRADIENTS = ("nearest", "all", "packed")
_MOST_INPUTS = 8


@dataclass(frozen=True)
class Lookup(Layer):
    """Cuts a vector into runs of `fan_in` bits; each run is the index into a table of learned bits, first bit lowest.

    The bit is that of the entry that the hardened inputs address, so hardening changes nothing. The gradient is one of:

    - `nearest`: it goes to that entry; an input gets the difference that its bit makes to the entry.
    - `all`: it goes to all entries, the less the further their address is; an input gets the differences that its bit
      makes to all of them.
    - `packed`: so too, but the margin of the output also depends on all entries and on the margins of the inputs.

    >>> Lookup(fan_in=6).weight_shape((1800,))
    (300, 64)
    """

    symbol: ClassVar[str] = "∂LUT"
    fan_in: int
    init: Initialiser = Uniform(0.0, 1.0)
    gradient: str = added("nearest")

    def __post_init__(self) -> None:
        whole("lookup fan_in", self.fan_in, 2)
        if self.fan_in > _MOST_INPUTS:
            raise DbhwError(f"lookup fan_in must be at most {_MOST_INPUTS}, not {self.fan_in}")
        if self.gradient not in GRADIENTS:
            raise one_of("lookup gradient", self.gradient, GRADIENTS)

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
        form = {"all": choices.look_up_from_all, "packed": choices.look_up_packed}.get(self.gradient, choices.look_up)
        return margins.batch_first(form(weights, runs))

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        return x.reshape(x.shape[0] // self.fan_in, self.fan_in).look_up(weights)
