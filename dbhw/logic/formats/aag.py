"""AIGER, the text form (.aag): an and-inverter graph that people can read."""

from __future__ import annotations

from dbhw.logic.formats import aiger
from dbhw.logic.network import Network


def write(network: Network) -> str:
    """The network as an AIGER file in text.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b]) ^ 1])
    >>> write(n).splitlines()
    ['aag 3 2 0 1 1', '2', '4', '7', '6 4 2', 'i0 a', 'i1 b', 'o0 y']
    """
    graph = aiger.to_graph(network)
    inputs = len(graph.inputs)
    lines = [graph.header("aag"), *(str(2 * i) for i in range(1, inputs + 1)), *(str(f) for f, _ in graph.outputs)]
    lines += [f"{2 * i} {larger} {smaller}" for i, (larger, smaller) in enumerate(graph.gates, inputs + 1)]
    return "\n".join([*lines, graph.symbols()])


def read(text: str) -> Network:
    """The network of an AIGER file in text.

    >>> n = Network(); a = n.input("a"); n.output("y", [a ^ 1])
    >>> read(write(n)).outputs == n.outputs
    True
    """
    return aiger.read(text.encode())
