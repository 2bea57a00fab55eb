"""A logic network as a short Python function over the feature names, for people to read; it also runs.

A node that is read once is written where it is read; one that is read more often gets a line and a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dbhw.base.names import identifiers
from dbhw.logic import truth
from dbhw.logic.linear import Linear
from dbhw.logic.network import Network
from dbhw.logic.passes import unshare
from dbhw.logic.visit import Visitor

# How tightly Python binds, loosest first.
_OR, _AND, _NOT, _COMPARE, _XOR, _SUM, _PRODUCT, _ATOM = range(8)
Text = tuple[str, int]  # an expression, and how tightly its outermost operator binds
Printed = Callable[[bool], Text]  # the text of a node; with True, of its complement
_LONGEST = 100


@dataclass(frozen=True)
class Comparisons:
    """Inputs of a network that are comparisons of numbers: the numbers, and for each input its text and the opposite.

    >>> n = Network(); n.output("bits", [n.input("hot") ^ 1])
    >>> print(write(n, inputs=Comparisons(["celsius"], [("celsius >= 25.5", "celsius < 25.5")])))
    def net(celsius):
        return [celsius < 25.5]
    """

    parameters: Sequence[str]
    texts: Sequence[tuple[str, str]]


def write(network: Network, name: str = "net", output: str | None = None, inputs: Comparisons | None = None) -> str:
    """The network as a Python function that returns one of its outputs, by default what the net itself gives.

    >>> n = Network(); outside = n.input("outside"); n.output("bits", [outside ^ 1, outside])
    >>> print(write(n))
    def net(outside):
        return [not outside, outside]
    """
    # A sum is read as a whole, not in the parts that hardware adds it up from.
    return _Printer(unshare.run(network), inputs).function(name, output or network.outputs[-1].name)


def phrases(network: Network, literals: Iterable[int], inputs: Comparisons | None = None) -> list[str]:
    """Bits of the network as expressions over the inputs.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> phrases(n, [n.and_([a, b ^ 1]), b])
    ['a and not b', 'b']
    """
    printer = _Printer(network, inputs)
    return [printer.literal(literal)[0] for literal in literals]


def _returned(members: list[str]) -> list[str]:
    """The return statement; a line for each member where one for all would be too long to read."""
    line = f"return [{', '.join(members)}]"
    return [line] if len(line) <= _LONGEST else ["return [", *(f"    {member}," for member in members), "]"]


class _Printer(Visitor[Printed]):
    def __init__(self, network: Network, inputs: Comparisons | None) -> None:
        super().__init__(network)
        self.inputs = list(inputs.parameters) if inputs else identifiers(network.input_names)
        self.names: dict[int, str] = {} if inputs else dict(zip(network.inputs(), self.inputs, strict=True))
        self.comparisons = dict(zip(network.inputs(), inputs.texts, strict=True)) if inputs else {}
        self.taken = set(self.inputs)
        self.numbers: Counter[str] = Counter()  # by layer: the number in the last name given there
        self.operators = truth.Operators[int, Text](
            literal=lambda literal, complement: self.literal(literal ^ complement),
            not_=lambda text: _not(text, True),
            and_=lambda texts: _join(" and ", _AND, texts),
            or_=lambda texts: _join(" or ", _OR, texts),
            xor=lambda texts: _join(" ^ ", _XOR, texts),
        )

    def function(self, name: str, output: str) -> str:
        chosen = next(o for o in self.network.outputs if o.name == output)
        readers = self.network.with_outputs([chosen]).reader_counts()
        lines: list[str] = []
        for node in self.network.nodes():
            if readers[node] > 1:
                text = self._node(node)[0]
                self.names[node] = self._new_name(node)
                lines.append(f"{self.names[node]} = {text}")
        members = [self.literal(m) if chosen.kind == "bits" else self._node(m) for m in chosen.members]
        body = [*lines, *_returned([text for text, _ in members])]
        return "\n".join([f"def {name}({', '.join(self.inputs)}):", *(f"    {line}" for line in body)])

    def _new_name(self, node: int) -> str:
        layer = identifiers([self.network.layer_names[self.network.layers[node]].split(" ")[0]])[0]
        self.numbers[layer] += 1
        while f"{layer}_{self.numbers[layer]}" in self.taken:
            self.numbers[layer] += 1
        return f"{layer}_{self.numbers[layer]}"

    def literal(self, literal: int) -> Text:
        if literal <= 1:
            return ("True" if literal else "False"), _ATOM
        return self._node(literal >> 1, bool(literal & 1))

    def _node(self, node: int, complement: bool = False) -> Text:
        if node in self.names:
            return _not((self.names[node], _ATOM), complement)
        if node in self.comparisons:
            return self.comparisons[node][complement], _COMPARE
        return self.visit(node)(complement)

    def conjunction(self, node: int, literals: Sequence[int]) -> Printed:
        def printed(complement: bool) -> Text:
            parts = [self.literal(f ^ complement) for f in literals]
            return _join(" or ", _OR, parts) if complement else _join(" and ", _AND, parts)

        return printed

    def parity(self, node: int, literals: Sequence[int]) -> Printed:
        return lambda complement: _not(_join(" ^ ", _XOR, [self.literal(f) for f in literals]), complement)

    def table(self, node: int, table: int, literals: Sequence[int]) -> Printed:
        everywhere = truth.ones(len(literals))
        return lambda complement: truth.sum_of_products(
            table ^ everywhere if complement else table, literals, self.operators
        )

    def count(self, node: int, linear: Linear) -> Printed:
        return lambda _: self._sum(linear)

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> Printed:
        return self.count(node, self.network.linear(node))

    def argmax(self, node: int, integers: Sequence[int]) -> Printed:
        scores = ", ".join(self._node(i)[0] for i in integers)
        return lambda _: (f"(lambda scores: scores.index(max(scores)))([{scores}])", _ATOM)

    def exactly(self, node: int, integer: int, k: int) -> Printed:
        return lambda complement: self._comparison(integer, "!=" if complement else "==", k)

    def at_least(self, node: int, integer: int, k: int) -> Printed:
        def printed(complement: bool) -> Text:
            if complement and integer not in self.names:
                # People weigh evidence for: a sum below k is the sum of the complements above a limit of its own.
                return self._compared(self.network.linear(integer).scaled(-1), ">=", 1 - k)
            return self._comparison(integer, "<" if complement else ">=", k)

        return printed

    def _comparison(self, integer: int, sign: str, k: int) -> Text:
        if integer in self.names:
            return f"{self.names[integer]} {sign} {k}", _COMPARE
        return self._compared(self.network.linear(integer), sign, k)

    def _compared(self, linear: Linear, sign: str, k: int) -> Text:
        # Evidence against is evidence for the complement: -2 x >= k is 2 (not x) >= k + 2.
        low = linear.bounds()[0]
        return f"{self._sum(Linear(linear.coefficients, -low))[0]} {sign} {k - low}", _COMPARE

    def _sum(self, linear: Linear) -> Text:
        parts, constant = [], linear.constant
        for node, c in sorted(linear.coefficients.items(), key=lambda item: -abs(item[1])):
            constant += min(c, 0)
            parts.append(self._term(node * 2 ^ (c < 0), abs(c)))
        if constant or not parts:
            parts.append((str(constant), _ATOM))
        return _join(" + ", _SUM, parts)

    def _term(self, literal: int, coefficient: int) -> Text:
        text = self.literal(literal)
        return text if coefficient == 1 else (f"{coefficient}*{_wrap(text, _ATOM)}", _PRODUCT)


def _join(separator: str, level: int, parts: list[Text]) -> Text:
    if len(parts) == 1:
        return parts[0]
    return separator.join(_wrap(p, level + 1) for p in parts), level


def _not(text: Text, complement: bool) -> Text:
    return (f"not {_wrap(text, _ATOM)}", _NOT) if complement else text


def _wrap(text: Text, level: int) -> str:
    return text[0] if text[1] >= level else f"({text[0]})"
