"""The logic network: a flat, structurally hashed graph of n-ary nodes, normalised and folded where they are made.

A bit is a *literal*: twice a node's number, plus one if complemented. Node 0 is the constant false, so literal 0 is
false and literal 1 is true. Integer nodes (counts, argmax) are named by their node number and never complemented.

| kind   | fanin                 | value                                                       |
|--------|-----------------------|-------------------------------------------------------------|
| INPUT  |                       | the next input bit                                          |
| AND    | literals              | their conjunction                                           |
| XOR    | positive literals     | their parity                                                |
| LUT    | positive literals     | bit of the table (parameter) that they number               |
| COUNT  | positive literals     | offset (parameter) + sum of coefficient x bit; an integer   |
| SUM    | COUNTs, SUMs          | offset (parameter) + sum of coefficient x integer           |
| GE, EQ | one COUNT or SUM      | integer >= parameter, integer = parameter                   |
| ARGMAX | COUNTs                | index of the largest, the lowest index on ties; an integer  |

Normal forms, so that equal functions of equal inputs tend to be one node: in a count x and not x are one variable
with one signed coefficient, constants move into the offset or the threshold, the coefficients of a comparison have no
common divisor and start with a positive one, a COUNT that is compared has offset 0, and a comparison that is a
conjunction or disjunction becomes one. A SUM is a count that shares its parts with others (`passes/share.py`): it
means the same as the COUNT of all its bits, `linear` says which, and only those look at its parts that add them up.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np

from dbhw.logic import truth
from dbhw.logic.linear import Linear

CONST, INPUT, AND, XOR, LUT, COUNT, GE, EQ, ARGMAX, SUM = range(10)
KIND_NAMES = ["const", "input", "and", "xor", "lut", "count", "ge", "eq", "argmax", "sum"]
INTEGERS = (COUNT, SUM, ARGMAX)
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


class Network:
    """A logic network under construction; its methods make nodes and return literals or integer nodes.

    >>> n = Network()
    >>> a, b = n.input("a"), n.input("b")
    >>> n.and_([a, b, a]) == n.and_([b, a]), n.and_([a, a ^ 1]) == FALSE
    (True, True)
    """

    def __init__(self) -> None:
        self.kinds = array("B")
        self.parameters = array("q")
        self.starts = array("q", [0])
        self.fanins = array("q")
        self.coefficients = array("q")
        self.layers = array("H")
        self.layer_names: list[str] = ["inputs"]
        self.input_names: list[str] = []
        self.outputs: list[Output] = []
        self._hash: dict[bytes, int] = {}
        self._sum_bounds: dict[int, tuple[int, int]] = {}
        self._new(CONST, 0, ())

    # Reading

    def __len__(self) -> int:
        return len(self.kinds)

    def fanin(self, node: int) -> Sequence[int]:
        return self.fanins[self.starts[node] : self.starts[node + 1]]

    def linear(self, node: int) -> Linear:
        """The sum of bits that a COUNT or a SUM stands for.

        >>> n = Network(); a = n.input("a"); twice = n.count([(a, 2)], 1)
        >>> n.linear(twice), n.linear(n.sum_of([(twice, 3)]))
        (Linear(coefficients={1: 2}, constant=1), Linear(coefficients={1: 6}, constant=3))
        """
        if self.kinds[node] == SUM:
            return self._all_bits(node)
        span = slice(self.starts[node], self.starts[node + 1])
        terms = zip(self.fanins[span], self.coefficients[span], strict=True)
        return Linear({literal >> 1: c for literal, c in terms}, self.parameters[node])

    def parts(self, node: int) -> list[tuple[int, int]]:
        """The integers that a SUM adds up, each with its coefficient.

        >>> n = Network(); bit = n.input("a"); one, two = n.count([(bit, 1)]), n.count([(bit, 2)])
        >>> n.parts(n.sum_of([(one, 3), (two, -1)]))
        [(2, 3), (3, -1)]
        """
        span = slice(self.starts[node], self.starts[node + 1])
        return list(zip(self.fanins[span], self.coefficients[span], strict=True))

    def _all_bits(self, node: int) -> Linear:
        """What a SUM comes to, its parts taken apart from the last made to the first."""
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
        """The truth table of a LUT."""
        return self.parameters[node] & truth.ones(truth.MAX_INPUTS)

    def inputs(self) -> range:
        """The nodes of the inputs, which always come first."""
        return range(1, 1 + len(self.input_names))

    def bounds(self, node: int) -> tuple[int, int]:
        """The least and the largest value of an integer node.

        >>> n = Network(); a, b = n.input("a"), n.input("b")
        >>> n.bounds(n.count([(a, 1), (b, 2)]))
        (0, 3)
        """
        if self.kinds[node] == ARGMAX:
            return 0, len(self.fanin(node)) - 1
        if self.kinds[node] != SUM:
            return self.linear(node).bounds()
        if node not in self._sum_bounds:  # Hardware asks often, and a sum has to be taken apart for it.
            self._sum_bounds[node] = self.linear(node).bounds()
        return self._sum_bounds[node]

    def sources(self, node: int) -> list[int]:
        """The nodes a node reads."""
        if self.kinds[node] in (AND, XOR, LUT, COUNT):
            return [literal >> 1 for literal in self.fanin(node)]
        return list(self.fanin(node))

    def output_nodes(self) -> list[int]:
        """The nodes that outputs name, once for each time they do."""
        return [m >> 1 if o.kind == "bits" else m for o in self.outputs for m in o.members]

    def edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Who reads what, as arrays with an entry for each fanin: the reader, the node it reads, and the fanin itself.

        >>> n = Network(); a, b = n.input("a"), n.input("b"); both = n.and_([a, b ^ 1])
        >>> [column.tolist() for column in n.edges()]
        [[3, 3], [1, 2], [2, 5]]
        """
        fanins = np.array(self.fanins, np.int64)
        readers = np.repeat(np.arange(len(self)), np.diff(np.array(self.starts)))
        literals = np.isin(np.array(self.kinds), (AND, XOR, LUT, COUNT))[readers]
        return readers, np.where(literals, fanins >> 1, fanins), fanins

    def reader_counts(self) -> list[int]:
        """How often each node is read on the way to the outputs; 0 for those that no output depends on.

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

    def with_outputs(self, outputs: list[Output]) -> Network:
        """The same nodes, seen through other outputs; for reading only."""
        view = Network.__new__(Network)
        view.__dict__.update(self.__dict__)
        view.outputs = outputs
        return view

    # Making

    def begin_layer(self, name: str) -> None:
        """Nodes made from here on belong to the layer of this name."""
        self.layer_names.append(name)

    def input(self, name: str) -> int:
        if len(self) != 1 + len(self.input_names):
            raise ValueError("inputs must be made before any other node")
        self.input_names.append(name)
        return self._new(INPUT, len(self.input_names) - 1, ()) * 2

    def output(self, name: str, literals: Iterable[int]) -> None:
        self.outputs.append(Output(name, "bits", tuple(literals)))

    def integer_output(self, name: str, nodes: Iterable[int], width: int) -> None:
        self.outputs.append(Output(name, "integers", tuple(nodes), width))

    def and_(self, literals: Iterable[int]) -> int:
        members = set(literals)
        members.discard(TRUE)
        if FALSE in members or any(m ^ 1 in members for m in members):
            return FALSE
        if not members:
            return TRUE
        if len(members) == 1:
            return members.pop()
        return self._node(AND, 0, tuple(sorted(members))) * 2

    def or_(self, literals: Iterable[int]) -> int:
        return self.and_(m ^ 1 for m in literals) ^ 1

    def xor(self, literals: Iterable[int]) -> int:
        odd: set[int] = set()
        complement = 0
        for literal in literals:
            complement ^= literal & 1
            odd ^= {literal & ~1}
        odd.discard(FALSE)
        if len(odd) < 2:
            return (odd.pop() if odd else FALSE) ^ complement
        return self._node(XOR, 0, tuple(sorted(odd))) * 2 ^ complement

    def lut(self, table: int, literals: Sequence[int]) -> int:
        """The look-up of `table` at the number whose bit j is literal j.

        >>> n = Network(); a, b = n.input("a"), n.input("b")
        >>> n.lut(0b0110, [a, b]) == n.xor([a, b])
        True
        """
        nodes = sorted({literal >> 1 for literal in literals} - {0})
        place = {node: j for j, node in enumerate(nodes)}

        def bit(literal: int, i: int) -> int:
            return (literal & 1) ^ (i >> place[literal >> 1] & 1 if literal >> 1 else 0)

        index = (sum(bit(literal, i) << j for j, literal in enumerate(literals)) for i in range(1 << len(nodes)))
        return self._table_node(sum((table >> source & 1) << i for i, source in enumerate(index)), nodes)

    def _table_node(self, table: int, nodes: list[int]) -> int:
        kept = truth.essential(table, len(nodes))
        table = truth.restrict(table, kept)
        literals = [nodes[j] * 2 for j in kept]
        n = len(literals)
        complement = table & 1
        if complement:
            table ^= truth.ones(n)
        if n <= 1:
            return (literals[0] if n else FALSE) ^ complement
        if table == truth.parity(n):
            return self.xor(literals) ^ complement
        for side in (table, table ^ truth.ones(n)):
            if side.bit_count() == 1:
                where = side.bit_length() - 1
                conjunction = self.and_(a ^ (~where >> j & 1) for j, a in enumerate(literals))
                return conjunction ^ complement ^ (side != table)
        # The parameter array is signed: a table of six inputs uses its sign bit.
        signed = table - (1 << 64) if table >> 63 else table
        return self._node(LUT, signed, tuple(literals)) * 2 ^ complement

    def count(self, terms: Iterable[tuple[int, int]], offset: int = 0) -> int:
        """The integer offset + sum of coefficient x bit, over (literal, coefficient) terms."""
        return self._count(Linear.of(terms, offset))

    def sum_of(self, terms: Iterable[tuple[int, int]], offset: int = 0) -> int:
        """The integer offset + sum of coefficient x integer, over (COUNT or SUM, coefficient) terms.

        >>> n = Network(); one = n.count([(n.input("a"), 1)])
        >>> n.sum_of([(one, 2), (one, -1)]) == one
        True
        """
        total: dict[int, int] = {}
        for node, coefficient in terms:
            total[node] = total.get(node, 0) + coefficient
        kept = {node: c for node, c in sorted(total.items()) if c}
        if not kept:
            return self.count([], offset)
        if offset == 0 and list(kept.values()) == [1]:
            return next(iter(kept))
        return self._node(SUM, offset, tuple(kept), tuple(kept.values()))

    def at_least(self, terms: Iterable[tuple[int, int]], k: int) -> int:
        """The bit that says whether the weighted sum of (literal, coefficient) terms is at least k.

        >>> n = Network(); a, b, c = (n.input(v) for v in "abc")
        >>> n.at_least([(a, 1), (b, 1), (c, 1)], 3) == n.and_([a, b, c])
        True
        """
        return self._compare_ge(Linear.of(terms), k)

    def exactly(self, terms: Iterable[tuple[int, int]], k: int) -> int:
        """The bit that says whether the weighted sum of (literal, coefficient) terms is k.

        >>> n = Network(); a, b = n.input("a"), n.input("b")
        >>> n.exactly([(a, 1), (b, 1)], 1) == n.xor([a, b])
        True
        """
        return self._compare_eq(Linear.of(terms), k)

    def compare(self, kind: int, integer: int, k: int) -> int:
        """The bit that says whether a COUNT or a SUM is at least k (GE), or is k (EQ).

        >>> n = Network(); three = n.count([(n.input(v), 1) for v in "abc"])
        >>> n.compare(GE, three, 3) == n.and_([2, 4, 6]), n.compare(EQ, three, 4) == FALSE
        (True, True)
        """
        if self.kinds[integer] != SUM:
            return (self._compare_ge if kind == GE else self._compare_eq)(self.linear(integer), k)
        low, high = self.bounds(integer)
        if kind == GE and k <= low:
            return TRUE
        return self._node(kind, k, (integer,)) * 2 if low <= k <= high else FALSE

    def argmax(self, counts: Sequence[int]) -> int:
        """The index of the largest of integer nodes; the lowest index on ties. An integer node."""
        if len(counts) == 1:
            return self.count([])
        if len(counts) == 2:
            first, second = (self.linear(c) for c in counts)
            difference = [(n * 2, c) for n, c in second.coefficients.items()]
            difference += [(n * 2, -c) for n, c in first.coefficients.items()]
            second_wins = self.at_least(difference, 1 + first.constant - second.constant)
            return self.count([(second_wins, 1)])
        bounds = [self.bounds(c) for c in counts]
        best_low = max(low for low, _ in bounds)
        first_best = next(i for i, (low, _) in enumerate(bounds) if low == best_low)
        # Whoever can never win counts as 0, so that what it was made from may go: those that cannot beat the one with
        # the largest minimum, and the later of two equals.
        losers = [
            (high < best_low + (i > first_best) and i != first_best) or counts[i] in counts[:i]
            for i, (_, high) in enumerate(bounds)
        ]
        if losers.count(False) == 1:
            return self.count([], first_best)
        zero = self.count([]) if any(losers) else 0
        return self._node(ARGMAX, 0, tuple(zero if lost else c for c, lost in zip(counts, losers, strict=True)))

    def take(self, other: Network, node: int, fanin: Sequence[int]) -> int:
        """Another network's node over other fanin, which leaves its normal form as it is. A node, not a literal.

        >>> old, new = Network(), Network()
        >>> both = old.and_([old.input("a"), old.input("b")])
        >>> new.take(old, both >> 1, [new.input("a"), new.input("b")])
        3
        """
        span = slice(other.starts[node], other.starts[node + 1])
        coefficients = tuple(other.coefficients[span]) if other.kinds[node] in (COUNT, SUM) else ()
        return self._node(other.kinds[node], other.parameters[node], tuple(fanin), coefficients)

    def _count(self, linear: Linear) -> int:
        literals = tuple(n * 2 for n in linear.coefficients)
        return self._node(COUNT, linear.constant, literals, tuple(linear.coefficients.values()))

    def _compare_ge(self, linear: Linear, k: int) -> int:
        linear, k = Linear(linear.coefficients), k - linear.constant
        low, high = linear.bounds()
        if k <= low or k > high:
            return TRUE if k <= low else FALSE
        smallest = min(abs(c) for c in linear.coefficients.values())
        raising = [n * 2 ^ (c < 0) for n, c in linear.coefficients.items()]
        if k > high - smallest:
            return self.and_(raising)
        if k <= low + smallest:
            return self.or_(raising)
        if linear.lightest_never_decides(k):
            lightest = min(linear.coefficients.items(), key=lambda item: abs(item[1]))[0]
            rest = {n: c for n, c in linear.coefficients.items() if n != lightest}
            return self._compare_ge(Linear(rest), k)
        if next(iter(linear.coefficients.values())) < 0:
            return self._compare_ge(linear.scaled(-1), 1 - k) ^ 1
        divisor = gcd(*linear.coefficients.values())
        reduced = Linear({n: c // divisor for n, c in linear.coefficients.items()})
        return self._node(GE, -(-k // divisor), (self._count(reduced),)) * 2

    def _compare_eq(self, linear: Linear, k: int) -> int:
        linear, k = Linear(linear.coefficients), k - linear.constant
        low, high = linear.bounds()
        divisor = gcd(*linear.coefficients.values()) or 1
        if not low <= k <= high or k % divisor:
            return FALSE
        raising = [n * 2 ^ (c < 0) for n, c in linear.coefficients.items()]
        if k in (low, high):
            return self.and_(m ^ (k == low) for m in raising)
        if len(raising) == 2:
            values = [linear.coefficients[m >> 1] for m in raising]
            table = sum((sum(v * (i >> j & 1) for j, v in enumerate(values)) == k) << i for i in range(4))
            return self.lut(table, [m & ~1 for m in raising])
        if next(iter(linear.coefficients.values())) < 0:
            divisor = -divisor
        reduced = Linear({n: c // divisor for n, c in linear.coefficients.items()})
        return self._node(EQ, k // divisor, (self._count(reduced),)) * 2

    def _node(self, kind: int, parameter: int, fanin: tuple[int, ...], coefficients: tuple[int, ...] = ()) -> int:
        key = array("q", (kind, parameter, *fanin, *coefficients)).tobytes()  # a quarter of what tuples take up
        found = self._hash.get(key)
        if found is None:
            found = self._hash[key] = self._new(kind, parameter, fanin, coefficients)
        return found

    def _new(self, kind: int, parameter: int, fanin: tuple[int, ...], coefficients: tuple[int, ...] = ()) -> int:
        self.kinds.append(kind)
        self.parameters.append(parameter)
        self.fanins.extend(fanin)
        self.coefficients.extend(coefficients or (0,) * len(fanin))
        self.starts.append(len(self.fanins))
        self.layers.append(len(self.layer_names) - 1)
        return len(self.kinds) - 1
