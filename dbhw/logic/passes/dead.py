"""Drops what no output depends on.

before:  3 = and 1 2      after:  3 = xor 1 2
         4 = xor 1 2              output "y" bits 3
         output "y" bits 4
"""

from dbhw.logic.network import Network
from dbhw.logic.rebuild import rebuild


def run(network: Network) -> Network:
    """The network without unreachable nodes; all inputs stay.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); unused = n.and_([a, b]); n.output("y", [a])
    >>> len(n), len(run(n))
    (4, 3)
    """
    own = network.reader_counts()[1 + len(network.input_names) :]
    return network if all(own) else rebuild(network)
