"""Where a proof may be cut: the bits and numbers of a network that its hardware is likely to have as wires too.

These are the bits that counts add up, the outcomes of their comparisons, the counts themselves where an argmax reads
them, and whatever one layer reads of another. `sweep.py` says what is done with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from dbhw.logic.network import COMPARISONS, COUNT, INPUT, INTEGERS, Network, Output


@dataclass(frozen=True)
class Point:
    """A bit, or all the digits of a number, as literals of a graph; and the layer that it belongs to."""

    layer: str
    literals: tuple[int, ...]


Points = Sequence[Sequence[Point]]  # in steps: those of a step depend on the steps before


def nodes(network: Network) -> list[list[int]]:
    """The nodes to cut at, in steps: those of a step depend on the steps before, and not on each other.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); both = n.and_([a, b])
    >>> n.output("y", [n.at_least([(both, 1), (a, 2), (b, 2)], 3)])
    >>> nodes(n)
    [[3], [5]]
    """
    chosen = _chosen(network)
    steps: list[list[int]] = []
    depth = [0] * len(network)
    for node in network.needed():
        depth[node] = max((depth[s] + (s in chosen) for s in network.sources(node)), default=0)
        if node in chosen:
            steps += [[] for _ in range(depth[node] + 1 - len(steps))]
            steps[depth[node]].append(node)
    return [step for step in steps if step]


def _chosen(network: Network) -> set[int]:
    """A count that is only compared is none of them: hardware need not have its digits, and the outcome is one."""
    found: set[int] = set()
    for node in network.needed():
        kind, sources = network.kinds[node], network.sources(node)
        if kind in COMPARISONS:
            found.add(node)
            continue
        apart = kind in INTEGERS
        found.update(s for s in sources if apart or network.layers[s] != network.layers[node])
    return {node for node in found if node and network.kinds[node] != INPUT}


def shown(network: Network, steps: Sequence[Sequence[int]]) -> Network:
    """The network with an output for every node of the steps, behind its own.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b])])
    >>> [output.name for output in shown(n, [[3]]).outputs]
    ['y', 'node_3']
    """
    outputs = []
    subtracted = _subtracted(network)
    for node in (node for step in steps for node in step):
        if network.kinds[node] in INTEGERS:
            outputs.append(Output(f"node_{node}", "integers", (node,), _digits(network, node)))
        else:
            outputs.append(Output(f"node_{node}", "bits", (2 * node + (node in subtracted),)))
    return network.with_outputs([*network.outputs, *outputs])


def _subtracted(network: Network) -> set[int]:
    """The nodes that some count subtracts. Inverted they add to it, so that many high bits make a large number."""
    counts = [node for node in network.needed() if network.kinds[node] == COUNT]
    return {node for count in counts for node, c in network.linear(count).coefficients.items() if c < 0}


def located(network: Network, steps: Sequence[Sequence[int]], literals: Sequence[int]) -> list[list[Point]]:
    """The points of the steps, where `literals` are what a graph has for the outputs behind the network's own.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b])])
    >>> located(n, [[3]], [10])
    [[Point(layer='inputs', literals=(10,))]]
    """
    left = iter(literals)
    return [[Point(_layer(network, n), tuple(islice(left, _digits(network, n)))) for n in step] for step in steps]


def _layer(network: Network, node: int) -> str:
    return network.layer_names[network.layers[node]]


def _digits(network: Network, node: int) -> int:
    """As many digits as a number can have; those that it has not are constant, and nobody cuts there."""
    if network.kinds[node] not in INTEGERS:
        return 1
    low, high = network.bounds(node)
    return (high - min(low, 0)).bit_length() + 1
