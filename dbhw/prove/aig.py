"""And-inverter graphs: read from AIGER files and written to them, simulated, and taken apart at chosen nodes.

A literal is twice a node's number, plus one if inverted. Node 0 is false, then come the inputs, then the gates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Aig:
    """A graph of two-input ands, `gates[i]` holding the two literals that node 1 + inputs + i reads."""

    inputs: int
    gates: np.ndarray
    outputs: list[int]

    @property
    def nodes(self) -> int:
        return 1 + self.inputs + len(self.gates)

    def reads(self, node: int) -> list[int]:
        """The two literals that a gate reads.

        >>> Aig(2, np.array([[2, 5]]), [6]).reads(3)
        [2, 5]
        """
        return [int(literal) for literal in self.gates[node - 1 - self.inputs]]


def read(path: Path) -> Aig:
    """A binary AIGER file without registers.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(Path(folder, "and.aig"), Aig(2, np.array([[2, 5]]), [7]))
    ...     read(Path(folder, "and.aig"))
    Aig(inputs=2, gates=array([[2, 5]]), outputs=[7])
    """
    data = path.read_bytes()
    header, rest = data.split(b"\n", 1)
    _, inputs, latches, outputs, gates = (int(number) for number in header.split()[1:6])
    if latches:
        raise ValueError("a graph must be without registers")
    *lines, rest = rest.split(b"\n", outputs)
    return Aig(inputs, _gates(rest, inputs, gates), [int(line) for line in lines])


def _gates(data: bytes, inputs: int, many: int) -> np.ndarray:
    """The gates; a file holds the difference of a gate's literal and its first one, and of the first and the second."""
    found = np.zeros((many, 2), np.int64)
    numbers = _numbers(data)
    for i in range(many):
        first = 2 * (1 + inputs + i) - next(numbers)
        found[i] = first - next(numbers), first
    return found


def _numbers(data: bytes) -> Iterator[int]:
    """Whole numbers, seven bits in a byte, the lowest first."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def write(path: Path, aig: Aig) -> None:
    """Writes a binary AIGER file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(Path(folder, "wire.aig"), Aig(1, np.zeros((0, 2), int), [3]))
    ...     Path(folder, "wire.aig").read_bytes()
    b'aig 1 1 0 1 0\\n3\\n'
    """
    head = f"aig {aig.nodes - 1} {aig.inputs} 0 {len(aig.outputs)} {len(aig.gates)}"
    coded = bytearray("\n".join([head, *map(str, aig.outputs), ""]).encode())
    for i, (a, b) in enumerate(aig.gates.tolist()):
        for number in (2 * (1 + aig.inputs + i) - max(a, b), abs(a - b)):
            while number > 127:
                coded.append(number & 127 | 128)
                number >>= 7
            coded.append(number)
    path.write_bytes(coded)


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


def simulate(aig: Aig, words: np.ndarray, known: Mapping[int, int]) -> np.ndarray:
    """Every node's answers, 64 a word; `words` has those of the inputs and of what known nodes are literals over.

    >>> nodes = simulate(Aig(2, np.array([[2, 5]]), [6]), np.array([[0b1100], [0b1010]], np.uint64), {})
    >>> bin(nodes[3, 0])
    '0b100'
    """
    values = np.zeros((aig.nodes, words.shape[1]), np.uint64)
    values[1 : aig.inputs + 1] = words[: aig.inputs]
    for node, literal in known.items():
        values[node] = words[(literal >> 1) - 1] ^ _mask(literal)
    for nodes in _by_depth(aig, known):
        first, second = aig.gates[nodes - 1 - aig.inputs].T
        values[nodes] = of(values, first) & of(values, second)
    return values


def of(values: np.ndarray, literals: np.ndarray) -> np.ndarray:
    """The answers of literals, by those of all nodes.

    >>> of(np.array([[0], [5]], np.uint64), np.array([2])).tolist()
    [[5]]
    """
    return values[literals >> 1] ^ _mask(literals)[..., None]


def _mask(literals: np.ndarray | int) -> np.ndarray:
    return np.where(np.asarray(literals) & 1, np.uint64(2**64 - 1), np.uint64(0))


def _by_depth(aig: Aig, known: Mapping[int, int]) -> list[np.ndarray]:
    """The gates to be computed, in steps that only read the steps before."""
    depth = [0] * aig.nodes
    steps: list[list[int]] = []
    for node, (a, b) in enumerate((aig.gates >> 1).tolist(), aig.inputs + 1):
        if node in known:
            continue
        depth[node] = 1 + max(depth[a], depth[b])
        if depth[node] > len(steps):
            steps.append([])
        steps[depth[node] - 1].append(node)
    return [np.array(nodes) for nodes in steps]
