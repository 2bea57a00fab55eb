"""A model explained: its network as a short program, in words, and checked against the hard net."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from dbhw.base import terminal
from dbhw.base.names import default_names, identifiers
from dbhw.data import stimuli
from dbhw.data.tables.column import values
from dbhw.logic import passes
from dbhw.logic.formats import python
from dbhw.logic.network import Network
from dbhw.model.lower import lower
from dbhw.model.model import Model
from dbhw.nn.encoders import AT_LEAST, BIT
from dbhw.nn.layers.encode import Encode
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


@terminal.working("writing the program, and checking it")
def explain(model: Model, network: Network | None = None) -> Explanation:
    """Explains a model by its network as lowered; a model of integers by the comparisons that its encoder makes.

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
    model = model.labelled()
    inputs = comparisons(model)
    if inputs is not None:
        _, rest = model.net.encoded()
        network = lower(rest, model.weights[1:], default_names("bit", rest.inputs))
    shown = shortest(network or model.to_network(), inputs)
    program = python.write(shown, inputs=inputs)
    return Explanation(shown, program, in_words(shown, model.classes, inputs), check(program, model))


def comparisons(model: Model) -> python.Comparisons | None:
    """What the encoder of a model compares, in the user's own terms; None for a model of bits.

    >>> from dbhw.data.tables.column import Column
    >>> from dbhw.nn.encoders.thermometer import Thermometer
    >>> from dbhw.nn.layers.encode import Encode
    >>> from dbhw.nn.net import Net
    >>> net = Net(2, [Encode((Thermometer(2, False, (2,)),))])
    >>> model = Model(net, (None,), ("a[0]", "a[1]"), ("low", "high"), columns=(Column("a", "real", 2, scale=0.1),))
    >>> comparisons(model)
    Comparisons(parameters=['a'], texts=[('a >= 0.15', 'a < 0.15')])
    """
    first = model.net.layers[0] if model.net.layers else None
    if not model.columns or not isinstance(first, Encode):
        return None
    names = identifiers([column.name for column in model.columns])
    texts = []
    for name, column, encoder in zip(names, model.columns, first.encoders, strict=True):
        for kind, number in encoder.conditions():
            if kind == BIT:
                integer = f"round(({name} - {column.offset:g}) / {column.scale:g})" if column.kind == "real" else name
                bit = f"{integer} >> {number} & 1" if column.width > 1 else name
                texts.append((f"{bit} == 1", f"{bit} == 0"))
            else:
                against = repr(column.shown(number)) if column.kind == "category" else column.shown(number)
                opposite = "<" if kind == AT_LEAST else "!="
                texts.append((f"{name} {kind} {against}", f"{name} {opposite} {against}"))
    return python.Comparisons(names, texts)


def shortest(network: Network, inputs: python.Comparisons | None = None) -> Network:
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
    found = weighted, passes.simplify(network, chosen)
    return min(found, key=lambda simplified: terms(python.write(simplified, inputs=inputs)))


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
    scope: dict[str, Any] = {"__builtins__": {"round": round}}
    try:
        exec(text, scope)
    except RecursionError:
        return Checked(0, 0, inputs)
    rows = values(model.columns, x) if model.columns else x.tolist()
    found = np.array([scope["net"](*row) for row in rows]).astype(int)
    return Checked(int((found == model.scores(x)).all(axis=1).sum()), len(x), inputs)


def terms(text: str) -> int:
    """How many terms a program has: how often it reads a feature or a named value.

    >>> terms("def net(a, b):\\n    return [2*a + (not b) >= 2, b]")
    3
    """
    read = (line.split(" = ")[-1] for line in text.splitlines()[1:])
    return sum(not keyword.iskeyword(name) for part in read for name in re.findall(r"[^\W\d]\w*", part))
