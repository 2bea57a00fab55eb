"""Drops from a disjunction of conjunctions those that another one covers: a or (a and b) is a.

Learned disjunctions are full of them: once a net has found a short conjunction, its longer ones decide nothing.

before:  3 = and 1 2      after:  output "y" bits 1
         4 = and !1 !3
         output "y" bits !4
"""

from __future__ import annotations

from collections.abc import Iterable

from dbhw.network import AND, Network
from dbhw.passes._rebuild import Copied, rebuild

_MOST_TERMS = 512  # Every two terms are compared.


def run(network: Network) -> Network:
    """The network with covered terms gone.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> n.output("y", [n.or_([a, n.and_([a, b])])])
    >>> len(n), len(run(n))
    (5, 3)
    """

    def replace(new: Network, node: int, copied: Copied) -> int | None:
        if network.kinds[node] != AND or len(network.fanin(node)) > _MOST_TERMS:
            return None
        literals = [copied[f >> 1] ^ (f & 1) for f in network.fanin(node)]
        terms = {literal: _covered_by(new, literal) for literal in literals}
        return new.and_(literal for literal in terms if not _is_absorbed(literal, terms))

    return rebuild(rebuild(network, replace))


def _covered_by(network: Network, literal: int) -> frozenset[int]:
    """What must hold together to make a factor of a conjunction false: not (a and b) needs a and b."""
    node = literal >> 1
    if literal & 1 and network.kinds[node] == AND:
        return frozenset(network.fanin(node))
    return frozenset([literal ^ 1])


def _is_absorbed(literal: int, terms: dict[int, frozenset[int]]) -> bool:
    """Whether another factor is false whenever this one is."""
    others: Iterable[frozenset[int]] = (term for other, term in terms.items() if other != literal)
    return any(term < terms[literal] for term in others)
