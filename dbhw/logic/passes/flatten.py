"""Merges a conjunction or parity into its reader, if that is of the same kind and the only one.

before:  4 = and 1 2      after:  4 = and 1 2 3
         5 = and 3 4              output "y" bits 4
         output "y" bits 5
"""

import numpy as np

from dbhw.logic.network import AND, FALSE, XOR, Network
from dbhw.logic.rebuild import Copied, rebuild


def run(network: Network) -> Network:
    """The network with nested conjunctions and parities merged where nobody else reads the inner one.

    >>> n = Network(); a, b, c = (n.input(name) for name in "abc")
    >>> n.output("y", [n.and_([n.and_([a, b]), c])])
    >>> len(n), len(run(n))
    (6, 5)
    """
    taken = _taken(network)
    if not taken:
        return network

    def merged(node: int) -> list[int]:
        # A stack instead of recursion: a chain may be as long as the network.
        found, pending = [], list(network.fanin(node))
        while pending:
            literal = pending.pop()
            if literal >> 1 in taken:
                pending += network.fanin(literal >> 1)
            else:
                found.append(literal)
        return found

    def replace(new: Network, node: int, copied: Copied) -> int | None:
        if node in taken:
            return FALSE  # Its one reader does not read it any more.
        if network.kinds[node] not in (AND, XOR):
            return None
        literals = [copied[m >> 1] ^ (m & 1) for m in merged(node)]
        return new.and_(literals) if network.kinds[node] == AND else new.xor(literals)

    return rebuild(network, replace)


def _taken(network: Network) -> set[int]:
    """The nodes that are merged into their one reader."""
    readers, sources, fanins = network.edges()
    kinds, times_read = np.array(network.kinds), np.array(network.reader_counts())
    same = (kinds[readers] == kinds[sources]) & (times_read[readers] > 0) & (times_read[sources] == 1)
    # A complemented conjunction is a disjunction and stays.
    fits = (kinds[sources] == XOR) | ((kinds[sources] == AND) & (fanins & 1 == 0))
    return set(sources[same & fits].tolist())
