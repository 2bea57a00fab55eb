"""A model explained: its network as a short program, in words, and checked against the hard net."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from dbhw.data import stimuli
from dbhw.logic import passes
from dbhw.logic.formats import python
from dbhw.logic.network import Network
from dbhw.model.model import Model
from dbhw.report.words import in_words

_MOST_INPUTS_FOR_ALL = 16
_SAMPLE = 1000


@dataclass(frozen=True)
class Checked:
    """On how many inputs a program was run, and on how many it agrees with the hard net.

    `tried` is 0 if Python cannot run the program.
    """

    agree: int
    tried: int
    inputs: int

    def __str__(self) -> str:
        """The check in words.

        >>> str(Checked(64, 64, 6)), str(Checked(999, 1000, 784))
        ('64 of 64 inputs agree', '999 of 1000 sampled inputs agree')
        """
        if not self.tried:
            return "no, a sum in the program is too long for Python"
        sampled = "" if self.tried == 1 << self.inputs else "sampled "
        return f"{self.agree} of {self.tried} {sampled}inputs agree"


@dataclass(frozen=True)
class Explanation:
    """A program, the simplified network it prints, a line of words for each class, and a check of the program."""

    network: Network
    program: str
    classes: list[str]
    checked: Checked

    @property
    def terms(self) -> int:
        return terms(self.program)

    @property
    def right(self) -> bool:
        return self.checked.agree == self.checked.tried


def explain(model: Model, network: Network) -> Explanation:
    """Explains a model by its network as lowered.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("a",), ("b", "c"))
    >>> explained = explain(model, model.to_network())
    >>> print(explained.program)
    def net(a):
        return [not a, a]
    >>> explained.classes, explained.terms, str(explained.checked)
    (['b: when not a', 'c: when a'], 2, '2 of 2 inputs agree')
    """
    shown = shortest(network)
    program = python.write(shown)
    return Explanation(shown, program, in_words(shown, model.classes), check(program, model))


def shortest(network: Network) -> Network:
    """The network simplified for people, with or without small functions collapsed into tables: the shorter program.

    >>> n = Network(); a, b, c = (n.input(v) for v in "abc")
    >>> n.output("bits", [n.at_least([(a, 1), (b, 1), (c, 1)], 2)])
    >>> print(python.write(shortest(n)))
    def net(a, b, c):
        return [a + b + c >= 2]
    """
    # Sums stay whole: parts that hardware shares are hard to read.
    chosen = [name for name in passes.DEFAULT if name != "share"]
    weighted = passes.simplify(network, [name for name in chosen if name != "collapse"])
    return min(weighted, passes.simplify(network, chosen), key=lambda simplified: terms(python.write(simplified)))


def check(text: str, model: Model) -> Checked:
    """Compares a program with the hard net on every input, or on a thousand if there are more than 16 input bits.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("a",), ("b", "c"))
    >>> check("def net(a):\\n    return [not a, a]", model), check("def net(a):\\n    return [a, a]", model)
    (Checked(agree=2, tried=2, inputs=1), Checked(agree=0, tried=2, inputs=1))
    """
    inputs = model.net.inputs
    x = stimuli.choose(inputs, "all" if inputs <= _MOST_INPUTS_FOR_ALL else str(_SAMPLE))
    scope: dict[str, Any] = {"__builtins__": {}}
    try:
        exec(text, scope)
    except RecursionError:
        return Checked(0, 0, inputs)
    found = np.array([scope["net"](*row) for row in x.tolist()]).astype(int)
    return Checked(int((found == model.scores(x)).all(axis=1).sum()), len(x), inputs)


def terms(text: str) -> int:
    """How many terms a program has: how often it reads a feature or a named value.

    >>> terms("def net(a, b):\\n    return [2*a + (not b) >= 2, b]")
    3
    """
    read = (line.split(" = ")[-1] for line in text.splitlines()[1:])
    return sum(not keyword.iskeyword(name) for part in read for name in re.findall(r"[^\W\d]\w*", part))
