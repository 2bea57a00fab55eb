"""Copying a network node by node, with a chance to make something else of each: what passes are built on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dbhw.logic.linear import Linear
from dbhw.logic.network import COUNT, EQ, GE, Network
from dbhw.logic.visit import Visitor

Copied = list[int]  # By old node: the literal or integer node that stands for it in the new network.
Replace = Callable[[Network, int, Copied], int | None]


def rebuild(network: Network, replace: Replace | None = None) -> Network:
    """A copy of the reachable part; where `replace` returns a literal or integer node, that stands for the old one.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); unused = n.xor([a, b]); n.output("y", [a])
    >>> len(n), len(rebuild(n))
    (4, 3)
    """
    new = Network()
    copier = Copier(network, new)
    copied = copier.copied
    for node in network.inputs():
        copied[node] = new.input(network.input_names[node - 1])
    for node in network.needed():
        for name in network.layer_names[len(new.layer_names) : network.layers[node] + 1]:
            new.begin_layer(name)
        made = replace(new, node, copied) if replace else None
        copied[node] = copier.visit(node) if made is None else made
    for name in network.layer_names[len(new.layer_names) :]:
        new.begin_layer(name)
    copier.outputs()
    return new


class Copier(Visitor[int]):
    """Makes a network's nodes again in a new network, over what their sources became there (`copied`).

    >>> old, new = Network(), Network()
    >>> both = old.and_([old.input("a"), old.input("b")])
    >>> copier = Copier(old, new)
    >>> copier.copied[1:3] = new.input("a"), new.input("b")
    >>> copier.visit(both >> 1)
    6
    """

    def __init__(self, network: Network, new: Network) -> None:
        super().__init__(network)
        self.new = new
        self.copied: Copied = [0] * len(network)

    def literals(self, literals: Sequence[int]) -> list[int]:
        """What literals of the old network became."""
        return [self.copied[f >> 1] ^ (f & 1) for f in literals]

    def outputs(self) -> None:
        """Makes the outputs of the old network those of the new one."""
        for output in self.network.outputs:
            if output.kind == "bits":
                self.new.output(output.name, self.literals(output.members))
            else:
                self.new.integer_output(output.name, [self.copied[m] for m in output.members], output.width)

    def visit(self, node: int) -> int:
        if self.network.kinds[node] == COUNT:
            # Half of a large net: where it stays in normal form, its terms need not be collected again.
            bits = self.literals(self.network.fanin(node))
            if _in_order(bits):
                return self.new.take(self.network, node, bits)
        return super().visit(node)

    def conjunction(self, node: int, literals: Sequence[int]) -> int:
        return self.new.and_(self.literals(literals))

    def parity(self, node: int, literals: Sequence[int]) -> int:
        return self.new.xor(self.literals(literals))

    def table(self, node: int, table: int, literals: Sequence[int]) -> int:
        inputs = self.literals(literals)
        return self.new.take(self.network, node, inputs) * 2 if _in_order(inputs) else self.new.lut(table, inputs)

    def count(self, node: int, linear: Linear) -> int:
        return self.new.count([(self.copied[bit], c) for bit, c in linear.coefficients.items()], linear.constant)

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> int:
        return self.new.sum_of([(self.copied[part], c) for part, c in parts], constant)

    def at_least(self, node: int, integer: int, k: int) -> int:
        return self._comparison(GE, node, integer, k)

    def exactly(self, node: int, integer: int, k: int) -> int:
        return self._comparison(EQ, node, integer, k)

    def _comparison(self, kind: int, node: int, integer: int, k: int) -> int:
        count = self.copied[integer]
        if _same_coefficients(self.network, integer, self.new, count):
            return self.new.take(self.network, node, [count]) * 2
        return self.new.compare(kind, count, k)

    def argmax(self, node: int, integers: Sequence[int]) -> int:
        return self.new.argmax([self.copied[i] for i in integers])


def _in_order(literals: list[int]) -> bool:
    """Whether literals are as they stand in a normal form: of different nodes, none constant or complemented."""
    ordered = literals == sorted(set(literals))
    return ordered and literals != [] and literals[0] > 1 and not any(map((1).__and__, literals))


def _same_coefficients(network: Network, old: int, new: Network, count: int) -> bool:
    if network.kinds[old] != COUNT or new.kinds[count] != COUNT:
        return False
    a = network.coefficients[network.starts[old] : network.starts[old + 1]]
    return a == new.coefficients[new.starts[count] : new.starts[count + 1]] and not new.parameters[count]
