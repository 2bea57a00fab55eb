"""Proof, by linear forms, that networks which add up the same bits in another order are one function.

No SAT solver can tell that two adder trees of hundreds of bits agree, but they are linear. Here every integer of a
network becomes its linear form over bits, in whole numbers, whatever parts it was added up from. Every bit becomes a
number that stands for its meaning: gates of equal meanings are equal, and so are comparisons of equal forms. Nothing
here knows how the passes choose the parts that counts share.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from dbhw.logic.linear import Linear
from dbhw.logic.network import SUM, Network
from dbhw.logic.visit import Visitor

Form = dict[int, int]  # the coefficient of each bit, by its positive literal; by 0 the constant


def shares(network: Network) -> bool:
    """Whether some count is added up from parts.

    >>> shares(Network())
    False
    """
    return SUM in network.kinds


def same(
    a: Network, b: Network, known_a: Mapping[int, int] | None = None, known_b: Mapping[int, int] | None = None
) -> bool:
    """Whether two networks are the same but for the parts that their sums are added up from.

    `known_a` and `known_b` are nodes of each with the literals of `b` that are proved to be equal to them.

    >>> n = Network(); x, y = n.input("x"), n.input("y"); one, other = n.count([(x, 1)]), n.count([(y, 1)], 1)
    >>> n.integer_output("total", [n.sum_of([(one, 2), (other, 1)])], 3)
    >>> m = Network(); x, y = m.input("x"), m.input("y"); m.integer_output("total", [m.count([(x, 2), (y, 1)], 1)], 3)
    >>> wrong = Network(); x, y = wrong.input("x"), wrong.input("y")
    >>> wrong.integer_output("total", [wrong.count([(x, 2), (y, 1)])], 3)
    >>> same(n, m), same(n, wrong)
    (True, False)
    """
    numbers: dict[Hashable, int] = {}
    if a.input_names != b.input_names:
        return False
    plain = _Meaning(b, numbers)
    meanings = [
        _Meaning(network, numbers, plain.literals(known or {})) for network, known in ((a, known_a), (b, known_b))
    ]
    return meanings[0].outputs() == meanings[1].outputs()


class _Meaning(Visitor[None]):
    """What a network's nodes mean: bits are literals over numbers that several networks have in common."""

    def __init__(self, network: Network, numbers: dict[Hashable, int], known: Mapping[int, int] | None = None) -> None:
        super().__init__(network)
        self.numbers = numbers
        self.bits: dict[int, int] = {0: 0}
        self.forms: dict[int, Form] = {}
        self.choices: dict[int, Hashable] = {}
        known = known or {}
        for i, node in enumerate(network.inputs()):
            self.bits[node] = known.get(node, self._number("input", i))
        for node in network.needed():
            self.visit(node)
            if node in known:
                self.bits[node] = known[node]

    def literals(self, chosen: Mapping[int, int]) -> dict[int, int]:
        """What the chosen literals mean, by the same keys."""
        return {key: self._literal(literal) for key, literal in chosen.items()}

    def outputs(self) -> list[Hashable]:
        return [
            (o.name, o.kind, o.width, *(self._literal(m) if o.kind == "bits" else self._shown(m) for m in o.members))
            for o in self.network.outputs
        ]

    def _number(self, *meaning: Hashable) -> int:
        """The positive literal that stands for a meaning."""
        return 2 * self.numbers.setdefault(meaning, len(self.numbers) + 1)

    def _literal(self, literal: int) -> int:
        return self.bits[literal >> 1] ^ (literal & 1)

    def conjunction(self, node: int, literals: Sequence[int]) -> None:
        self.bits[node] = self._number("and", *sorted(self._literal(f) for f in literals))

    def parity(self, node: int, literals: Sequence[int]) -> None:
        read = [self._literal(f) for f in literals]
        complement = sum(literal & 1 for literal in read) & 1
        self.bits[node] = self._number("xor", *sorted(literal & ~1 for literal in read)) ^ complement

    def table(self, node: int, table: int, literals: Sequence[int]) -> None:
        self.bits[node] = self._number("table", table, *(self._literal(f) for f in literals))

    def count(self, node: int, linear: Linear) -> None:
        read = [(self.bits[bit], c) for bit, c in linear.coefficients.items()]
        # A bit that is known to be constant is no term: 0 is the key of the constant.
        constant = linear.constant + sum(c for literal, c in read if literal == 1)
        self.forms[node] = _sum(constant, [({literal: 1}, c) for literal, c in read if literal > 1])

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> None:
        self.forms[node] = _sum(constant, [(self.forms[part], c) for part, c in parts])

    def at_least(self, node: int, integer: int, k: int) -> None:
        """x >= k is also not (-x >= 1 - k): the form whose first coefficient is positive stands for both."""
        terms, k, negated = self._compared(integer, k)
        self.bits[node] = self._number("at least", 1 - k if negated else k, terms) ^ negated

    def exactly(self, node: int, integer: int, k: int) -> None:
        """x = k is also -x = -k."""
        terms, k, negated = self._compared(integer, k)
        self.bits[node] = self._number("exactly", -k if negated else k, terms)

    def _compared(self, integer: int, k: int) -> tuple[tuple[tuple[int, int], ...], int, bool]:
        """The bits of a sum, negated if the first has a negative coefficient; k less the constant; whether negated."""
        form = self.forms[integer]
        terms = sorted((literal, c) for literal, c in form.items() if literal)
        negated = bool(terms) and terms[0][1] < 0
        return tuple((literal, -c if negated else c) for literal, c in terms), k - form[0], negated

    def argmax(self, node: int, integers: Sequence[int]) -> None:
        self.choices[node] = ("argmax", *(self._shown(i) for i in integers))

    def _shown(self, node: int) -> Hashable:
        """An integer that leaves the sums. Hardware holds negative numbers one way in a count and another in a sum."""
        if node in self.choices:
            return self.choices[node]
        form = self.forms[node]
        least = form[0] + sum(min(c, 0) for literal, c in form.items() if literal)
        return tuple(sorted(form.items())), least < 0 and self.network.kinds[node] == SUM


def _sum(constant: int, terms: Iterable[tuple[Form, int]]) -> Form:
    """A sum of form x coefficient; a complemented bit is 1 less the bit."""
    total: Form = {0: constant}
    for form, factor in terms:
        for literal, c in form.items():
            if literal & 1:
                total[0] += factor * c
            sign = -1 if literal & 1 else 1
            total[literal & ~1] = total.get(literal & ~1, 0) + sign * factor * c
    return {literal: c for literal, c in total.items() if c or not literal}
