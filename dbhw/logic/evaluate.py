"""Evaluation of a logic network: on booleans, on words of 64 examples each, and as truth tables over a few inputs.

The three share no code but the visitor. The first two give the same, so that each can check the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from dbhw.logic import planes, truth
from dbhw.logic.linear import Linear
from dbhw.logic.network import Network, Output
from dbhw.logic.planes import Planes
from dbhw.logic.visit import Visitor

_CHUNK = 1 << 14


def on_booleans(network: Network, x: np.ndarray) -> dict[str, np.ndarray]:
    """The outputs for booleans (examples, inputs): booleans or integers (examples, members) by output name.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> n.output("both", [n.and_([a, b])])
    >>> on_booleans(n, np.array([[1, 0], [1, 1]], bool))["both"].tolist()
    [[False], [True]]
    """
    chunks = [x[i : i + _CHUNK] for i in range(0, len(x), _CHUNK)] or [x]
    parts = [_Booleans(network, chunk).outputs() for chunk in chunks]
    return {o.name: np.concatenate([part[o.name] for part in parts]) for o in network.outputs}


class _Booleans(Visitor[np.ndarray]):
    """The value of every node, a boolean or an integer for each example."""

    def __init__(self, network: Network, x: np.ndarray) -> None:
        super().__init__(network)
        self.examples = len(x)
        self.values: list[np.ndarray] = [np.zeros(len(x), bool), *(x[:, i] for i in range(x.shape[1]))]
        for node in network.nodes():
            self.values.append(self.visit(node))

    def outputs(self) -> dict[str, np.ndarray]:
        return {o.name: np.stack([self._member(o, m) for m in o.members], axis=1) for o in self.network.outputs}

    def _member(self, output: Output, member: int) -> np.ndarray:
        return self._bit(member) if output.kind == "bits" else self.values[member]

    def _bit(self, literal: int) -> np.ndarray:
        return ~self.values[literal >> 1] if literal & 1 else self.values[literal >> 1]

    def conjunction(self, node: int, literals: Sequence[int]) -> np.ndarray:
        return np.logical_and.reduce([self._bit(f) for f in literals])

    def parity(self, node: int, literals: Sequence[int]) -> np.ndarray:
        return np.logical_xor.reduce([self._bit(f) for f in literals])

    def table(self, node: int, table: int, literals: Sequence[int]) -> np.ndarray:
        rows = np.array([table >> i & 1 for i in range(1 << len(literals))], bool)
        return rows[sum(self._bit(f).astype(np.int64) << j for j, f in enumerate(literals))]

    def count(self, node: int, linear: Linear) -> np.ndarray:
        return self._sum(linear.coefficients.items(), linear.constant)

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> np.ndarray:
        return self._sum(parts, constant)

    def _sum(self, terms: Iterable[tuple[int, int]], constant: int) -> np.ndarray:
        total = np.full(self.examples, constant, np.int64)
        for source, coefficient in terms:
            total += coefficient * self.values[source].astype(np.int64)
        return total

    def at_least(self, node: int, integer: int, k: int) -> np.ndarray:
        return self.values[integer] >= k

    def exactly(self, node: int, integer: int, k: int) -> np.ndarray:
        return self.values[integer] == k

    def argmax(self, node: int, integers: Sequence[int]) -> np.ndarray:
        return np.argmax(np.stack([self.values[i] for i in integers]), axis=0)


def on_words(network: Network, x: np.ndarray) -> dict[str, np.ndarray]:
    """The same as `on_booleans`, computed on packed words.

    >>> n = Network(); a, b, c = (n.input(v) for v in "abc")
    >>> n.output("most", [n.at_least([(a, 1), (b, 1), (c, 1)], 2)])
    >>> on_words(n, np.array([[1, 0, 1], [0, 1, 0]], bool))["most"].tolist()
    [[True], [False]]
    """
    return _Words(network, x).outputs()


class _Words(Visitor[Planes]):
    """The value of every node in bit planes: a bit is one plane, an integer is how far it is above its least value."""

    def __init__(self, network: Network, x: np.ndarray) -> None:
        super().__init__(network)
        self.examples = len(x)
        words = planes.pack(x)
        self.zero = np.zeros(len(words), np.uint64)
        self.planes: dict[int, Planes] = {0: [self.zero]}
        for i, node in enumerate(network.inputs()):
            self.planes[node] = [words[:, i]]
        for node in network.nodes():
            self.planes[node] = self.visit(node)

    def outputs(self) -> dict[str, np.ndarray]:
        return {o.name: np.stack([self._member(o, m) for m in o.members], axis=1) for o in self.network.outputs}

    def _member(self, output: Output, member: int) -> np.ndarray:
        return planes.unpack(self._bit(member), self.examples) if output.kind == "bits" else self._integers(member)

    def _integers(self, node: int) -> np.ndarray:
        return planes.integers(self.planes[node], self.examples) + self._least(node)

    def _least(self, integer: int) -> int:
        return self.network.bounds(integer)[0]

    def _bit(self, literal: int) -> np.ndarray:
        word = self.planes[literal >> 1][0]
        return ~word if literal & 1 else word

    def conjunction(self, node: int, literals: Sequence[int]) -> Planes:
        return [np.bitwise_and.reduce([self._bit(f) for f in literals])]

    def parity(self, node: int, literals: Sequence[int]) -> Planes:
        return [np.bitwise_xor.reduce([self._bit(f) for f in literals])]

    def table(self, node: int, table: int, literals: Sequence[int]) -> Planes:
        return [_look_up(table, [self._bit(f) for f in literals])]

    def count(self, node: int, linear: Linear) -> Planes:
        terms = [(self._bit(n * 2 ^ (c < 0)), abs(c)) for n, c in linear.coefficients.items()]
        return planes.total([bit for bit, _ in terms], [c for _, c in terms]) if terms else [self.zero]

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> Planes:
        low, high = self.network.bounds(node)
        shift = constant - low + sum(c * self._least(part) for part, c in parts)
        width = max((high - low).bit_length(), 1)
        return planes.modular([(self.planes[part], c) for part, c in parts], shift, width)

    def at_least(self, node: int, integer: int, k: int) -> Planes:
        return [planes.at_least(self.planes[integer], k - self._least(integer))]

    def exactly(self, node: int, integer: int, k: int) -> Planes:
        return [planes.equal(self.planes[integer], k - self._least(integer))]

    def argmax(self, node: int, integers: Sequence[int]) -> Planes:
        index = np.argmax(np.stack([self._integers(i) for i in integers]), axis=0)
        digits = index[:, None] >> np.arange((len(integers) - 1).bit_length()) & 1
        return list(planes.pack(digits.astype(bool)).T)


def _look_up(table: int, inputs: list[np.ndarray]) -> np.ndarray:
    """Shannon expansion on the last input: the upper half of the table where it is high."""
    half = 1 << (len(inputs) - 1)
    low, high = table & (1 << half) - 1, table >> half
    if len(inputs) == 1:
        zero = np.zeros_like(inputs[0])
        return (inputs[0] & (~zero if high else zero)) | (~inputs[0] & (~zero if low else zero))
    return (inputs[-1] & _look_up(high, inputs[:-1])) | (~inputs[-1] & _look_up(low, inputs[:-1]))


class Tables(Visitor[list[int]]):
    """The truth tables of nodes over some of the inputs; the nodes must depend on no other inputs.

    A count has a table for each binary digit of how far it is above its least value, the lowest digit first.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); both = n.and_([a, b ^ 1])
    >>> bin(Tables(n, [1, 2]).of(both >> 1))
    '0b10'
    """

    def __init__(self, network: Network, inputs: list[int]) -> None:
        super().__init__(network)
        self.n = len(inputs)
        self.everywhere = truth.ones(self.n)
        self.tables: dict[int, list[int]] = {0: [0]}
        self.tables.update((node, [p]) for node, p in zip(inputs, truth.projections(self.n), strict=True))

    def of(self, node: int) -> int:
        """The table of a bit."""
        # A stack instead of recursion: a network may be deep.
        pending = [node]
        while pending:
            missing = [s for s in self.network.sources(pending[-1]) if s not in self.tables]
            if missing:
                pending += missing
            elif (last := pending.pop()) not in self.tables:
                self.tables[last] = self.visit(last)
        return self.tables[node][0]

    def _literal(self, literal: int) -> int:
        return self.tables[literal >> 1][0] ^ (self.everywhere if literal & 1 else 0)

    def conjunction(self, node: int, literals: Sequence[int]) -> list[int]:
        value = self.everywhere
        for literal in literals:
            value &= self._literal(literal)
        return [value]

    def parity(self, node: int, literals: Sequence[int]) -> list[int]:
        value = 0
        for literal in literals:
            value ^= self._literal(literal)
        return [value]

    def table(self, node: int, table: int, literals: Sequence[int]) -> list[int]:
        return [truth.compose(table, [self._literal(f) for f in literals], self.n)]

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> list[int]:
        return self.count(node, self.network.linear(node))

    def count(self, node: int, linear: Linear) -> list[int]:
        low, high = linear.bounds()
        digits = [0] * max((high - low).bit_length(), 1)
        for source, coefficient in linear.coefficients.items():
            for j in range(abs(coefficient).bit_length()):
                carry = self._literal(source * 2 ^ (coefficient < 0)) if abs(coefficient) >> j & 1 else 0
                while carry:
                    digits[j], carry = digits[j] ^ carry, digits[j] & carry
                    j += 1
        return digits

    def at_least(self, node: int, integer: int, k: int) -> list[int]:
        value, steps = self.everywhere, k - self.network.bounds(integer)[0]
        for j, digit in enumerate(self.tables[integer]):
            value = digit & value if steps >> j & 1 else digit | value
        return [value]

    def exactly(self, node: int, integer: int, k: int) -> list[int]:
        value, steps = self.everywhere, k - self.network.bounds(integer)[0]
        for j, digit in enumerate(self.tables[integer]):
            value &= digit if steps >> j & 1 else digit ^ self.everywhere
        return [value]

    def argmax(self, node: int, integers: Sequence[int]) -> list[int]:
        raise AssertionError(f"node {node} must be a bit or a count, not an argmax")
