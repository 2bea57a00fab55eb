"""A network cut into its layers, each a network of its own, so that area and proofs can be had layer by layer."""

from __future__ import annotations

from dbhw.logic.network import COMPARISONS, INTEGERS, Network
from dbhw.logic.rebuild import Copier


def cut(network: Network) -> dict[int, Network]:
    """By number, the layers that read anything: its inputs are what it reads of others, its outputs what others read.

    >>> n = Network(); a, b, c = (n.input(v) for v in "abc")
    >>> n.begin_layer("and"); both = n.and_([a, b])
    >>> n.begin_layer("or"); n.output("y", [n.or_([both, c])])
    >>> {i: layer.input_names for i, layer in cut(n).items()}
    {1: ['n1', 'n2'], 2: ['n3', 'n4']}
    """
    nodes: dict[int, list[int]] = {}
    for node in network.needed():
        nodes.setdefault(network.layers[node], []).append(node)
    shown = _shown(network)
    layers = {layer: _layer(network, members, shown) for layer, members in sorted(nodes.items())}
    return {number: layer for number, layer in layers.items() if layer.input_names}


def _shown(network: Network) -> set[int]:
    """The nodes that outputs or other layers read."""
    found = set(network.output_nodes())
    for node in network.needed():
        found.update(s for s in _reads(network, node) if network.layers[s] != network.layers[node])
    return found


def _reads(network: Network, node: int) -> list[int]:
    """What a node reads; a comparison whose count is in another layer reads the bits, and counts them again."""
    sources = network.sources(node)
    if network.kinds[node] in COMPARISONS and network.layers[sources[0]] != network.layers[node]:
        return network.sources(sources[0])
    return sources


def _layer(network: Network, members: list[int], shown: set[int]) -> Network:
    new = Network()
    copier = Copier(network, new)
    copied = copier.copied
    inside = set(members)
    outside = sorted({s for node in members for s in _reads(network, node)} - inside - {0})
    digits = {s: [new.input(f"n{s}_{j}") for j in range(_width(network, s))] for s in outside if _integer(network, s)}
    for source in outside:
        if source not in digits:
            copied[source] = new.input(f"n{source}")
    new.begin_layer(network.layer_names[network.layers[members[0]]])
    for source, bits in digits.items():
        copied[source] = new.count([(bit, 1 << j) for j, bit in enumerate(bits)], min(network.bounds(source)[0], 0))
    for node in members:
        if network.kinds[node] in COMPARISONS and (count := network.fanin(node)[0]) not in inside:
            copied[count] = copier.visit(count)
        copied[node] = copier.visit(node)
    for node in members:
        if node in shown and _integer(network, node):
            new.integer_output(f"n{node}", [copied[node]], _width(network, node))
    bits = [copied[node] for node in members if node in shown and not _integer(network, node)]
    if bits:
        new.output("y", bits)
    return new


def _integer(network: Network, node: int) -> bool:
    return network.kinds[node] in INTEGERS


def _width(network: Network, node: int) -> int:
    low, high = network.bounds(node)
    return max((high - min(low, 0)).bit_length(), 1)
