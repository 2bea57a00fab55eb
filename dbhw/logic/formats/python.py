"""A logic network as a short program over the feature names: Python that runs, and that people can read.

A node read once is written where it is read; one read more often gets a line and a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dbhw.base.names import identifiers
from dbhw.logic import truth
from dbhw.logic.linear import Linear
from dbhw.logic.network import AND, ARGMAX, COUNT, EQ, GE, INPUT, LUT, SUM, XOR, Network
from dbhw.logic.passes import unshare

# How tightly Python binds, loosest first.
_OR, _AND, _NOT, _COMPARE, _XOR, _SUM, _PRODUCT, _ATOM = range(8)
Text = tuple[str, int]
_LONGEST = 100


def write(network: Network, name: str = "net", output: str | None = None) -> str:
    """The network as a Python function that returns one of its outputs, by default what the net itself gives.

    >>> n = Network(); outside = n.input("outside"); n.output("bits", [outside ^ 1, outside])
    >>> print(write(n))
    def net(outside):
        return [not outside, outside]
    """
    # A sum is read as a whole, not in the parts that hardware adds it up from.
    return _Printer(unshare.run(network)).function(name, output or network.outputs[-1].name)


def phrases(network: Network, literals: Iterable[int]) -> list[str]:
    """Bits of the network as expressions over the inputs.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> phrases(n, [n.and_([a, b ^ 1]), b])
    ['a and not b', 'b']
    """
    printer = _Printer(network)
    return [printer._literal(literal)[0] for literal in literals]


def _returned(members: list[str]) -> list[str]:
    """The return statement; a line for each member where one for all would be too long to read."""
    line = f"return [{', '.join(members)}]"
    return [line] if len(line) <= _LONGEST else ["return [", *(f"    {member}," for member in members), "]"]


class _Printer:
    def __init__(self, network: Network) -> None:
        self.network = network
        self.inputs = identifiers(network.input_names)
        self.names: dict[int, str] = dict(zip(network.inputs(), self.inputs, strict=True))
        self.lines: list[str] = []

    def function(self, name: str, output: str) -> str:
        chosen = next(o for o in self.network.outputs if o.name == output)
        readers = self.network.with_outputs([chosen]).reader_counts()
        for node in range(1 + len(self.inputs), len(self.network)):
            if readers[node] > 1:
                text = self._node(node)[0]
                self.names[node] = self._new_name(node)
                self.lines.append(f"{self.names[node]} = {text}")
        members = [self._literal(m) if chosen.kind == "bits" else self._node(m) for m in chosen.members]
        body = [*self.lines, *_returned([text for text, _ in members])]
        return "\n".join([f"def {name}({', '.join(self.inputs)}):", *(f"    {line}" for line in body)])

    def _new_name(self, node: int) -> str:
        layer = self.network.layer_names[self.network.layers[node]].split(" ")[0]
        clean = identifiers([layer])[0]
        number = sum(1 for taken in self.names.values() if re.fullmatch(rf"{clean}_\d+", taken)) + 1
        while f"{clean}_{number}" in self.names.values():
            number += 1
        return f"{clean}_{number}"

    def _literal(self, literal: int) -> Text:
        if literal <= 1:
            return ("True" if literal else "False"), _ATOM
        node, complement = literal >> 1, bool(literal & 1)
        if node in self.names:
            return (f"not {self.names[node]}", _NOT) if complement else (self.names[node], _ATOM)
        return self._node(node, complement)

    def _node(self, node: int, complement: bool = False) -> Text:
        if node in self.names:
            return self.names[node], _ATOM
        kind, fanin = self.network.kinds[node], self.network.fanin(node)
        if kind == AND:
            parts = [self._literal(f ^ complement) for f in fanin]
            return self._join(" or " if complement else " and ", _OR if complement else _AND, parts)
        if kind == XOR:
            return self._not(self._join(" ^ ", _XOR, [self._literal(f) for f in fanin]), complement)
        if kind == LUT:
            return self._table(node, complement)
        if kind in (COUNT, SUM):
            return self._sum(self.network.linear(node))
        if kind in (GE, EQ):
            return self._comparison(node, kind, complement)
        if kind == ARGMAX:
            scores = ", ".join(self._node(f)[0] for f in fanin)
            return f"(lambda scores: scores.index(max(scores)))([{scores}])", _ATOM
        raise AssertionError(f"node {node} is of kind {INPUT} and has a name")

    def _comparison(self, node: int, kind: int, complement: bool) -> Text:
        count, k = self.network.fanin(node)[0], self.network.parameters[node]
        sign = {(GE, False): ">=", (GE, True): "<", (EQ, False): "==", (EQ, True): "!="}[kind, complement]
        if count in self.names:
            return f"{self.names[count]} {sign} {k}", _COMPARE
        linear = self.network.linear(count)
        if kind == GE and complement:  # People weigh evidence for: a sum below k is the contrary's above its own.
            linear, k, sign = linear.scaled(-1), 1 - k, ">="
        # Evidence against is evidence for the contrary: -2 x >= k is 2 (not x) >= k + 2.
        low = linear.bounds()[0]
        return f"{self._sum(Linear(linear.coefficients, -low))[0]} {sign} {k - low}", _COMPARE

    def _sum(self, linear: Linear) -> Text:
        parts, constant = [], linear.constant
        for node, c in sorted(linear.coefficients.items(), key=lambda item: -abs(item[1])):
            constant += min(c, 0)
            parts.append(self._term(node * 2 ^ (c < 0), abs(c)))
        if constant or not parts:
            parts.append((str(constant), _ATOM))
        return self._join(" + ", _SUM, parts) if len(parts) > 1 else parts[0]

    def _term(self, literal: int, coefficient: int) -> Text:
        text = self._literal(literal)
        return text if coefficient == 1 else (f"{coefficient}*{self._wrap(text, _ATOM)}", _PRODUCT)

    def _table(self, node: int, complement: bool) -> Text:
        fanin, table = self.network.fanin(node), self.network.table(node)
        n = len(fanin)
        sides = [(truth.cubes(t, n), flip) for t, flip in ((table, False), (table ^ truth.ones(n), True))]
        cubes, flip = min(sides, key=lambda side: sum(care.bit_count() for care, _ in side[0]))
        products = [
            self._join(
                " and ", _AND, [self._literal(f ^ (~value >> j & 1)) for j, f in enumerate(fanin) if care >> j & 1]
            )
            for care, value in cubes
        ]
        return self._not(self._join(" or ", _OR, products), flip != complement)

    def _join(self, separator: str, level: int, parts: list[Text]) -> Text:
        if len(parts) == 1:
            return parts[0]
        return separator.join(self._wrap(p, level + 1) for p in parts), level

    def _not(self, text: Text, complement: bool) -> Text:
        return (f"not {self._wrap(text, _ATOM)}", _NOT) if complement else text

    def _wrap(self, text: Text, level: int) -> str:
        return text[0] if text[1] >= level else f"({text[0]})"
