"""The nodes of a logic network, and how they are read: arrays of integers, not a Python object per node.

A bit is a *literal*: twice a node's number, plus one if complemented. Node 0 is the constant false, so literal 0 is
false and literal 1 is true. Integer nodes (counts, argmax) are named by their node number and never complemented.

| kind   | fanin                 | value                                                       |
|--------|-----------------------|-------------------------------------------------------------|
| INPUT  |                       | the next input bit                                          |
| AND    | literals              | their conjunction                                           |
| XOR    | positive literals     | their parity                                                |
| LUT    | positive literals     | the bit of a table (parameter: its index) that they number  |
| COUNT  | positive literals     | offset (parameter) + sum of coefficient x bit; an integer   |
| SUM    | COUNTs, SUMs          | offset (parameter) + sum of coefficient x integer           |
| GE, EQ | one COUNT or SUM      | integer >= parameter, integer = parameter                   |
| ARGMAX | COUNTs                | index of the largest, the lowest index on ties; an integer  |

A SUM is a count that shares its parts with others (`passes/share.py`). It means the same as the COUNT of all its bits,
which `linear` gives; only code that adds numbers up looks at its parts.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Self

import numpy as np

from dbhw.logic.linear import Linear

CONST, INPUT, AND, XOR, LUT, COUNT, GE, EQ, ARGMAX, SUM = range(10)
KIND_NAMES = ["const", "input", "and", "xor", "lut", "count", "ge", "eq", "argmax", "sum"]
OVER_BITS = (AND, XOR, LUT, COUNT)  # Their fanin are literals; that of the other kinds are integer nodes.
TOTALS = (COUNT, SUM)
INTEGERS = (COUNT, SUM, ARGMAX)
COMPARISONS = (GE, EQ)
FALSE, TRUE = 0, 1


@dataclass(frozen=True)
class Output:
    """A named output: a vector of bits (literals), or of integers (node numbers) that take `width` bits each.

    The width belongs to the output's meaning, not to the values it happens to take: simplifying must not change ports.

    >>> Output("label", "integers", (7,), width=2).width
    2
    """

    name: str
    kind: str  # "bits" or "integers"
    members: tuple[int, ...]
    width: int = 1


class Graph:
    """The nodes and outputs of a network. `dbhw.logic.network.Network` makes them."""

    def __init__(self) -> None:
        self.kinds = array("B")
        self.parameters = array("q")
        self.starts = array("q", [0])
        self.fanins = array("q")
        self.coefficients = array("q")
        self.layers = array("H")
        self.layer_names: list[str] = ["inputs"]
        self.layer_ends: list[tuple[int, ...]] = []  # What each layer gives, where lowering has said so.
        self.input_names: list[str] = []
        self.outputs: list[Output] = []
        self.tables: list[int] = []  # The truth tables of LUTs, whose parameters are places in this list.
        self._sum_bounds: dict[int, tuple[int, int]] = {}
        self._append(CONST, 0, ())

    def __len__(self) -> int:
        return len(self.kinds)

    def fanin(self, node: int) -> Sequence[int]:
        return self.fanins[self.starts[node] : self.starts[node + 1]]

    def linear(self, node: int) -> Linear:
        """The sum of bits that a COUNT or a SUM stands for.

        >>> from dbhw.logic.network import Network
        >>> n = Network(); a = n.input("a"); twice = n.count([(a, 2)], 1)
        >>> n.linear(twice), n.linear(n.sum_of([(twice, 3)]))
        (Linear(coefficients={1: 2}, constant=1), Linear(coefficients={1: 6}, constant=3))
        """
        if self.kinds[node] == SUM:
            return self._all_bits(node)
        start, end = self.starts[node], self.starts[node + 1]
        sources = [literal >> 1 for literal in self.fanins[start:end]]
        return Linear(dict(zip(sources, self.coefficients[start:end], strict=True)), self.parameters[node])

    def parts(self, node: int) -> list[tuple[int, int]]:
        """The integers that a SUM adds up, each with its coefficient.

        >>> from dbhw.logic.network import Network
        >>> n = Network(); bit = n.input("a"); one, two = n.count([(bit, 1)]), n.count([(bit, 2)])
        >>> n.parts(n.sum_of([(one, 3), (two, -1)]))
        [(2, 3), (3, -1)]
        """
        span = slice(self.starts[node], self.starts[node + 1])
        return list(zip(self.fanins[span], self.coefficients[span], strict=True))

    def _all_bits(self, node: int) -> Linear:
        """The bits of a SUM: its parts are replaced by theirs, the last made first."""
        bits: list[tuple[int, int]] = []
        constant, pending = 0, {node: 1}
        while pending:
            last = max(pending)
            factor = pending.pop(last)
            constant += factor * self.parameters[last]
            for source, c in self.parts(last):
                if self.kinds[last] == SUM:
                    pending[source] = pending.get(source, 0) + factor * c
                else:
                    bits.append((source, factor * c))
        return Linear.of(bits, constant)

    def table(self, node: int) -> int:
        """The truth table of a LUT, over its fanin."""
        return self.tables[self.parameters[node]]

    def inputs(self) -> range:
        """The nodes of the inputs, which always come first."""
        return range(1, 1 + len(self.input_names))

    def nodes(self) -> range:
        """The nodes that compute something: all after the inputs. A node reads only nodes before it."""
        return range(1 + len(self.input_names), len(self))

    def needed(self) -> list[int]:
        """Those of `nodes()` that outputs depend on.

        >>> from dbhw.logic.network import Network
        >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b])])
        >>> unused = n.xor([a, b])
        >>> n.nodes(), n.needed()
        (range(3, 5), [3])
        """
        counts = self.reader_counts()
        return [node for node in self.nodes() if counts[node]]

    def bounds(self, node: int) -> tuple[int, int]:
        """The least and the largest value of an integer node.

        >>> from dbhw.logic.network import Network
        >>> n = Network(); a, b = n.input("a"), n.input("b")
        >>> n.bounds(n.count([(a, 1), (b, 2)]))
        (0, 3)
        """
        if self.kinds[node] == ARGMAX:
            return 0, len(self.fanin(node)) - 1
        if self.kinds[node] != SUM:
            return self.linear(node).bounds()
        if node not in self._sum_bounds:  # Hardware asks often, and all bits of a sum have to be collected for it.
            self._sum_bounds[node] = self.linear(node).bounds()
        return self._sum_bounds[node]

    def sources(self, node: int) -> list[int]:
        """The nodes a node reads."""
        if self.kinds[node] in OVER_BITS:
            return [literal >> 1 for literal in self.fanin(node)]
        return list(self.fanin(node))

    def output_nodes(self) -> list[int]:
        """The nodes of the outputs, one entry per member."""
        return [m >> 1 if o.kind == "bits" else m for o in self.outputs for m in o.members]

    def edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Who reads what, as arrays with an entry for each fanin: the reader, the node it reads, and the fanin itself.

        >>> from dbhw.logic.network import Network
        >>> n = Network(); a, b = n.input("a"), n.input("b"); both = n.and_([a, b ^ 1])
        >>> [column.tolist() for column in n.edges()]
        [[3, 3], [1, 2], [2, 5]]
        """
        fanins = np.array(self.fanins, np.int64)
        readers = np.repeat(np.arange(len(self)), np.diff(np.array(self.starts)))
        literals = np.isin(np.array(self.kinds), OVER_BITS)[readers]
        return readers, np.where(literals, fanins >> 1, fanins), fanins

    def reader_counts(self) -> list[int]:
        """How often each node is read on the way to the outputs; 0 for those that no output depends on.

        >>> from dbhw.logic.network import Network
        >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [a])
        >>> n.reader_counts()
        [0, 1, 0]
        """
        read = np.concatenate([self.edges()[1], np.array(self.output_nodes(), np.int64)])
        counts = np.bincount(read, minlength=len(self)).tolist()
        # What only unread nodes read is unread too.
        pending = [node for node, count in enumerate(counts) if not count]
        while pending:
            for source in self.sources(pending.pop()):
                counts[source] -= 1
                if not counts[source]:
                    pending.append(source)
        return counts

    def with_outputs(self, outputs: list[Output]) -> Self:
        """The same nodes, seen through other outputs; for reading only."""
        view = copy(self)
        view.outputs = outputs
        return view

    def _append(self, kind: int, parameter: int, fanin: tuple[int, ...], coefficients: tuple[int, ...] = ()) -> int:
        self.kinds.append(kind)
        self.parameters.append(parameter)
        self.fanins.extend(fanin)
        self.coefficients.extend(coefficients or (0,) * len(fanin))
        self.starts.append(len(self.fanins))
        self.layers.append(len(self.layer_names) - 1)
        return len(self.kinds) - 1
