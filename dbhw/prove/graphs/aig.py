"""And-inverter graphs: read from AIGER files and written to them, simulated, and taken apart at chosen nodes.

A literal is twice a node's number, plus one if inverted. Node 0 is false, then come the inputs, then the gates.
"""

from __future__ import annotations

from collections.abc import Iterator
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
