"""Whether networks that add up the same bits in other brackets are one function: exact, in whole numbers.

No SAT solver can tell that two adder trees of hundreds of bits agree, but they are linear. Here every integer of a
network becomes its linear form over bits, whatever parts it was added up from, and every bit becomes a number that
stands for its meaning: gates of equal meanings are equal, and so are comparisons of equal forms. This knows nothing of
how counts come to share parts.
"""

from __future__ import annotations

from collections.abc import Hashable

from dbhw.logic.network import AND, ARGMAX, COUNT, EQ, GE, LUT, SUM, XOR, Network

Form = dict[int, int]  # by the number of a bit its coefficient; by 0 the constant


def shares(network: Network) -> bool:
    """Whether some count is added up from parts.

    >>> shares(Network())
    False
    """
    return SUM in network.kinds


def same(a: Network, b: Network) -> bool:
    """Whether two networks are the same but for the brackets of their sums.

    >>> n = Network(); x, y = n.input("x"), n.input("y"); one, other = n.count([(x, 1)]), n.count([(y, 1)], 1)
    >>> n.integer_output("total", [n.sum_of([(one, 2), (other, 1)])], 3)
    >>> m = Network(); x, y = m.input("x"), m.input("y"); m.integer_output("total", [m.count([(x, 2), (y, 1)], 1)], 3)
    >>> wrong = Network(); x, y = wrong.input("x"), wrong.input("y")
    >>> wrong.integer_output("total", [wrong.count([(x, 2), (y, 1)])], 3)
    >>> same(n, m), same(n, wrong)
    (True, False)
    """
    numbers: dict[Hashable, int] = {}
    return a.input_names == b.input_names and _Meaning(a, numbers).outputs() == _Meaning(b, numbers).outputs()


class _Meaning:
    """What a network's nodes mean: bits are literals over numbers that several networks have in common."""

    def __init__(self, network: Network, numbers: dict[Hashable, int]) -> None:
        self.network = network
        self.numbers = numbers
        self.bits: dict[int, int] = {0: 0}
        self.forms: dict[int, Form] = {}
        self.choices: dict[int, Hashable] = {}
        for i, node in enumerate(network.inputs()):
            self.bits[node] = self._number(("input", i))
        readers = network.reader_counts()
        for node in range(1 + len(network.input_names), len(network)):
            if readers[node]:
                self._node(node)

    def outputs(self) -> list[Hashable]:
        return [
            (o.name, o.kind, o.width, *(self._literal(m) if o.kind == "bits" else self._shown(m) for m in o.members))
            for o in self.network.outputs
        ]

    def _number(self, meaning: Hashable) -> int:
        """The positive literal that stands for a meaning."""
        return 2 * self.numbers.setdefault(meaning, len(self.numbers) + 1)

    def _literal(self, literal: int) -> int:
        return self.bits[literal >> 1] ^ (literal & 1)

    def _node(self, node: int) -> None:
        kind, fanin, k = self.network.kinds[node], self.network.fanin(node), self.network.parameters[node]
        if kind == COUNT:
            self.forms[node] = self._sum(k, [({self._literal(f): 1}, c) for f, c in self.network.parts(node)])
        elif kind == SUM:
            self.forms[node] = self._sum(k, [(self.forms[part], c) for part, c in self.network.parts(node)])
        elif kind == ARGMAX:
            self.choices[node] = (ARGMAX, *(self._shown(f) for f in fanin))
        elif kind in (GE, EQ):
            self.bits[node] = self._comparison(kind, self.forms[fanin[0]], k)
        elif kind == XOR:
            read = [self._literal(f) for f in fanin]
            parity = sum(literal & 1 for literal in read) & 1
            self.bits[node] = self._number((XOR, *sorted(literal & ~1 for literal in read))) ^ parity
        else:
            assert kind in (AND, LUT)
            read = [self._literal(f) for f in fanin]
            self.bits[node] = self._number((kind, k, *(sorted(read) if kind == AND else read)))

    def _sum(self, constant: int, terms: list[tuple[Form, int]]) -> Form:
        """A sum of form x coefficient; a complemented bit is 1 less the bit."""
        total: Form = {0: constant}
        for form, factor in terms:
            for literal, c in form.items():
                if literal & 1:
                    total[0] += factor * c
                sign = -1 if literal & 1 else 1
                total[literal & ~1] = total.get(literal & ~1, 0) + sign * factor * c
        return {literal: c for literal, c in total.items() if c or not literal}

    def _comparison(self, kind: int, form: Form, k: int) -> int:
        """The literal of a comparison: x >= k is also not (-x >= 1 - k), and x = k is -x = -k."""
        terms, k = sorted((literal, c) for literal, c in form.items() if literal), k - form[0]
        if terms and terms[0][1] < 0:
            negated = tuple((literal, -c) for literal, c in terms)
            if kind == EQ:
                return self._number((kind, -k, negated))
            return self._number((kind, 1 - k, negated)) ^ 1
        return self._number((kind, k, tuple(terms)))

    def _shown(self, node: int) -> Hashable:
        """An integer that leaves the sums. Hardware holds negative numbers one way in a count and another in a sum."""
        if node in self.choices:
            return self.choices[node]
        form = self.forms[node]
        least = form[0] + sum(min(c, 0) for literal, c in form.items() if literal)
        return tuple(sorted(form.items())), least < 0 and self.network.kinds[node] == SUM
