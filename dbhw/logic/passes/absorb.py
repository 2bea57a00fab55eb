"""Drops from a disjunction of conjunctions those that another one covers: a or (a and b) is a.

Learned disjunctions are full of them: once a net has found a short conjunction, its longer ones decide nothing.

before:  3 = and 1 2      after:  output "y" bits 1
         4 = and !1 !3
         output "y" bits !4
"""

from __future__ import annotations

import numpy as np

from dbhw.logic.network import AND, Network
from dbhw.logic.rebuild import Copied, rebuild

Term = frozenset[int]


def run(network: Network) -> Network:
    """The network with covered terms gone.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> n.output("y", [n.or_([a, n.and_([a, b])])])
    >>> len(n), len(run(n))
    (5, 3)
    """
    candidates = _with_terms(network)
    if not candidates:
        return network

    def replace(new: Network, node: int, copied: Copied) -> int | None:
        if node not in candidates:
            return None
        literals = [copied[f >> 1] ^ (f & 1) for f in network.fanin(node)]
        return new.and_(_uncovered({literal: _covered_by(new, literal) for literal in literals}))

    return rebuild(rebuild(network, replace))


def _with_terms(network: Network) -> set[int]:
    """The conjunctions that have a complemented conjunction as a factor: only these have terms to be covered."""
    readers, sources, fanins = network.edges()
    kinds = np.array(network.kinds)
    terms = (kinds[readers] == AND) & (kinds[sources] == AND) & (fanins & 1 == 1)
    return set(readers[terms].tolist())


def _covered_by(network: Network, literal: int) -> Term:
    """What must hold together to make a factor of a conjunction false: not (a and b) needs a and b."""
    node = literal >> 1
    if literal & 1 and network.kinds[node] == AND:
        return frozenset(network.fanin(node))
    return frozenset([literal ^ 1])


def _uncovered(terms: dict[int, Term]) -> list[int]:
    """The factors that no other factor covers, by being false whenever they are."""
    by_first: dict[int, list[Term]] = {}
    for term in terms.values():
        by_first.setdefault(min(term), []).append(term)
    # A term that covers another has its own first literal in it, so only those that start there are compared.
    return [
        literal
        for literal, term in terms.items()
        if not any(other < term for first in term for other in by_first.get(first, ()))
    ]
