"""Copying a network node by node, with a chance to make something else of each: what passes are built on."""

from __future__ import annotations

from collections.abc import Callable

from dbhw.network import AND, ARGMAX, COUNT, GE, INPUT, LUT, XOR, Network

Copied = dict[int, int]  # An old node, and the literal or integer node that stands for it in the new network.
Replace = Callable[[Network, int, Copied], int | None]


def rebuild(network: Network, replace: Replace | None = None) -> Network:
    """A copy of the reachable part; where `replace` returns a literal or integer node, that stands for the old one.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); unused = n.xor([a, b]); n.output("y", [a])
    >>> len(n), len(rebuild(n))
    (4, 3)
    """
    new = Network()
    readers = network.reader_counts()
    copied: Copied = {0: 0}
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
    >>> copy(old, new, both >> 1, {1: new.input("a"), 2: new.input("b")})
    6
    """
    kind, fanin = network.kinds[node], network.fanin(node)
    if kind == COUNT:
        linear = network.linear(node)
        return new.count([(copied[n], c) for n, c in linear.coefficients.items()], linear.constant)
    if kind == ARGMAX:
        return new.argmax([copied[f] for f in fanin])
    if kind in (AND, XOR, LUT):
        literals = [copied[f >> 1] ^ (f & 1) for f in fanin]
        return {AND: new.and_, XOR: new.xor}[kind](literals) if kind != LUT else new.lut(network.table(node), literals)
    if kind == INPUT:
        return copied[node]
    linear = network.linear(fanin[0])
    terms = [(copied[n], c) for n, c in linear.coefficients.items()]
    return (new.at_least if kind == GE else new.exactly)(terms, network.parameters[node] - linear.constant)
