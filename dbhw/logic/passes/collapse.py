"""Replaces a bit that depends on six inputs or fewer by the node that its truth table makes.

The bit's structure may mention more inputs: a learned net often has terms that never decide anything. Bits whose
structure mentions up to twelve inputs are tabulated in full, so nothing is guessed.

before:  3 = and 1 2      after:  3 = xor 1 2
         4 = and !1 !2            output "y" bits !3
         5 = and !3 !4
         output "y" bits !5
"""

from __future__ import annotations

from dbhw.logic import truth
from dbhw.logic.evaluate import Tables
from dbhw.logic.network import AND, EQ, INTEGERS, LUT, XOR, Network
from dbhw.logic.rebuild import Copied, rebuild

_LUT_INPUTS = 6  # of the largest look-up tables that FPGAs have; a wider function would need several of them
_MOST_INPUTS = 12
Support = tuple[int, ...]


def run(network: Network) -> Network:
    """The network with its small functions in normal form.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> n.output("y", [n.or_([n.and_([a, b ^ 1]), n.and_([a ^ 1, b])])])
    >>> len(n), len(run(n))
    (6, 4)
    """
    replacement = _small_functions(network)
    if not replacement:
        return network

    def replace(new: Network, node: int, copied: Copied) -> int | None:
        if node not in replacement:
            return None
        table, inputs = replacement[node]
        return new.lut(table, [copied[i] for i in inputs])

    return rebuild(rebuild(network, replace))


def _small_functions(network: Network) -> dict[int, tuple[int, list[int]]]:
    """For each bit worth replacing: its truth table over the inputs it really depends on."""
    wanted: dict[Support, list[int]] = {}
    for node, support in _candidates(network):
        wanted.setdefault(support, []).append(node)
    found: dict[int, tuple[int, list[int]]] = {}
    for support, nodes in wanted.items():
        tables = Tables(network, list(support))
        for node in nodes:
            table = tables.of(node)
            depends = truth.essential(table, len(support))
            if len(depends) <= _LUT_INPUTS:
                found[node] = (truth.restrict(table, depends), [support[j] for j in depends])
    return found


def _candidates(network: Network) -> list[tuple[int, Support]]:
    """Bits whose table may say something new, with the inputs that their structure mentions."""
    readers = network.reader_counts()
    first = network.nodes().start
    supports: list[Support | None] = [(), *((i,) for i in network.inputs())]
    # Whether a node depends on all inputs that its structure mentions; then nothing is gained if those are many.
    exact = [True] * first
    found = []
    for node in network.nodes():
        kind, sources = network.kinds[node], network.sources(node)
        below = [supports[s] for s in sources]
        support = _union(below)
        supports.append(support)
        apart = support is not None and sum(len(b) for b in below if b is not None) == len(support)
        exact.append(apart and kind != EQ and all(exact[s] for s in sources))
        if support is None or not readers[node] or kind in INTEGERS:
            continue
        normal = kind in (AND, XOR, LUT) and sources[-1] < first
        if not (exact[node] and (normal or len(support) > _LUT_INPUTS)):
            found.append((node, support))
    return found


def _union(supports: list[Support | None]) -> Support | None:
    """All their inputs; None above the limit."""
    together: set[int] = set()
    for support in supports:
        if support is None or len(together) > _MOST_INPUTS:
            return None
        together.update(support)
    return tuple(sorted(together)) if len(together) <= _MOST_INPUTS else None
