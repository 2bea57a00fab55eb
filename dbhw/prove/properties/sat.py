"""A logic network as clauses for a SAT solver.

A bit is a literal of the solver: a whole number, negative if complemented. A count is unary: its first literal is high
where the count is at least one above its least value, the second where it is at least two above, and so on. A network
of comparators (Batcher's merge sort) makes these literals. So a comparison with a constant is one of them, and what
some of the inputs already decide, the solver finds by propagation, without a search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from dbhw.logic.linear import Linear
from dbhw.logic.network import ARGMAX, Network
from dbhw.logic.visit import Visitor

SOLVER = "glucose4"  # on a random net of 784 inputs CaDiCaL took 4 and 90 times as long for two examples


class Clauses:
    """A solver, and gates made of its clauses; constants fold, and equal gates are one.

    >>> with Clauses() as clauses:
    ...     a, b = clauses.fresh(), clauses.fresh()
    ...     both = clauses.and_([a, b])
    ...     both == clauses.and_([b, a, b]), clauses.solve([both, -a]), clauses.solve([both])
    (True, None, {1, 2, 3, 4})
    """

    def __init__(self) -> None:
        from pysat.solvers import Solver  # native code, which only proofs of properties need

        self._solver: Any = Solver(name=SOLVER)
        self._variables = 0
        self._gates: dict[tuple[int, ...], int] = {}
        self.true = self.fresh()
        self.add([self.true])

    def __enter__(self) -> Clauses:
        return self

    def __exit__(self, *exception: object) -> None:
        self._solver.delete()

    def solve(self, assumed: Iterable[int]) -> set[int] | None:
        """The high variables of a solution in which all assumed literals are high; None where there is no solution."""
        if not self._solver.solve(list(assumed)):
            return None
        return {v for v in self._solver.get_model() if v > 0}

    def add(self, clause: Sequence[int]) -> None:
        self._solver.add_clause(clause)

    def fresh(self) -> int:
        self._variables += 1
        return self._variables

    def and_(self, literals: Iterable[int]) -> int:
        members = set(literals) - {self.true}
        if -self.true in members or any(-m in members for m in members):
            return -self.true
        if len(members) < 2:
            return members.pop() if members else self.true
        key = tuple(sorted(members))
        if key not in self._gates:
            gate = self._gates[key] = self.fresh()
            for m in key:
                self.add([-gate, m])
            self.add([gate, *(-m for m in key)])
        return self._gates[key]

    def or_(self, literals: Iterable[int]) -> int:
        return -self.and_(-m for m in literals)

    def xor(self, a: int, b: int) -> int:
        return self.or_([self.and_([a, -b]), self.and_([-a, b])])

    def look_up(self, table: int, literals: Sequence[int]) -> int:
        """The bit of `table` at the number whose bit j is literal j: one clause per row."""
        result = self.fresh()
        for row in range(1 << len(literals)):
            elsewhere = [-m if row >> j & 1 else m for j, m in enumerate(literals)]
            self.add([*elsewhere, result if table >> row & 1 else -result])
        return result

    def unary(self, terms: Iterable[tuple[int, int]], most: int | None = None) -> list[int]:
        """The sum of (literal, coefficient >= 0) terms in unary; if `most` is given, only that many digits."""
        numbers = [[literal] * coefficient for literal, coefficient in terms] or [[]]
        while len(numbers) > 1:
            pairs = zip(numbers[::2], numbers[1::2], strict=False)
            numbers = [self._merge(a, b)[:most] for a, b in pairs] + numbers[len(numbers) & ~1 :]
        return numbers[0][:most]

    def _merge(self, a: Sequence[int], b: Sequence[int]) -> list[int]:
        if not a or not b:
            return [*a, *b]
        if len(a) == len(b) == 1:
            return [self.or_([*a, *b]), self.and_([*a, *b])]
        even, odd = self._merge(a[::2], b[::2]), self._merge(a[1::2], b[1::2])
        merged = even[:1]
        for p, q in zip(even[1:], odd, strict=False):
            merged += [self.or_([p, q]), self.and_([p, q])]
        return merged + even[1 + len(odd) :] + odd[len(even) - 1 :]


class Encoded(Visitor[list[int]]):
    """The function from a network's inputs to its label, as literals. A bit is one literal, a count its unary digits.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> n.integer_output("label", [n.count([(n.and_([a, b]), 1)])], 1)
    >>> with Clauses() as clauses:
    ...     net = Encoded(clauses, n, classes=2)
    ...     clauses.solve([net.classes[1], -net.inputs[0]]) is None
    True
    """

    def __init__(self, clauses: Clauses, network: Network, classes: int) -> None:
        super().__init__(network)
        self.clauses = clauses
        self.inputs = [clauses.fresh() for _ in network.input_names]
        self._digits: dict[int, list[int]] = {0: [-clauses.true]}
        self._digits.update((node, [literal]) for node, literal in zip(network.inputs(), self.inputs, strict=True))
        label = next(o for o in network.outputs if o.name == "label")
        for node in network.with_outputs([label]).needed():
            self._digits[node] = self.visit(node)
        self.classes = self._each_class(label.members[0], classes)

    def _literal(self, literal: int) -> int:
        bit = self._digits[literal >> 1][0]
        return -bit if literal & 1 else bit

    def conjunction(self, node: int, literals: Sequence[int]) -> list[int]:
        return [self.clauses.and_(self._literal(f) for f in literals)]

    def parity(self, node: int, literals: Sequence[int]) -> list[int]:
        return [reduce(self.clauses.xor, (self._literal(f) for f in literals))]

    def table(self, node: int, table: int, literals: Sequence[int]) -> list[int]:
        return [self.clauses.look_up(table, [self._literal(f) for f in literals])]

    def count(self, node: int, linear: Linear) -> list[int]:
        # A step down where a bit is high is a step up where it is low, from a least value that is less.
        terms = linear.coefficients.items()
        return self.clauses.unary((self._literal(n * 2 ^ (c < 0)), abs(c)) for n, c in terms)

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> list[int]:
        return self.clauses.unary((-d if c < 0 else d, abs(c)) for part, c in parts for d in self._digits[part])

    def at_least(self, node: int, integer: int, k: int) -> list[int]:
        return [self._at_least(integer, k)]

    def exactly(self, node: int, integer: int, k: int) -> list[int]:
        return [self._exactly(integer, k)]

    def argmax(self, node: int, integers: Sequence[int]) -> list[int]:
        return []  # Only the label is an argmax: `_each_class` compares the counts.

    def _at_least(self, count: int, k: int) -> int:
        steps, digits = k - self.network.bounds(count)[0], self._digits[count]
        if steps <= 0:
            return self.clauses.true
        return digits[steps - 1] if steps <= len(digits) else -self.clauses.true

    def _exactly(self, count: int, k: int) -> int:
        return self.clauses.and_([self._at_least(count, k), -self._at_least(count, k + 1)])

    def _each_class(self, label: int, classes: int) -> list[int]:
        if self.network.kinds[label] != ARGMAX:
            return [self._exactly(label, c) for c in range(classes)]
        counts = self.network.fanin(label)
        beaten = {(i, j): self._greater(counts[j], counts[i]) for j in range(classes) for i in range(j)}
        # The first of the largest: larger than all before it, and no smaller than any after it.
        return [
            self.clauses.and_([beaten[i, c] if i < c else -beaten[c, i] for i in range(classes) if i != c])
            for c in range(classes)
        ]

    def _greater(self, a: int, b: int) -> int:
        low, high = self.network.bounds(a)
        return self.clauses.or_(
            self.clauses.and_([self._at_least(a, k), -self._at_least(b, k)]) for k in range(low, high + 1)
        )
