"""Copying a network node by node, with a chance to make something else of each: what passes are built on."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from dbhw.logic.network import AND, ARGMAX, COUNT, EQ, GE, INPUT, LUT, SUM, XOR, Network

Copied = list[int]  # By old node: the literal or integer node that stands for it in the new network.
Replace = Callable[[Network, int, Copied], int | None]


def rebuild(network: Network, replace: Replace | None = None) -> Network:
    """A copy of the reachable part; where `replace` returns a literal or integer node, that stands for the old one.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); unused = n.xor([a, b]); n.output("y", [a])
    >>> len(n), len(rebuild(n))
    (4, 3)
    """
    new = Network()
    readers = network.reader_counts()
    copied: Copied = [0] * len(network)
    for node in network.inputs():
        copied[node] = new.input(network.input_names[node - 1])
    for node in range(1 + len(network.input_names), len(network)):
        while len(new.layer_names) <= network.layers[node]:
            new.begin_layer(network.layer_names[len(new.layer_names)])
        if readers[node]:
            made = replace(new, node, copied) if replace else None
            copied[node] = copy(network, new, node, copied) if made is None else made
    for name in network.layer_names[len(new.layer_names) :]:
        new.begin_layer(name)
    for output in network.outputs:
        if output.kind == "bits":
            new.output(output.name, [copied[m >> 1] ^ (m & 1) for m in output.members])
        else:
            new.integer_output(output.name, [copied[m] for m in output.members], output.width)
    return new


def copy(network: Network, new: Network, node: int, copied: Copied) -> int:
    """The same node in the new network, over what its sources became.

    >>> old, new = Network(), Network()
    >>> both = old.and_([old.input("a"), old.input("b")])
    >>> copy(old, new, both >> 1, [0, new.input("a"), new.input("b")])
    6
    """
    kind, fanin = network.kinds[node], network.fanin(node)
    if kind in (GE, EQ):
        return _copy_comparison(network, new, node, copied)
    if kind == ARGMAX:
        return new.argmax([copied[f] for f in fanin])
    if kind == SUM:
        return new.sum_of([(copied[part], c) for part, c in network.parts(node)], network.parameters[node])
    if kind == INPUT:
        return copied[node]
    literals = [copied[f >> 1] ^ (f & 1) for f in fanin]
    if kind == AND:
        return new.and_(literals)
    if kind == XOR:
        return new.xor(literals)
    if _in_order(literals):
        taken = new.take(network, node, literals)
        return taken if kind == COUNT else taken * 2
    if kind == LUT:
        return new.lut(network.table(node), literals)
    linear = network.linear(node)
    return new.count(zip(literals, linear.coefficients.values(), strict=True), linear.constant)


def _copy_comparison(network: Network, new: Network, node: int, copied: Copied) -> int:
    old_count = network.fanin(node)[0]
    count = copied[old_count]
    if _same_coefficients(network, old_count, new, count):
        return new.take(network, node, [count]) * 2
    return new.compare(network.kinds[node], count, network.parameters[node])


def _in_order(literals: list[int]) -> bool:
    """Whether literals are as they stand in a normal form: of different nodes, none constant or complemented."""
    rising = all(a < b for a, b in pairwise(literals))
    return rising and literals != [] and literals[0] > 1 and not any(literal & 1 for literal in literals)


def _same_coefficients(network: Network, old: int, new: Network, count: int) -> bool:
    if network.kinds[old] != COUNT or new.kinds[count] != COUNT:
        return False
    a = network.coefficients[network.starts[old] : network.starts[old + 1]]
    return a == new.coefficients[new.starts[count] : new.starts[count + 1]] and not new.parameters[count]
