"""Pairs of bits, one of each of two networks, that are to be proved equal before their sums are compared.

Passes may find that two bits are one, and then a count has a term less: its adder tree is another one, and no SAT
solver can tell that two unrelated adder trees agree. So every bit that a count of the network adds up is paired with a
bit of the simplified network. Simulation says which pairs to try. ABC proves them, which is easy, for there are no sums
in them; with the pairs proved, the sums are compared by linear forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dbhw.logic import evaluate, planes
from dbhw.logic.network import COUNT, INTEGERS, Network, Output
from dbhw.prove.graphs.simulation import examples

FRONT = "terms"


@dataclass(frozen=True)
class Pairs:
    """For each bit that counts add up, by node, the literal of the simplified network that stands for it.

    Several bits of the simplified network itself may seem equal; the first of them stands for all.
    """

    network: dict[int, int]
    simple: dict[int, int]


def pairs(network: Network, simple: Network) -> Pairs | None:
    """What seems equal; None if there are no counts, if counts depend on counts, or if a bit has no equal.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.integer_output("y", [n.count([(n.and_([a, b]), 1)])], 1)
    >>> m = Network(); a, b = m.input("a"), m.input("b"); both = m.and_([b, a])
    >>> m.integer_output("y", [m.count([(both, 1)])], 1)
    >>> pairs(n, m)
    Pairs(network={3: 6}, simple={3: 6})
    """
    own, others = terms(network), terms(simple)
    if not own or _counts_again(network, own) or _counts_again(simple, others):
        return None
    x = examples(len(network.input_names))
    known = {b"": 0}
    of_simple, of_network = {}, {}
    for node, (signature, inverted) in zip(others, _signatures(simple, others, x), strict=True):
        of_simple[node] = known.setdefault(signature, 2 * node ^ inverted) ^ inverted
    for node, (signature, inverted) in zip(own, _signatures(network, own, x), strict=True):
        if signature not in known:
            return None
        of_network[node] = known[signature] ^ inverted
    return Pairs(of_network, of_simple)


def front(network: Network, literals: Sequence[int]) -> Network:
    """The network seen through these bits only.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b])])
    >>> front(n, [a ^ 1]).outputs
    [Output(name='terms', kind='bits', members=(3,), width=1)]
    """
    return network.with_outputs([Output(FRONT, "bits", tuple(literals))])


def terms(network: Network) -> list[int]:
    """The nodes whose bits are added up.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.integer_output("y", [n.count([(a, 1), (b, 2)])], 2)
    >>> terms(n)
    [1, 2]
    """
    counts = [node for node in network.needed() if network.kinds[node] == COUNT]
    return sorted({bit for count in counts for bit in network.linear(count).coefficients})


def _counts_again(network: Network, nodes: Sequence[int]) -> bool:
    return any(network.kinds[node] in INTEGERS for node in front(network, [2 * n for n in nodes]).needed())


def _signatures(network: Network, nodes: Sequence[int], x: np.ndarray) -> list[tuple[bytes, bool]]:
    """For each node what it answers, inverted if its first answer is high; nothing for a constant."""
    if not nodes:
        return []
    bits = evaluate.on_words(front(network, [2 * node for node in nodes]), x)[FRONT]
    inverted = bits[0].astype(bool)
    packed = planes.pack(bits ^ inverted)
    alike = (bits == bits[0]).all(axis=0)
    return [(b"" if a else packed[:, i].tobytes(), bool(inverted[i])) for i, a in enumerate(alike.tolist())]
