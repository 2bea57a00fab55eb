"""A network in words: which evidence counts most for each class."""

from __future__ import annotations

from collections.abc import Sequence

from dbhw.logic.formats.python import Comparisons, phrases
from dbhw.logic.linear import Linear
from dbhw.logic.network import AND, CONST, COUNT, GE, Network

_MOST_EVIDENCE = 5
_LONGEST = 40


def in_words(network: Network, classes: Sequence[str], inputs: Comparisons | None = None) -> list[str]:
    """A line for each class that says which evidence counts most.

    >>> n = Network(); a, b, c = (n.input(v) for v in "abc")
    >>> n.output("bits", [n.at_least([(a, 2), (b ^ 1, 1), (c, 1)], 3), n.and_([a, b])])
    >>> print("\\n".join(in_words(n, ["coat", "shirt"])))
    coat: at least 3 of 4 points, most for a (2 points), then not b and c (1 point each)
    shirt: all of a and b
    >>> n.output("odd", [n.xor([a, b]) ^ 1])
    >>> in_words(n, ["odd", "even"])[0]
    'even: when not (a ^ b)'
    """
    return _Words(network, inputs).lines(classes)


class _Words:
    def __init__(self, network: Network, inputs: Comparisons | None) -> None:
        self.network = network
        self.inputs = inputs

    def lines(self, classes: Sequence[str]) -> list[str]:
        output = self.network.outputs[-1]
        if len(output.members) == 1 and output.kind == "bits":  # one bit decides between two classes
            return [f"{classes[1]}: {self._bit(output.members[0])}", f"{classes[0]}: otherwise"]
        said = self._bit if output.kind == "bits" else self._score
        return [f"{name}: {said(m)}" for name, m in zip(classes, output.members, strict=True)]

    def _bit(self, literal: int) -> str:
        network, node, complement = self.network, literal >> 1, literal & 1
        kind = network.kinds[node]
        if kind == CONST:
            return "always" if complement else "never"
        if kind == AND:
            # The shorter a part of a conjunction or disjunction, the more often it decides.
            parts = sorted(self._short([f ^ complement for f in network.fanin(node)]), key=len)
            return f"{'any' if complement else 'all'} of {_joined(parts)}"
        if kind == GE:
            linear, k = network.linear(network.fanin(node)[0]), network.parameters[node]
            if complement:
                linear, k = linear.scaled(-1), 1 - k
            low, high = linear.bounds()
            return f"at least {k - low} of {high - low} points, {self._evidence(linear)}"
        text = self._short([literal])[0]
        return f"when {text[1:-1] if text.startswith('(') else text}"

    def _score(self, count: int) -> str:
        network = self.network
        if network.kinds[count] != COUNT or not network.linear(count).coefficients:
            return f"{network.bounds(count)[0]} points always"
        linear = network.linear(count)
        low, high = linear.bounds()
        return f"{low} to {high} points, {self._evidence(linear)}"

    def _evidence(self, linear: Linear) -> str:
        """The terms of a sum by weight, the largest first."""
        heaviest = sorted(linear.coefficients.items(), key=lambda item: -abs(item[1]))
        texts = self._short([node * 2 ^ (c < 0) for node, c in heaviest])
        groups: dict[int, list[str]] = {}
        for (_, c), text in zip(heaviest, texts, strict=True):
            groups.setdefault(abs(c), []).append(text)
        if len(groups) == 1:
            ((weight, names),) = groups.items()
            return f"{_points(weight, len(names))} for {_joined(names)}"
        said = [f"{_joined(names)} ({_points(weight, len(names))})" for weight, names in groups.items()]
        return f"most for {', then '.join(said[:_MOST_EVIDENCE])}" + (", …" if len(said) > _MOST_EVIDENCE else "")

    def _short(self, literals: list[int]) -> list[str]:
        """Bits as phrases, cut short if they are too long for a line of words."""
        return [_cut(text) for text in phrases(self.network, literals, self.inputs)]


def _points(weight: int, terms: int) -> str:
    return f"{weight} point{'s' if weight > 1 else ''}{' each' if terms > 1 else ''}"


def _joined(names: list[str]) -> str:
    if len(names) > _MOST_EVIDENCE + 1:
        names = [*names[:_MOST_EVIDENCE], f"{len(names) - _MOST_EVIDENCE} more"]
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _cut(text: str) -> str:
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST].rpartition(' ')[0]} …"
    return f"({text})" if " " in text.removeprefix("not ") else text
