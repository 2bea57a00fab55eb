"""What a printed program says, in words and numbers: which evidence counts most, how small it is, and a check of it."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dbhw.data import stimuli
from dbhw.logic import passes
from dbhw.logic.formats import python
from dbhw.logic.formats.python import phrases
from dbhw.logic.linear import Linear
from dbhw.logic.network import AND, CONST, COUNT, GE, Network
from dbhw.model.model import Model

_MOST_INPUTS_FOR_ALL = 16
_SAMPLE = 1000
_MOST_EVIDENCE = 5
_LONGEST = 40


@dataclass(frozen=True)
class Checked:
    """How many inputs a program was run on, none where it could not be, and on how many it agrees with the hard net."""

    agree: int
    tried: int
    inputs: int

    def __str__(self) -> str:
        """The check in words.

        >>> str(Checked(64, 64, 6)), str(Checked(999, 1000, 784))
        ('64 of 64 inputs agree', '999 of 1000 sampled inputs agree')
        """
        if not self.tried:
            return "no, Python cannot run a sum of so many terms"
        sampled = "" if self.tried == 1 << self.inputs else "sampled "
        return f"{self.agree} of {self.tried} {sampled}inputs agree"


def shortest(network: Network) -> Network:
    """The network simplified for people: with look-up tables collapsed, or with weighted evidence left, if shorter.

    >>> n = Network(); a, b, c = (n.input(v) for v in "abc")
    >>> n.output("bits", [n.at_least([(a, 1), (b, 1), (c, 1)], 2)])
    >>> print(python.write(shortest(n)))
    def net(a, b, c):
        return [a + b + c >= 2]
    """
    # People read a sum as a whole.
    chosen = [name for name in passes.DEFAULT if name != "share"]
    weighted = passes.simplify(network, [name for name in chosen if name != "collapse"])
    return min(weighted, passes.simplify(network, chosen), key=lambda simplified: terms(python.write(simplified)))


def check(text: str, model: Model) -> Checked:
    """Runs a program's text beside the hard net: on every input, or, of more than 16 bits, on a thousand.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("a",), ("b", "c"))
    >>> check("def net(a):\\n    return [not a, a]", model), check("def net(a):\\n    return [a, a]", model)
    (Checked(agree=2, tried=2, inputs=1), Checked(agree=0, tried=2, inputs=1))
    """
    inputs = model.net.inputs
    x = stimuli.choose(inputs, "all" if inputs <= _MOST_INPUTS_FOR_ALL else str(_SAMPLE))
    scope: dict = {"__builtins__": {}}
    try:
        exec(text, scope)
    except RecursionError:
        return Checked(0, 0, inputs)
    found = np.array([scope["net"](*row) for row in x.tolist()]).astype(int)
    return Checked(int((found == model.scores(x)).all(axis=1).sum()), len(x), inputs)


def terms(text: str) -> int:
    """How many terms a program has: how often it reads a feature, or a line with a name.

    >>> terms("def net(a, b):\\n    return [2*a + (not b) >= 2, b]")
    3
    """
    read = (line.split(" = ")[-1] for line in text.splitlines()[1:])
    return sum(not keyword.iskeyword(name) for part in read for name in re.findall(r"[^\W\d]\w*", part))


def in_words(network: Network, classes: Sequence[str]) -> list[str]:
    """For each class of a net a line that says which evidence counts most.

    >>> n = Network(); a, b, c = (n.input(v) for v in "abc")
    >>> n.output("bits", [n.at_least([(a, 2), (b ^ 1, 1), (c, 1)], 3), n.and_([a, b])])
    >>> print("\\n".join(in_words(n, ["coat", "shirt"])))
    coat: at least 3 of 4 points, most for a (2 points), then not b and c (1 point each)
    shirt: all of a and b
    """
    output = network.outputs[-1]
    if len(output.members) == 1 and output.kind == "bits":  # one bit tells two classes
        return [f"{classes[1]}: {_bit(network, output.members[0])}", f"{classes[0]}: otherwise"]
    if output.kind == "bits":
        return [f"{name}: {_bit(network, m)}" for name, m in zip(classes, output.members, strict=True)]
    return [f"{name}: {_score(network, m)}" for name, m in zip(classes, output.members, strict=True)]


def _bit(network: Network, literal: int) -> str:
    node, complement = literal >> 1, literal & 1
    kind = network.kinds[node]
    if kind == CONST:
        return "always" if complement else "never"
    if kind == AND:
        # The shorter a part of a conjunction or disjunction, the more often it decides.
        parts = sorted(_short(network, [f ^ complement for f in network.fanin(node)]), key=len)
        return f"{'any' if complement else 'all'} of {_joined(parts)}"
    if kind == GE:
        linear, k = network.linear(network.fanin(node)[0]), network.parameters[node]
        if complement:
            linear, k = linear.scaled(-1), 1 - k
        low, high = linear.bounds()
        return f"at least {k - low} of {high - low} points, {_evidence(network, linear)}"
    return f"when {_short(network, [literal])[0].strip('()')}"


def _score(network: Network, count: int) -> str:
    if network.kinds[count] != COUNT or not network.linear(count).coefficients:
        return f"{network.bounds(count)[0]} points always"
    linear = network.linear(count)
    low, high = linear.bounds()
    return f"{low} to {high} points, {_evidence(network, linear)}"


def _evidence(network: Network, linear: Linear) -> str:
    """The terms of a sum by weight, the heaviest first."""
    heaviest = sorted(linear.coefficients.items(), key=lambda item: -abs(item[1]))
    texts = _short(network, [node * 2 ^ (c < 0) for node, c in heaviest])
    groups: dict[int, list[str]] = {}
    for (_, c), text in zip(heaviest, texts, strict=True):
        groups.setdefault(abs(c), []).append(text)
    if len(groups) == 1:
        ((weight, names),) = groups.items()
        return f"{_points(weight, len(names))} for {_joined(names)}"
    said = [f"{_joined(names)} ({_points(weight, len(names))})" for weight, names in groups.items()]
    return f"most for {', then '.join(said[:_MOST_EVIDENCE])}" + (", …" if len(said) > _MOST_EVIDENCE else "")


def _points(weight: int, terms: int) -> str:
    return f"{weight} point{'s' if weight > 1 else ''}{' each' if terms > 1 else ''}"


def _joined(names: list[str]) -> str:
    if len(names) > _MOST_EVIDENCE + 1:
        names = [*names[:_MOST_EVIDENCE], f"{len(names) - _MOST_EVIDENCE} more"]
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _short(network: Network, literals: list[int]) -> list[str]:
    """Bits as phrases, cut where they are too long for a line of words."""
    return [_cut(text) for text in phrases(network, literals)]


def _cut(text: str) -> str:
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST].rpartition(' ')[0]} …"
    return f"({text})" if " " in text.removeprefix("not ") else text
