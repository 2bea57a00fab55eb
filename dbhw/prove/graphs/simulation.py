"""Graphs simulated on many inputs at once, 64 in a word."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dbhw.logic import planes
from dbhw.prove.graphs.aig import Aig

_EXAMPLES = 4096


def packed(x: np.ndarray) -> np.ndarray:
    """Inputs (vectors, inputs) as words, one row of them for each input: what `simulate` takes.

    >>> packed(np.array([[True, False], [True, True]])).tolist()
    [[3], [2]]
    """
    return np.ascontiguousarray(planes.pack(x).T)


def unpacked(words: np.ndarray, vectors: int) -> np.ndarray:
    """Words, one row of them for each literal, as booleans (vectors, literals).

    >>> unpacked(np.array([[3], [2]], np.uint64), 2).astype(int).tolist()
    [[1, 0], [1, 1]]
    """
    return planes.unpack(words.T, vectors)


def examples(inputs: int) -> np.ndarray:
    """Random inputs of random densities, and some that differ in one bit only.

    >>> examples(3).shape
    (4096, 3)
    """
    random = np.random.default_rng(0)
    x = random.random((_EXAMPLES, inputs)) < random.random((_EXAMPLES, 1))
    half = _EXAMPLES // 2
    flipped = np.arange(inputs) == random.integers(0, inputs, half)[:, None]
    return np.concatenate([x[:half], x[:half] ^ flipped])


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
