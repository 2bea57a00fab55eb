"""One place that knows every kind of node: a visitor has a method for each of them.

A visitor that lacks a method is refused when its class is defined. So a new kind of node is added here, and Python
names every class that does not handle it yet. The constant and the inputs are not visited: whoever visits the nodes
starts with their values.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from dbhw.logic.linear import Linear
from dbhw.logic.network import AND, ARGMAX, COUNT, EQ, GE, LUT, SUM, XOR, Network

Value = TypeVar("Value")
# By kind: the method for such nodes, and what it gets besides the node's number.
_KINDS: dict[int, tuple[str, Callable[[Network, int], tuple]]] = {
    AND: ("conjunction", lambda n, node: (n.fanin(node),)),
    XOR: ("parity", lambda n, node: (n.fanin(node),)),
    LUT: ("table", lambda n, node: (n.table(node), n.fanin(node))),
    COUNT: ("count", lambda n, node: (n.linear(node),)),
    SUM: ("sum", lambda n, node: (n.parts(node), n.parameters[node])),
    GE: ("at_least", lambda n, node: (n.fanin(node)[0], n.parameters[node])),
    EQ: ("exactly", lambda n, node: (n.fanin(node)[0], n.parameters[node])),
    ARGMAX: ("argmax", lambda n, node: (n.fanin(node),)),
}


class Visitor(Generic[Value]):
    """What becomes of the nodes of a network: one method per kind.

    >>> class Fanins(Visitor[int]):
    ...     def conjunction(self, node, literals):
    ...         return len(literals)
    Traceback (most recent call last):
    ...
    TypeError: visitor Fanins must have the methods parity, table, count, sum, at_least, exactly, argmax
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        missing = [name for name, _ in _KINDS.values() if getattr(cls, name) is getattr(Visitor, name)]
        if missing:
            raise TypeError(f"visitor {cls.__name__} must have the methods {', '.join(missing)}")

    def __init__(self, network: Network) -> None:
        self.network = network

    def visit(self, node: int) -> Value:
        """What the method of the node's kind makes of it."""
        name, arguments = _KINDS[self.network.kinds[node]]
        return getattr(self, name)(node, *arguments(self.network, node))

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
