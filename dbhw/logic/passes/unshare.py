"""Takes sums of shared parts apart again: every sum becomes the count of all its bits.

The printed program shows a sum as a whole, and proofs compare it as a whole.

before:  3 = count 0 1*1        after:  3 = count 0 2*1 1*2
         4 = count 0 1*2                output "y" integers/2 3
         5 = sum 0 2*3 1*4
         output "y" integers/2 5
"""

from __future__ import annotations

from dbhw.logic.network import SUM, Network
from dbhw.logic.rebuild import Copied, rebuild


def run(network: Network) -> Network:
    """The network with every sum of parts as the count of all its bits.

    >>> n = Network(); x, y = n.input("x"), n.input("y"); one, other = n.count([(x, 1)]), n.count([(y, 1)])
    >>> n.integer_output("total", [n.sum_of([(one, 2), (other, 1)])], 2)
    >>> whole = run(n)
    >>> whole.linear(whole.outputs[0].members[0]).coefficients
    {1: 2, 2: 1}
    """
    if SUM not in network.kinds:
        return network

    def replace(new: Network, node: int, copied: Copied) -> int | None:
        if network.kinds[node] != SUM:
            return None
        linear = network.linear(node)
        return new.count([(copied[bit], c) for bit, c in linear.coefficients.items()], linear.constant)

    return rebuild(rebuild(network, replace))
