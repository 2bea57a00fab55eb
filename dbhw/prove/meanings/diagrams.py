"""Binary decision diagrams of formulas: equal functions of the leaves have one number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dbhw.prove.meanings.formulas import Formulas

_MOST_NODES = 300_000
_MOST_LEAVES = 250  # Python's stack ends soon after


class TooLargeError(Exception):
    """A diagram would have too many nodes."""


def same(formulas: Formulas, a: int, b: int, leaves: Iterable[int]) -> bool:
    """Whether two literals are equal, whatever the leaves are.

    Leaves are tested in the order in which the first formula reads them: the weights of a list of rules, which are
    inputs, stand beside the rules. Where that makes diagrams too large, they are tested in the order of their numbers.
    If neither way is small enough, there is a `TooLargeError`.

    >>> f = Formulas(); a, b = f.input(), f.input()
    >>> same(f, f.or_([f.and_([a, b]), f.and_([a ^ 1, b])]), b, {a, b})
    True
    """
    if a == b:
        return True
    numbers = {f >> 1 for f in leaves}
    try:
        diagrams = Diagrams(formulas, numbers, _order(formulas, a, numbers))
        return diagrams.of(a) == diagrams.of(b)
    except TooLargeError:
        diagrams = Diagrams(formulas, numbers)
        return diagrams.of(a) == diagrams.of(b)


def _order(formulas: Formulas, literal: int, leaves: set[int]) -> list[int]:
    """The leaves, as a formula reads them from left to right."""
    found: dict[int, None] = {}
    met: set[int] = set()
    pending = [literal >> 1]
    while pending:
        number = pending.pop()
        definition = None if number in leaves else formulas.definitions[number]
        if definition is None:
            found[number] = None
        elif number not in met:
            met.add(number)
            pending += [f >> 1 for f in reversed(definition[1])]
    return list(found)


class Diagrams:
    """The diagrams over some leaves, which are formulas by their numbers.

    Those in `first` are tested first, in this order; of the others, a lower number is tested earlier.

    >>> f = Formulas(); a, b = f.input(), f.input()
    >>> diagrams = Diagrams(f, {1, 2})
    >>> diagrams.of(f.and_([a, b])) == diagrams.of(f.or_([a ^ 1, b ^ 1]) ^ 1)
    True
    """

    def __init__(self, formulas: Formulas, leaves: set[int], first: Sequence[int] = ()) -> None:
        self.formulas, self.leaves = formulas, leaves
        self._places = {number: i - len(first) for i, number in enumerate(first)}  # below all numbers
        self._nodes: list[tuple[int, int, int]] = [(1 << 62, 0, 0), (1 << 62, 1, 1)]  # leaf, if high, if low
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._chosen: dict[tuple[int, int, int], int] = {}
        self._made: dict[int, int] = {0: 0}
        self._met = 0  # leaves

    def of(self, literal: int) -> int:
        """The diagram of a formula; its subformulas come first, so that the stack stays short."""
        pending = [literal >> 1]
        while pending:
            number = pending[-1]
            definition = None if number in self.leaves else self.formulas.definitions[number]
            reads = () if definition is None else definition[1]
            missing = [f >> 1 for f in reads if f >> 1 not in self._made]
            if missing:
                pending += missing
                continue
            pending.pop()
            if number not in self._made:
                self._met += definition is None
                if self._met > _MOST_LEAVES:
                    raise TooLargeError
                place = self._places.get(number, number)
                self._made[number] = self._node(place, 1, 0) if definition is None else self._define(*definition)
        return self._choose(self._made[literal >> 1], 0, 1) if literal & 1 else self._made[literal >> 1]

    def _define(self, kind: str, literals: Sequence[int], coefficients: Sequence[int], number: int) -> int:
        bits = [self.of(f) for f in literals]
        if kind == "table":
            return self._table(number, bits)
        if kind in ("and", "xor"):
            coefficients = [1] * len(bits)
        holds: Callable[[int], bool] = {
            "and": lambda total: total == len(bits),
            "xor": lambda total: bool(total & 1),
            "reaches": lambda total: total >= number,
            "is": lambda total: total == number,
        }[kind]
        target = {"and": len(bits), "is": number}.get(kind)
        bounds = (number, number - 1) if kind == "reaches" else None if target is None else (target + 1, target - 1)
        return self._of_sum(bits, coefficients, holds, bounds)

    def _table(self, entries: int, bits: Sequence[int]) -> int:
        found = [entries >> i & 1 for i in range(1 << len(bits))]
        for bit in bits:
            found = [self._choose(bit, high, low) for low, high in zip(found[::2], found[1::2], strict=True)]
        return found[0]

    def _of_sum(
        self,
        bits: Sequence[int],
        coefficients: Sequence[int],
        holds: Callable[[int], bool],
        bounds: tuple[int, int] | None,
    ) -> int:
        """What holds for a sum: from the last term back, for each total that the terms before may have reached.

        From the first bound on, and up to the second one, it holds for all totals or for none.
        """
        terms = sorted(zip(bits, coefficients, strict=True), key=lambda term: -abs(term[1]))
        totals: list[set[int]] = [{0}]
        rests = [(0, 0)]
        for _, c in reversed(terms):
            rests.append((rests[-1][0] + min(c, 0), rests[-1][1] + max(c, 0)))
        rests.reverse()

        def settled(total: int, place: int) -> bool:
            """Whether the terms from here on no longer matter."""
            low, high = rests[place]
            return bounds is not None and (total + low >= bounds[0] or total + high <= bounds[1])

        for place, (_, c) in enumerate(terms):
            totals.append({t + d for t in totals[-1] if not settled(t, place) for d in (0, c)})
            if sum(map(len, totals)) > _MOST_NODES:
                raise TooLargeError
        after = {total: int(holds(total)) for total in totals[-1]}
        for place in reversed(range(len(terms))):
            bit, c = terms[place]
            after = {
                t: int(holds(t)) if settled(t, place) else self._choose(bit, after[t + c], after[t])
                for t in totals[place]
            }
        return after[0]

    def _node(self, leaf: int, high: int, low: int) -> int:
        if high == low:
            return high
        key = (leaf, high, low)
        if key not in self._numbers:
            if len(self._nodes) > _MOST_NODES:
                raise TooLargeError
            self._numbers[key] = len(self._nodes)
            self._nodes.append(key)
        return self._numbers[key]

    def _choose(self, bit: int, high: int, low: int) -> int:
        """The diagram of: if bit then high else low."""
        if bit <= 1 or high == low:
            return high if bit == 1 or high == low else low
        if (high, low) == (1, 0):
            return bit
        key = (bit, high, low)
        if key not in self._chosen:
            leaf = min(self._nodes[d][0] for d in key)
            if len(self._chosen) > 4 * _MOST_NODES:
                raise TooLargeError
            parts = [[self._nodes[d][side] if self._nodes[d][0] == leaf else d for d in key] for side in (1, 2)]
            self._chosen[key] = self._node(leaf, self._choose(*parts[0]), self._choose(*parts[1]))
        return self._chosen[key]
