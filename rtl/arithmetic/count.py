"""Weighted counts in hardware, shaped for look-up tables and the carry chains beside them.

A coefficient is written in binary, so every bit stands in the columns of its digits. How the bits of a column are added
up depends on the look-up tables: for four inputs see `leaves.py`, for six inputs `steps.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import ClassVar

from dbhw.base.errors import one_of
from dbhw.logic import truth
from dbhw.rtl.arithmetic.leaves import Leaves
from dbhw.rtl.arithmetic.steps import Steps
from dbhw.rtl.core.wires import ONE, Builder, Equal, Word, at_least, of_table

LUT_INPUTS = (4, 6)  # the look-up tables that counts are shaped for


@dataclass(frozen=True)
class Count:
    """A kind of count: positive weights, a constant, and what the total is compared with, if it is.

    Counts of one kind differ only in the bits they read, so one module serves them all.
    """

    weights: tuple[int, ...]
    constant: int = 0
    comparison: str = ""  # "at_least" or "exactly"
    k: int = 0
    apart: bool = False  # whether its steps are modules, which are kept
    kept: ClassVar[bool] = False

    def name(self) -> str:
        """What its module is called.

        >>> Count((1,) * 16, comparison="at_least", k=9).name(), Count((1, 1, 2)).name()
        ('at_least_9_of_16', 'count_of_2_1x2')
        """
        kind = f"{self.comparison}_{self.k}" if self.comparison else "count"
        plus = f"_plus_{self.constant}" if self.constant else ""
        plus += "_in_steps" * self.apart
        return f"{kind}_of_{_run_lengths(self.weights)}{plus}"

    def meaning(self) -> str:
        """What its module computes, for a comment.

        >>> Count((1, 1, 2), comparison="at_least", k=2).meaning()
        'Whether at least 2 of 3 bits are high; 1 of them counts 2.'
        """
        more = [f"{len(list(run))} of them counts {w}" for w, run in groupby(sorted(self.weights)) if w > 1]
        plus = [f"and {self.constant} more"] if self.constant else []
        which = f"{self.comparison.replace('_', ' ')} {self.k} of {len(self.weights)} bits are high"
        many = f"How many of {len(self.weights)} bits are high"
        return "; ".join([f"Whether {which}" if self.comparison else many, *more, *plus]) + "."

    @property
    def width(self) -> int:
        """How many bits it gives.

        >>> Count((1,) * 16).width
        5
        """
        return 1 if self.comparison else max((sum(self.weights) + self.constant).bit_length(), 1)

    def is_wiring(self) -> bool:
        """Whether no two weights have a digit in common, so that the total needs no adder.

        >>> Count((1, 4)).is_wiring(), Count((1, 1)).is_wiring()
        (True, False)
        """
        summands = [self.constant, *self.weights]
        if len(set(summands)) < len(summands):
            return False
        return sum(summands).bit_count() == sum(s.bit_count() for s in summands)

    def table(self, lut_inputs: int) -> int | None:
        """The truth table of a comparison that is one look-up table and needs all of its inputs.

        >>> bin(Count((1, 1, 1), comparison="at_least", k=2).table(4))
        '0b11101000'
        """
        if not self.comparison or len(self.weights) > lut_inputs:
            return None
        return _comparison_table(self)

    def build(self, builder: Builder, name: str, inputs: Word) -> Word:
        """The count of the inputs, which have the weights in order; its wires have names that start with the name.

        >>> from dbhw.rtl.verilog.writer import VerilogModule
        >>> module = VerilogModule("net"); x = module.input("x", 16)
        >>> len(Count((1,) * 16).build(module, "count", x))
        5
        """
        table = self.table(builder.lut_inputs)
        if table is not None and not self.is_wiring():
            return (of_table(table, inputs),)
        total = self._total(builder, name, inputs)
        if not self.comparison:
            return total
        return (at_least(total, self.k) if self.comparison == "at_least" else Equal(total, self.k),)

    def _total(self, builder: Builder, name: str, inputs: Word) -> Word:
        """The first inputs go straight into carry chains, where a complement would cost a table."""
        terms = [(ONE, self.constant), *zip(inputs, self.weights, strict=True)]
        if builder.lut_inputs == 4:
            return Leaves(builder, name).total(terms)
        return Steps(builder, name, self.apart).total(terms, sum(self.weights) + self.constant)


@cache
def _comparison_table(kind: Count) -> int | None:
    n = len(kind.weights)
    sums = [sum(c for j, c in enumerate(kind.weights) if i >> j & 1) for i in range(1 << n)]
    rows = (total >= kind.k if kind.comparison == "at_least" else total == kind.k for total in sums)
    table = sum(row << i for i, row in enumerate(rows))
    return table if len(truth.essential(table, n)) == n else None


def _run_lengths(weights: Iterable[int]) -> str:
    """Weights in short: the length of each run of equal ones, and the weight where it is not 1."""
    runs = ((weight, len(list(run))) for weight, run in groupby(weights))
    return "_".join(f"{n}" if weight == 1 else f"{n}x{weight}" for weight, n in runs)


def check_lut_inputs(lut_inputs: int) -> None:
    """Refuses a width of look-up tables that counts are not shaped for.

    >>> check_lut_inputs(6)
    """
    if lut_inputs not in LUT_INPUTS:
        raise one_of("inputs of a look-up table", lut_inputs, [str(n) for n in LUT_INPUTS])
