"""A network as ANDs and XORs only: what a processor computes, on words of many examples at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dbhw.logic.factor import factored
from dbhw.logic.network import FALSE, TRUE, Network
from dbhw.logic.sliced import Field, Planes, slice_into


@dataclass(frozen=True)
class Gates:
    """Makes the bits of a network as gates of another: sums by carry-save adders, tables factored.

    >>> gates = Gates(Network()); a, b, c = (gates.input(v) for v in "abc")
    >>> digits = gates.total([[a, b, c], []])
    >>> len(gates.network)  # a full adder is five gates
    9
    """

    network: Network

    def input(self, name: str) -> int:
        return self.network.input(name)

    def and_(self, literals: Iterable[int]) -> int:
        return self.network.and_(literals)

    def xor(self, literals: Iterable[int]) -> int:
        return self.network.xor(literals)

    def lut(self, table: int, literals: Sequence[int]) -> int:
        return factored(self.network, table, literals)

    def total(self, columns: Sequence[Sequence[int]]) -> Planes:
        left = [list(column)[::-1] for column in columns]
        for j, column in enumerate(left):
            above = left[j + 1] if j + 1 < len(left) else []
            carries = []
            while len(column) > 1:
                # The running sum stays on top of the column: it is at hand when the next bits are.
                digit, carry = self._add(column.pop(), column.pop(), column.pop() if column else FALSE)
                column.append(digit)
                carries.append(carry)
            above += carries[::-1]
        return [column[0] if column else FALSE for column in left]

    def _add(self, a: int, b: int, c: int) -> tuple[int, int]:
        half = self.network.xor([a, b])
        carry = self.network.or_([self.network.and_([a, b]), self.network.and_([half, c])])
        return self.network.xor([half, c]), carry

    def at_least(self, planes: Planes, k: int) -> int:
        reached = TRUE  # from the lowest digit up: at least so far, given the digits below
        for j, plane in enumerate(planes):
            joined = self.network.and_ if k >> j & 1 else self.network.or_
            reached = joined([plane, reached])
        return reached


@dataclass(frozen=True)
class Sliced:
    """A network of gates whose one output is all planes of the fields, side by side."""

    network: Network
    fields: tuple[Field, ...]


def to_gates(network: Network) -> Sliced:
    """The network as ANDs and XORs, and what its planes mean.

    >>> n = Network(); n.integer_output("label", [n.count([(n.input("a"), 1)])], 1)
    >>> to_gates(n).fields
    (Field(output='label', planes=(2,), least=0),)
    """
    new = Network()
    fields = slice_into(Gates(new), network)
    new.output("planes", [plane for field in fields for plane in field.planes])
    return Sliced(new, tuple(fields))


def to_bits(network: Network) -> Network:
    """The network as ANDs and XORs whose outputs are bits: an integer becomes its binary digits, the lowest first.

    >>> n = Network(); n.integer_output("label", [n.count([(n.input("a"), 1)], 1)], 2)
    >>> to_bits(n).outputs
    [Output(name='label', kind='bits', members=(3, 2), width=1)]
    """
    new = Network()
    gates = Gates(new)
    fields = iter(slice_into(gates, network))
    for output in network.outputs:
        new.output(output.name, [bit for _ in output.members for bit in _digits(gates, next(fields), output.width)])
    return new


def _digits(gates: Gates, field: Field, width: int) -> Planes:
    """The digits of a field's value, which is its least value more than its planes say."""
    columns = [[plane] for plane in (*field.planes, *[FALSE] * width)][:width]
    for j, column in enumerate(columns):
        column += [TRUE] * (field.least >> j & 1)
    return gates.total(columns)
