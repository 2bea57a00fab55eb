"""One place that knows every kind of node: a visitor has a method for each of them.

A visitor that lacks a method is refused when its class is defined, so a new kind of node is added here, and Python then
names every class that does not know it yet. Inputs and the constant are no nodes to visit: whoever visits starts
with them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from dbhw.logic.linear import Linear
from dbhw.logic.network import AND, ARGMAX, COUNT, EQ, GE, KIND_NAMES, LUT, SUM, XOR, Network

Value = TypeVar("Value")
_METHODS = {
    AND: "conjunction",
    XOR: "parity",
    LUT: "table",
    COUNT: "count",
    SUM: "sum",
    GE: "at_least",
    EQ: "exactly",
    ARGMAX: "argmax",
}


class Visitor(Generic[Value]):
    """What becomes of the nodes of a network, one method a kind.

    >>> class Inputs(Visitor[int]):
    ...     def conjunction(self, node, literals): return len(literals)
    Traceback (most recent call last):
    ...
    TypeError: Inputs must have a method for every kind of node, but lacks parity, table, count, sum, at_least, exactly, \
argmax
    """

    def __init_subclass__(cls) -> None:
        missing = [name for name in _METHODS.values() if getattr(cls, name) is getattr(Visitor, name)]
        if missing:
            raise TypeError(f"{cls.__name__} must have a method for every kind of node, but lacks {', '.join(missing)}")

    def __init__(self, network: Network) -> None:
        self.network = network
        readers: dict[int, Callable[[int], Value]] = {
            AND: lambda node: self.conjunction(node, network.fanin(node)),
            XOR: lambda node: self.parity(node, network.fanin(node)),
            LUT: lambda node: self.table(node, network.table(node), network.fanin(node)),
            COUNT: lambda node: self.count(node, network.linear(node)),
            SUM: lambda node: self.sum(node, network.parts(node), network.parameters[node]),
            GE: lambda node: self.at_least(node, network.fanin(node)[0], network.parameters[node]),
            EQ: lambda node: self.exactly(node, network.fanin(node)[0], network.parameters[node]),
            ARGMAX: lambda node: self.argmax(node, network.fanin(node)),
        }
        self._by_kind = [readers.get(kind, _not_visited) for kind in range(len(KIND_NAMES))]

    def visit(self, node: int) -> Value:
        """What the method of the node's kind makes of it."""
        return self._by_kind[self.network.kinds[node]](node)

    @abstractmethod
    def conjunction(self, node: int, literals: Sequence[int]) -> Value: ...

    @abstractmethod
    def parity(self, node: int, literals: Sequence[int]) -> Value: ...

    @abstractmethod
    def table(self, node: int, table: int, literals: Sequence[int]) -> Value: ...

    @abstractmethod
    def count(self, node: int, linear: Linear) -> Value: ...

    @abstractmethod
    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> Value: ...

    @abstractmethod
    def at_least(self, node: int, integer: int, k: int) -> Value: ...

    @abstractmethod
    def exactly(self, node: int, integer: int, k: int) -> Value: ...

    @abstractmethod
    def argmax(self, node: int, integers: Sequence[int]) -> Value: ...


def _not_visited(node: int) -> Value:
    raise AssertionError(f"node {node} is an input or the constant, which a visitor starts with")
