"""Passes, one file each: a network goes in, an equivalent network comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dbhw.base import terminal
from dbhw.base.registry import Plugins
from dbhw.logic.network import Network

PLUGINS = Plugins("pass", __name__)

# From the cheapest to the one that profits from the others' work; then what became unused goes.
DEFAULT = ["flatten", "absorb", "collapse", "dead", "share"]


def names() -> list[str]:
    """The names of all passes.

    >>> "dead" in names()
    True
    """
    return PLUGINS.names()


def find(name: str) -> Callable[[Network], Network]:
    """The pass of that name.

    >>> find("dead").__module__
    'dbhw.logic.passes.dead'
    """
    return PLUGINS.module(name).run


@terminal.working("simplifying the network")
def simplify(network: Network, chosen: Sequence[str] = DEFAULT) -> Network:
    """The chosen passes, one after another.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); unused = n.xor([a, b])
    >>> n.output("y", [n.and_([a, b])])
    >>> len(n), len(simplify(n))
    (5, 4)
    """
    for name in chosen:
        network = find(name)(network)
    return network
