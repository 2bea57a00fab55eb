"""The logic network: a structurally hashed graph of n-ary nodes, normalised and folded where they are made.

`dbhw.logic.graph` says what the nodes are and how they are read; here they are made, in normal forms, so that equal
functions of equal inputs tend to be one node. In a count x and not x are one variable with one signed coefficient, and
constants move into the offset or the threshold. The coefficients of a comparison have no common divisor, the first is
positive, and a COUNT that is compared has offset 0. A comparison or a table that is a conjunction, a disjunction or a
parity becomes one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from math import gcd

from dbhw.logic import truth
from dbhw.logic.graph import AND, ARGMAX, COUNT, EQ, FALSE, GE, INPUT, LUT, SUM, TOTALS, TRUE, XOR, Graph, Output
from dbhw.logic.graph import COMPARISONS as COMPARISONS
from dbhw.logic.graph import CONST as CONST
from dbhw.logic.graph import INTEGERS as INTEGERS
from dbhw.logic.graph import KIND_NAMES as KIND_NAMES
from dbhw.logic.linear import Linear


class Network(Graph):
    """A logic network under construction; its methods make nodes and return literals or integer nodes.

    >>> n = Network()
    >>> a, b = n.input("a"), n.input("b")
    >>> n.and_([a, b, a]) == n.and_([b, a]), n.and_([a, a ^ 1]) == FALSE
    (True, True)
    """

    def __init__(self) -> None:
        super().__init__()
        self._hash: dict[bytes, int] = {}
        self._table_numbers: dict[int, int] = {}

    def begin_layer(self, name: str) -> None:
        """Nodes made from here on belong to the layer of this name."""
        self.layer_names.append(name)

    def end_layer(self, members: Iterable[int]) -> None:
        """Says what the layer gives: literals, or integer nodes. A proof of lowering goes along these."""
        self.layer_ends.append(tuple(members))

    def input(self, name: str) -> int:
        if len(self) != 1 + len(self.input_names):
            raise ValueError("inputs must be made before any other node")
        self.input_names.append(name)
        return self._append(INPUT, len(self.input_names) - 1, ()) * 2

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
        n = len(nodes)
        values = {0: 0, **dict(zip(nodes, truth.projections(n), strict=True))}
        inputs = [values[literal >> 1] ^ (truth.ones(n) if literal & 1 else 0) for literal in literals]
        return self._table_node(truth.compose(table & truth.ones(len(literals)), inputs, n), nodes)

    def _table_node(self, table: int, nodes: list[int]) -> int:
        kept = truth.essential(table, len(nodes))
        if len(kept) < len(nodes):
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
        return self._node(LUT, self._table_number(table), tuple(literals)) * 2 ^ complement

    def _table_number(self, table: int) -> int:
        """The place of a table in `tables`, where each stands once: a table may be too wide for a parameter."""
        number = self._table_numbers.setdefault(table, len(self.tables))
        if number == len(self.tables):
            self.tables.append(table)
        return number

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
        kind, parameter = other.kinds[node], other.parameters[node]
        if kind == LUT:
            parameter = self._table_number(other.table(node))
        span = slice(other.starts[node], other.starts[node + 1])
        coefficients = tuple(other.coefficients[span]) if kind in TOTALS else ()
        return self._node(kind, parameter, tuple(fanin), coefficients)

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
            found = self._hash[key] = self._append(kind, parameter, fanin, coefficients)
        return found
