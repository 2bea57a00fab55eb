"""Encoders, one file each: how an integer input becomes bits for a net.

An encoder is a list of conditions on the integer, one for each bit. All that reads or builds an encoder works on its
conditions, so a new encoder is a file with a dataclass, and being here is all the registration there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.base.registry import Plugins
from dbhw.nn.bits import AnyBits

PLUGINS = Plugins("encoder", __name__)
AT_LEAST, EQUAL, BIT = ">=", "==", "bit"
MOST_BITS = 24  # the soft net compares in 32 bits
_MOST_ENCODERS = 1_000_000  # no net reads more integers; a hostile file may say so


class Condition(NamedTuple):
    """One bit of an encoder: the integer is at least or equals `number`, or its bit of that index is high.

    >>> Condition(AT_LEAST, 3)
    Condition(kind='>=', number=3)
    """

    kind: str
    number: int


@dataclass(frozen=True)
class Encoder:
    """The base of every encoder; a file in `dbhw/nn/encoders` holds one subclass, named like the file.

    >>> from dbhw.nn.encoders.thermometer import Thermometer
    >>> Thermometer(width=8, signed=False, thresholds=(16, 100)).conditions()
    [Condition(kind='>=', number=16), Condition(kind='>=', number=100)]
    """

    width: int  # bits of the integer
    signed: bool  # in two's complement

    def __post_init__(self) -> None:
        whole("encoder width", self.width, 1)
        if self.width > MOST_BITS:
            raise DbhwError(f"encoder width must be at most {MOST_BITS} bits, not {self.width}")

    def conditions(self) -> list[Condition]:
        """What each bit says about the integer."""
        raise NotImplementedError

    @property
    def lowest(self) -> int:
        """The smallest integer of the input."""
        return -(1 << self.width - 1) if self.signed else 0

    @property
    def highest(self) -> int:
        """The largest integer of the input."""
        return self.lowest + (1 << self.width) - 1

    def to_json(self) -> dict[str, Any]:
        """The encoder as plain data: its file's name and its fields."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        name = type(self).__module__.rpartition(".")[2]
        return {"encoder": name, **{n: list(v) if isinstance(v, tuple) else v for n, v in values.items()}}


def names() -> list[str]:
    """The names of all encoders.

    >>> names()
    ['binary', 'bits', 'one_hot', 'thermometer']
    """
    return PLUGINS.names()


def find(name: str) -> type[Encoder]:
    """The class of an encoder, by its name.

    >>> find("thermometer").__name__
    'Thermometer'
    """
    PLUGINS.module(name)  # refuses a name that is none before it is taken apart
    return PLUGINS.member(name, "".join(part.capitalize() for part in name.split("_")))


def from_json(data: dict[str, Any]) -> Encoder:
    """The encoder back from plain data.

    >>> from_json({"encoder": "binary", "width": 3, "signed": True})
    Binary(width=3, signed=True)
    """
    values: dict[str, Any] = dict(data)
    kind = find(values.pop("encoder", None))
    known = {f.name for f in fields(kind)}
    if set(values) != known or not isinstance(values["signed"], bool):
        raise DbhwError(f"encoder {data['encoder']} must have the fields {sorted(known)}, not {sorted(values)}")
    fixed: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in values.items()}
    return kind(**fixed)


def all_to_json(encoders: Sequence[Encoder]) -> list[dict[str, Any]]:
    """Encoders as plain data; equal neighbours, as pictures have many, are written once, with how many `times`.

    >>> from dbhw.nn.encoders.binary import Binary
    >>> all_to_json([Binary(3, True)] * 2)
    [{'encoder': 'binary', 'width': 3, 'signed': True, 'times': 2}]
    """
    runs = ((encoder, len(list(run))) for encoder, run in groupby(encoders))
    return [{**encoder.to_json(), **({"times": times} if times > 1 else {})} for encoder, times in runs]


def all_from_json(data: Sequence[dict[str, Any]]) -> list[Encoder]:
    """The encoders back from plain data.

    >>> len(all_from_json([{"encoder": "binary", "width": 3, "signed": True, "times": 2}]))
    2
    """
    found: list[Encoder] = []
    for each in data:
        times = each.get("times", 1)
        whole("times of an encoder", times, 1)
        if len(found) + times > _MOST_ENCODERS:
            raise DbhwError(f"encoders must be at most {_MOST_ENCODERS}, not {len(found) + times}")
        found += [from_json({name: value for name, value in each.items() if name != "times"})] * times
    return found


def on_bits(encoder: Encoder, x: AnyBits) -> list[AnyBits]:
    """The conditions of an encoder on the bits of an integer (examples, width), one vector of length 1 each.

    >>> from dbhw.nn.bits import BoolBits
    >>> from dbhw.nn.encoders.thermometer import Thermometer
    >>> x = BoolBits(np.array([[True, False], [True, True]]))
    >>> [bit.array.ravel().tolist() for bit in on_bits(Thermometer(2, False, (2, 3)), x)]
    [[False, True], [False, True]]
    """
    own = [x.take(np.array([j])) for j in range(encoder.width)]
    # With its top bit inverted, a number in two's complement is the distance to the lowest one.
    distance = [*own[:-1], ~own[-1]] if encoder.signed else own
    found = []
    for kind, number in encoder.conditions():
        if kind == BIT:
            found.append(own[number])
        elif kind == AT_LEAST:
            found.append(_at_least(distance, number - encoder.lowest))
        else:
            found.append(_equal(distance, number - encoder.lowest))
    return found


def _at_least(bits: Sequence[AnyBits], number: int) -> AnyBits:
    """Bit by bit from the lowest: a high bit of the number asks for its bit, a low one is content with it.

    Comparisons of one integer with several numbers share their lower parts. Bits below the lowest high bit of the
    number do not matter, and are not read.
    """
    if number <= 0 or number >> len(bits):
        return bits[0] | ~bits[0] if number <= 0 else bits[0] & ~bits[0]
    lowest = (number & -number).bit_length() - 1
    found = bits[lowest]
    for j in range(lowest + 1, len(bits)):
        found = bits[j] & found if number >> j & 1 else bits[j] | found
    return found


def _equal(bits: Sequence[AnyBits], number: int) -> AnyBits:
    if not 0 <= number < 1 << len(bits):
        return bits[0] & ~bits[0]
    first, *others = (bit if number >> j & 1 else ~bit for j, bit in enumerate(bits))
    return first.concatenate(*others).all().reshape(1)
