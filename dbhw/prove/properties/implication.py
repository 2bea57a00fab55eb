"""Rules about a model: proved for every input, or refuted by a counterexample, which is checked on the hard net."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dbhw.model.model import Model
from dbhw.prove.properties.rules import Rule
from dbhw.prove.properties.sat import Clauses, Encoded


@dataclass(frozen=True)
class Verdict:
    """Whether a rule holds on every input; if not, a counterexample; vacuous if its left side never holds."""

    holds: bool
    counterexample: np.ndarray | None = None
    vacuous: bool = False


def implied(model: Model, rule: Rule) -> Verdict:
    """Whether a rule holds on every input.

    >>> from dbhw.nn.layers.conjunction import Conjunction
    >>> from dbhw.nn.net import Net
    >>> from dbhw.prove.properties.rules import parse
    >>> model = Model(Net(2, [Conjunction(width=1)]), (np.full((1, 2), 0.5, np.float32),), ("a", "b"), ("no", "yes"))
    >>> implied(model, parse("yes -> a and b", model.features, model.classes)).holds
    True
    >>> implied(model, parse("a -> yes", model.features, model.classes)).counterexample.tolist()
    [True, False]
    """
    with Clauses() as clauses:
        net = Encoded(clauses, model.labelled().to_network(), model.net.classes)

        def literal(part: Rule) -> int:
            return part.value(net.inputs, net.classes, lambda a: -a, lambda a, b: clauses.and_([a, b]))

        solution = clauses.solve([-literal(rule)])
        if solution is not None:
            bits = np.array([i in solution for i in net.inputs])
            _check_counterexample(model, rule, bits)
            return Verdict(False, bits)
        vacuous = rule.kind == "implies" and clauses.solve([literal(rule.parts[0])]) is None
        return Verdict(True, vacuous=vacuous)


def _check_counterexample(model: Model, rule: Rule, bits: np.ndarray) -> None:
    predicted = model.predict(bits[None])[0]
    classes = [c == predicted for c in range(model.net.classes)]
    if rule.value(bits.tolist(), classes, lambda a: not a, lambda a, b: a and b):
        raise AssertionError(f"rule {rule} must fail on {bits.astype(int)}, but holds")
