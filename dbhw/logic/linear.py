"""Weighted sums of bits, with one coefficient per bit: what counts are made from and compared by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Linear:
    """A sum of coefficient x node over distinct nodes, plus a constant.

    >>> Linear({3: 2}, 1).scaled(-1)
    Linear(coefficients={3: -2}, constant=-1)
    """

    coefficients: dict[int, int]
    constant: int = 0

    @classmethod
    def of(cls, terms: Iterable[tuple[int, int]], constant: int = 0) -> Linear:
        """Collects (literal, coefficient) terms; x + not x = 1.

        >>> Linear.of([(2, 1), (3, 1), (4, 3)])
        Linear(coefficients={2: 3}, constant=1)
        """
        total: dict[int, int] = {}
        for literal, coefficient in terms:
            if literal & 1:
                constant += coefficient
                coefficient = -coefficient
            node = literal >> 1
            if node:
                total[node] = total.get(node, 0) + coefficient
        return cls({n: c for n, c in sorted(total.items()) if c}, constant)

    def scaled(self, factor: int) -> Linear:
        return Linear({n: c * factor for n, c in self.coefficients.items()}, self.constant * factor)

    def bounds(self) -> tuple[int, int]:
        """The least and the largest value.

        >>> Linear({1: 2, 2: -1}, 5).bounds()
        (4, 7)
        """
        values = self.coefficients.values()
        return self.constant + sum(c for c in values if c < 0), self.constant + sum(c for c in values if c > 0)

    def lightest_never_decides(self, k: int) -> bool:
        """Whether the comparison of the sum with k never depends on the term with the smallest coefficient.

        If it does depend on that term, it depends on all others too, so they need not be looked at.

        >>> Linear({1: 31, 2: 1}).lightest_never_decides(16), Linear({1: 31, 2: 1}).lightest_never_decides(32)
        (True, False)
        """
        *others, lightest = sorted((abs(c) for c in self.coefficients.values()), reverse=True)
        if others[-1] == others[0] == lightest:
            return False
        reachable = 1  # Bit s is set where the others can add up to s.
        for c in others:
            reachable |= reachable << c
        least = k - self.bounds()[0] - lightest
        window = reachable >> max(least, 0) & (1 << lightest + min(least, 0)) - 1
        return window == 0
