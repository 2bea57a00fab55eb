"""Replaces a bit that depends on six inputs or fewer by what its truth table says.

The structure may mention more inputs: a learned net often carries terms that never decide anything. Bits whose
structure mentions up to twelve inputs are tabulated in full, so nothing is guessed.

before:  3 = and 1 2      after:  3 = xor 1 2
         4 = and !1 !2            output "y" bits !3
         5 = and !3 !4
         output "y" bits !5
"""

from __future__ import annotations

import numpy as np

from dbhw import evaluate, tables
from dbhw.network import ARGMAX, COUNT, Network, Output
from dbhw.passes._rebuild import Copied, rebuild

_MOST_INPUTS = 12


def run(network: Network) -> Network:
    """The network with its small functions in normal form.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> n.output("y", [n.or_([n.and_([a, b ^ 1]), n.and_([a ^ 1, b])])])
    >>> len(n), len(run(n))
    (6, 4)
    """
    replacement = _small_functions(network)

    def replace(new: Network, node: int, copied: Copied) -> int | None:
        if node not in replacement:
            return None
        table, inputs = replacement[node]
        return new.lut(table, [copied[i] for i in inputs])

    return rebuild(rebuild(network, replace))


def _small_functions(network: Network) -> dict[int, tuple[int, list[int]]]:
    """For each bit worth replacing: its truth table over the inputs it really depends on."""
    supports = _supports(network)
    readers = network.reader_counts()
    first = 1 + len(network.input_names)
    wanted: dict[int, list[int]] = {}
    for node in range(first, len(network)):
        support = supports[node]
        if readers[node] and support is not None and network.kinds[node] not in (COUNT, ARGMAX):
            wanted.setdefault(support, []).append(node)
    found: dict[int, tuple[int, list[int]]] = {}
    for support, nodes in wanted.items():
        inputs = [i for i in network.inputs() if support >> i & 1]
        for node, column in zip(nodes, _tabulate(network, inputs, nodes), strict=True):
            depends = _essential(column, len(inputs))
            if len(depends) <= tables.MAX_INPUTS:
                index = [sum((i >> a & 1) << j for a, j in enumerate(depends)) for i in range(1 << len(depends))]
                table = sum(int(column[source]) << i for i, source in enumerate(index))
                found[node] = (table, [inputs[j] for j in depends])
    return found


def _supports(network: Network) -> list[int | None]:
    """A bit mask of the inputs each node's structure mentions; None above the limit."""
    supports: list[int | None] = [0, *(1 << i for i in network.inputs())]
    for node in range(len(supports), len(network)):
        mask: int | None = 0
        for source in network.sources(node):
            below = supports[source]
            mask = None if mask is None or below is None else mask | below
        supports.append(None if mask is None or mask.bit_count() > _MOST_INPUTS else mask)
    return supports


def _tabulate(network: Network, inputs: list[int], nodes: list[int]) -> np.ndarray:
    """The values of nodes for every combination of some inputs, the others being low: (nodes, combinations)."""
    probe = network.with_outputs([Output("probe", "bits", tuple(node * 2 for node in nodes))])
    combinations = np.arange(1 << len(inputs))
    x = np.zeros((len(combinations), len(network.input_names)), bool)
    for j, node in enumerate(inputs):
        x[:, node - 1] = combinations >> j & 1
    return evaluate.on_words(probe, x, _cone(network, nodes))["probe"].T


def _cone(network: Network, nodes: list[int]) -> list[int]:
    """All nodes but inputs that some nodes depend on, in order."""
    first = 1 + len(network.input_names)
    found: set[int] = set()
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if node >= first and node not in found:
            found.add(node)
            pending += network.sources(node)
    return sorted(found)


def _essential(column: np.ndarray, n: int) -> list[int]:
    cube = column.reshape((2,) * n)
    return [j for j in range(n) if (np.take(cube, 0, n - 1 - j) != np.take(cube, 1, n - 1 - j)).any()]
