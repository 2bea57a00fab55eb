"""What nodes of a graph depend on, and what depends on them; parts of graphs, and nodes that two graphs make alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from dbhw.prove.graphs.aig import Aig


def part(aig: Aig, outputs: Sequence[int], known: Mapping[int, int], inputs: int) -> Aig:
    """What lies between outputs and known nodes, each of which becomes a literal over a number of inputs.

    >>> a_and_b_and_c = Aig(3, np.array([[2, 4], [6, 8]]), [10])
    >>> part(a_and_b_and_c, [10], {4: 9}, inputs=4)
    Aig(inputs=4, gates=array([[6, 9]]), outputs=[10])
    """
    literals = {0: 0, **{node: 2 * node for node in range(1, aig.inputs + 1)}, **known}
    gates: list[list[int]] = []
    for node in _cone(aig, outputs, literals):
        gates.append([literals[f >> 1] ^ (f & 1) for f in aig.reads(node)])
        literals[node] = 2 * (inputs + len(gates))
    array = np.array(gates, np.int64).reshape(-1, 2)
    return Aig(inputs, array, [literals[f >> 1] ^ (f & 1) for f in outputs])


def _cone(aig: Aig, roots: Iterable[int], ends: Mapping[int, int]) -> list[int]:
    """The gates that literals depend on, up to where it ends, the lowest first: gates read only lower ones."""
    found: set[int] = set()
    pending = [f >> 1 for f in roots]
    while pending:
        node = pending.pop()
        if node not in ends and node not in found:
            found.add(node)
            pending += [f >> 1 for f in aig.reads(node)]
    return sorted(found)


def support(aig: Aig, literals: Iterable[int], known: Mapping[int, int]) -> set[int]:
    """The inputs that literals depend on, where known nodes are literals over inputs.

    >>> a_and_b_and_c = Aig(3, np.array([[2, 4], [6, 8]]), [10])
    >>> support(a_and_b_and_c, [10], {}), support(a_and_b_and_c, [10], {4: 9})
    ({1, 2, 3}, {3, 4})
    """
    literals = list(literals)
    ends = {0: 0, **{node: 2 * node for node in range(1, aig.inputs + 1)}, **known}
    read = {f >> 1 for node in _cone(aig, literals, ends) for f in aig.reads(node)} | {f >> 1 for f in literals}
    return {ends[node] >> 1 for node in read if node in ends} - {0}


def above(aig: Aig, nodes: set[int]) -> set[int]:
    """The gates that depend on any of the nodes.

    >>> above(Aig(3, np.array([[2, 4], [6, 8]]), [10]), {4}), above(Aig(3, np.array([[2, 4], [6, 8]]), [10]), {3})
    ({5}, {5})
    """
    found: set[int] = set()
    for i, (first, second) in enumerate((aig.gates >> 1).tolist()):
        if first in nodes or second in nodes or first in found or second in found:
            found.add(1 + aig.inputs + i)
    return found


def twins(a: Aig, b: Aig) -> dict[int, int]:
    """For nodes of `a` those of `b` that are made in the same way of the same inputs, and so are equal.

    >>> three = Aig(3, np.array([[2, 4], [6, 8]]), [10])
    >>> twins(three, Aig(3, np.array([[2, 6], [4, 2], [6, 10]]), [12]))
    {0: 0, 1: 1, 2: 2, 3: 3, 4: 5, 5: 6}
    """
    made = {(min(pair), max(pair)): 1 + a.inputs + i for i, pair in enumerate(a.gates.tolist())}
    same = {node: node for node in range(1 + min(a.inputs, b.inputs))}
    for i, pair in enumerate(b.gates.tolist()):
        if all(f >> 1 in same for f in pair):
            first, second = (2 * same[f >> 1] + (f & 1) for f in pair)
            node = made.get((min(first, second), max(first, second)))
            if node is not None:
                same[1 + b.inputs + i] = node
    return {node: other for other, node in same.items()}
