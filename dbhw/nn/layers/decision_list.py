"""∂list: the learned answer of the first rule that fires. In hardware a tree of multiplexers."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dbhw.nn.bits import AnyBits
from dbhw.nn.initialisers import Initialiser, Uniform
from dbhw.nn.layer import Shape, WeightedLayer
from dbhw.nn.lazy import Array, choices, margins


@dataclass(frozen=True)
class DecisionList(WeightedLayer):
    """Each of `width` lists has an answer for every input; the first input that is high gives it.

    The last weight of a list is its answer where no input is high.

    >>> DecisionList(width=3).output_shape((5,)), DecisionList(width=3).weight_shape((5,))
    ((3,), (3, 6))
    """

    symbol: ClassVar[str] = "∂list"
    init: Initialiser = Uniform(0.4, 0.6)

    def output_shape(self, inputs: Shape) -> Shape:
        return self.weight_shape(inputs)[:1]

    def weight_shape(self, inputs: Shape) -> Shape:
        width, rules = super().weight_shape(inputs)
        return (width, rules + 1)

    def soft(self, weights: Array, x: Array, key: Array | None = None) -> Array:
        return margins.batch_first(choices.first_answer(weights, margins.batch_last(x)))

    def hard(self, weights: AnyBits, x: AnyBits) -> AnyBits:
        fires = x.concatenate(x.constant(np.array([True])))
        return _of_rules(fires.rows(1), weights)[1].reshape(self.width)


def _of_rules(fires: AnyBits, answers: AnyBits) -> tuple[AnyBits, AnyBits]:
    """Whether any of the rules (1, n) fires, and the answers (lists, 1) of the first one that does: half by half."""
    rules = fires.shape[-1]
    if rules == 1:
        return fires, answers
    parts = ((0, rules // 2), (rules // 2, rules))
    (first, early), (second, late) = (_of_rules(fires.part(*ends), answers.part(*ends)) for ends in parts)
    return first | second, (first & early) | (~first & late)
