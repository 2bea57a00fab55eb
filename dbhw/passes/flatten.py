"""Takes a conjunction or parity that has one reader of its own kind into that reader.

before:  4 = and 1 2      after:  4 = and 1 2 3
         5 = and 3 4              output "y" bits 4
         output "y" bits 5
"""

from dbhw.network import AND, XOR, Network
from dbhw.passes._rebuild import Copied, rebuild


def run(network: Network) -> Network:
    """The network with nested conjunctions and parities merged where nobody else reads the inner one.

    >>> n = Network(); a, b, c = (n.input(name) for name in "abc")
    >>> n.output("y", [n.and_([n.and_([a, b]), c])])
    >>> len(n), len(run(n))
    (6, 5)
    """
    readers = network.reader_counts()
    shown = set(network.output_nodes())

    def merged(node: int) -> list[int]:
        kind, found = network.kinds[node], []
        for literal in network.fanin(node):
            inner = literal >> 1
            # A complemented conjunction is a disjunction and stays; a complemented parity is a parity.
            takes = (
                network.kinds[inner] == kind
                and readers[inner] == 1
                and inner not in shown
                and not (kind == AND and literal & 1)
            )
            found += merged(inner) if takes else [literal]
        return found

    def replace(new: Network, node: int, copied: Copied) -> int | None:
        if network.kinds[node] not in (AND, XOR):
            return None
        literals = [copied[m >> 1] ^ (m & 1) for m in merged(node)]
        return new.and_(literals) if network.kinds[node] == AND else new.xor(literals)

    return rebuild(rebuild(network, replace))
