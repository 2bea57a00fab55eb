"""Proof that two graphs are one function, cut into steps at wires that both of them have.

No SAT solver sees through ten sums of hundreds of tables, and a comparison of them, at once; but each table, each sum
and the comparison by itself is easy. So the proof goes from the inputs to the outputs. Points of the first graph are
given. Simulation says which nodes of the second one seem to be the same; ABC proves it, where all points proved so far
are inputs, the same ones for both graphs. Nodes that are made in the same way need no ABC. What holds for all values of
these inputs holds for those that they have. So every point that is proved is a function of the real inputs that both
graphs compute, and at last so are the outputs.

Simulation only says what to try. Synthesis may read around a point: a table behind a sum reads a wire inside the adder,
or a bit that another table reads too. Then the outputs are no function of the points alone, and the points above what
is read so are opened again. If that does not lead to the outputs either, ABC is given the whole graphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dbhw.prove.graphs import cones, simulation
from dbhw.prove.graphs.aig import Aig
from dbhw.prove.sweeping import candidates, culprits, difference, solver
from dbhw.prove.sweeping.known import Known, Pair
from dbhw.prove.sweeping.points import Point, Points
from dbhw.prove.watch import OutOfTimeError, Watch

_LARGE = 2000  # gates: smaller graphs are proved at once
_AT_ONCE = 500
_SELDOM = 50  # tried as equal to one bit
_CULPRITS = 4  # looked for before the next simulation
Proved = dict[int, list[int]]  # by literals of the first graph, those of the second that are equal
Cut = tuple[int, list[int]]  # a literal of the first graph, and those of the second that are proved equal to it


@dataclass(frozen=True)
class Outcome:
    """Whether two graphs are equal; where not, the first layer that differs; and the points as the second has them.

    `cuts` are the literals of the first graph at which the proof was cut, with those of the second that are equal.
    """

    equal: bool
    differs_in: str = ""
    points: list[list[Point]] = field(default_factory=list)
    cuts: list[list[Cut]] = field(default_factory=list)


def compare(folder: Path, a: Aig, b: Aig, points: Points = (), watch: Watch | None = None) -> Outcome:
    """Whether two graphs are the same function of the same inputs; the points are those of `a`.

    >>> import tempfile
    >>> gates = np.array([[2, 4], [6, 8]])
    >>> a, b, c = Aig(3, gates, [10]), Aig(3, np.array([[6, 4], [2, 8]]), [10]), Aig(3, gates, [11])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [compare(Path(folder), a, other, [[Point("and", (8,))]]).equal for other in (b, c)]
    [True, False]
    >>> compare(Path(), Aig(1, gates[:0], []), Aig(1, gates[:0], [])).equal  # no outputs, so no difference
    True
    """
    if not a.outputs:
        return Outcome(True)
    watch = watch or Watch()
    sweep = _Sweep(folder, a, b, watch)
    if sweep.outputs_are_twins():
        return Outcome(True, points=[twins for step in points if (twins := sweep.twin_points(step))])
    if sweep.outputs_differ():
        return Outcome(False, sweep.first_difference(points))
    large = max(len(a.gates), len(b.gates)) > _LARGE
    found: list[list[Point]] = []
    try:
        for step in points if large else ():
            if common := sweep.step(step):
                found.append(common)
        equal = sweep.outputs_are_equal()
    except OutOfTimeError:
        proved, all_points = (sum(map(len, some)) for some in (found, points))
        raise OutOfTimeError(f"{proved} of {all_points} points are proved, the outputs are not") from None
    return Outcome(True, points=found, cuts=sweep.cuts) if equal else Outcome(False, sweep.first_difference(points))


class _Sweep:
    """A proof on its way: what is known of two graphs, and where it was cut."""

    def __init__(self, folder: Path, a: Aig, b: Aig, watch: Watch) -> None:
        self.folder, self.watch = folder, watch
        self.known = Known(a, b)
        self.twins = cones.twins(a, b)
        self.numbers: dict[int, set[int]] = {}  # for an input that is a digit of a number, those of all its digits
        self.learned: list[list[Cut]] = []

    @property
    def cuts(self) -> list[list[Cut]]:
        """Where the proof is cut: what was learned, and not forgotten since."""
        return [[cut for cut in step if cut[0] >> 1 in self.known.of_a] for step in self.learned]

    def step(self, points: Sequence[Point]) -> list[Point]:
        """Proves what it can of the points, which become inputs; those of them that `b` has, by its literals."""
        self.watch.say(f"{points[0].layer}: {len(points)} points")
        proved = self._without_chance(self._proved(points))
        self._learn(points, proved)
        found = [point for point in points if all(f < 2 or f in proved for f in point.literals)]
        return [Point(p.layer, tuple(proved[f][0] if f > 1 else f for f in p.literals)) for p in found]

    def _proved(self, points: Sequence[Point]) -> Proved:
        """What is proved of the points: twins at once, then what ABC proves from what is known, then the rest."""
        lots = _lots(points)
        proved = {f: [self._twin(f)] for lot in lots for f in lot if f >> 1 in self.twins}
        numbers = [number for number in _numbers(points) if not proved.keys() >= _digits(number)]
        alike = candidates.seem_equal(self.known, [f for lot in lots for f in lot if f not in proved], numbers)
        for lot in lots:
            for literal, other in self._equal_of(self.known, [(f, other) for f in lot for other in alike.get(f, ())]):
                proved.setdefault(literal, []).append(other)
        proved |= self._bits_read_around([f for f in _bits(points) if f not in proved])
        for number in numbers:
            if not proved.keys() >= _digits(number):
                proved |= self._read_around(number)
        return proved

    def _bits_read_around(self, bits: Sequence[int]) -> Proved:
        """Of the bits those that are proved once the points that each reads around in `b` are opened for it."""
        alike = self._alike_from_inputs(bits)
        known = copy(self.known)
        if not known.open_read_around([(f, others[0]) for f, others in alike.items()]):
            return {}
        again = [(f, other) for f, others in candidates.seem_equal(known, bits).items() for other in others[:1]]
        lots = [again[i : i + _AT_ONCE] for i in range(0, len(again), _AT_ONCE)]
        proved = {f: [other] for lot in lots for f, other in self._equal_of(known, lot)}
        return proved | {f: [o] for f in bits if f not in proved and (o := self._one_read_around(f, alike.get(f, [])))}

    def _one_read_around(self, literal: int, alike: Sequence[int]) -> int | None:
        """The first that is proved equal to a bit, each with the points opened that are read around for it alone.

        A bit that is seldom high seems to be equal to many others.
        """
        for other in alike[:_SELDOM]:
            known = copy(self.known)
            known.open_read_around([(literal, other)])
            if self._all_equal(known, [(literal, other)]):
                return other
        return None

    def _alike_from_inputs(self, literals: Sequence[int]) -> dict[int, list[int]]:
        """Literals with those of `b` that seem to be equal, if no point is taken for an input."""
        if not literals:
            return {}
        alike = candidates.seem_equal(Known(self.known.a, self.known.b), literals)
        return {f: others for f, others in alike.items() if others}

    def _read_around(self, number: Sequence[int]) -> Proved:
        """The digits of a number that are proved once the points that `b` reads around are opened for it alone."""
        digits = sorted(_digits(number))
        pairs = [(f, others[0]) for f, others in self._alike_from_inputs(digits).items()]
        known = copy(self.known)
        if not pairs or not known.open_above(set.symmetric_difference, pairs):
            return {}
        alike = candidates.seem_equal(known, digits, [number])
        proved = self._equal_of(known, [(f, other) for f in digits for other in alike[f][:1]])
        return {f: [other] for f, other in proved}

    def _without_chance(self, proved: Proved) -> Proved:
        """Of the equal nodes of `b` one that is an output, or else the first, and those that read none of these.

        Inside an adder, the conjunction of two tables may by chance be a third table. Cut there, it is no adder. Nor
        is a digit that a carry could still change, where the largest sum has no such carry: what the adder gives out
        is its last digit, and it reads the carry's tables.
        """
        outputs = set(self.known.b.outputs)
        ordered = {f: sorted(others, key=lambda o: o not in outputs) for f, others in proved.items()}
        above = cones.above(self.known.b, {others[0] >> 1 for others in ordered.values()})
        return {f: [others[0], *(o for o in others[1:] if o >> 1 not in above)] for f, others in ordered.items()}

    def _learn(self, points: Sequence[Point], proved: Proved) -> None:
        """Makes inputs of what is proved, and keeps which of them are the digits of one number."""
        for literal in sorted({f for point in points for f in point.literals if f in proved}):
            self.known.learn(literal, proved[literal])
        for number in _numbers(points):
            digits = {self.known.of_a[f >> 1] >> 1 for f in number if f >> 1 in self.known.of_a}
            self.numbers |= dict.fromkeys(digits, digits)
        self.learned += [[(f, proved[f]) for f in sorted(proved.keys() & set(lot))] for lot in _lots(points)]

    def _equal_of(self, known: Known, pairs: list[Pair]) -> list[Pair]:
        """Those of the pairs that are proved: if not all are, those that ABC's sweeping merges, else by halves."""
        if not pairs or self._all_equal(known, pairs):
            return pairs
        one = solver.merged(self.folder, known.parts(pairs), self.watch)
        merged = pairs if one is None else [pair for pair, same in zip(pairs, one, strict=True) if same]
        if len(merged) < len(pairs) and (not merged or self._all_equal(known, merged)):
            return merged
        half = len(pairs) // 2
        return self._equal_of(known, pairs[:half]) + self._equal_of(known, pairs[half:]) if half else []

    def _all_equal(self, known: Known, pairs: Sequence[Pair]) -> bool:
        """Whether ABC proves all pairs to be equal, whatever the known nodes are."""
        # Nobody waits long for a step: the whole is tried without it.
        seconds = solver.STEP_SECONDS if known.of_a else None
        return solver.equal(self.folder, known.parts(pairs), self.watch, seconds)

    def _twin(self, literal: int) -> int:
        return 2 * self.twins[literal >> 1] + (literal & 1)

    def outputs_are_twins(self) -> bool:
        """Whether all outputs are made in the same way."""
        return all(f >> 1 in self.twins and self._twin(f) == other for f, other in self._outputs())

    def twin_points(self, points: Sequence[Point]) -> list[Point]:
        """The points of which `b` has a twin, by its literals."""
        found = [point for point in points if all(f >> 1 in self.twins for f in point.literals)]
        return [Point(point.layer, tuple(map(self._twin, point.literals))) for point in found]

    def _outputs(self) -> list[Pair]:
        return list(zip(self.known.a.outputs, self.known.b.outputs, strict=True))

    def outputs_are_equal(self) -> bool:
        """Whether the outputs are proved: from the known nodes, from those that nothing reads around, or at once."""
        outputs = self._outputs()
        self.watch.say("the outputs")
        if self._all_equal(self.known, outputs):
            return True
        if not self.known.of_a:
            return False
        for around in (set.symmetric_difference, set.union):
            if self.known.open_above(around, outputs) + self._open_culprits(outputs) and self.known.of_a:
                self.watch.say(f"the outputs, from {len(self.known.of_a)} points that nothing reads around")
                if self._all_equal(self.known, outputs):
                    return True
        self.watch.say("the outputs, all at once")
        self.known = Known(self.known.a, self.known.b)
        return self._all_equal(self.known, outputs)

    def _open_culprits(self, pairs: Sequence[Pair]) -> bool:
        """Forgets the points that cannot be free, as far as simulation tells; whether there were any."""
        opened = False
        x = simulation.examples(self.known.inputs)
        while found := self._culprits(pairs, x):
            opened = True
            self.known.forget({digit for point in found for digit in self.numbers.get(point, {point})})
        return opened

    def _culprits(self, pairs: Sequence[Pair], x: np.ndarray) -> set[int]:
        a, b = zip(*pairs, strict=True)
        sides = (self.known.a, self.known.of_a, a), (self.known.b, self.known.of_b, b)
        differing = np.flatnonzero(culprits.differing(*sides, x))[:_CULPRITS]
        return {point for i in differing if (point := culprits.find(*sides, x[i])) is not None}

    def outputs_differ(self) -> bool:
        """Whether simulation sees a difference."""
        words = simulation.packed(simulation.examples(self.known.inputs))
        graphs = self.known.a, self.known.b
        one, other = (simulation.of(simulation.simulate(g, words, {}), np.array(g.outputs)) for g in graphs)
        return bool((one != other).any())

    def first_difference(self, points: Points) -> str:
        """The layer where `b` first differs: see `difference.py`."""
        words = simulation.packed(simulation.examples(self.known.a.inputs))
        found = candidates.by_signature(simulation.simulate(self.known.b, words, {}))
        answers = simulation.simulate(self.known.a, words, {})
        ordered = [point for step in points for point in step]
        present = [all(candidates.has(found, answers[f >> 1]) for f in point.literals) for point in ordered]
        return difference.layer(self.known.a, ordered, present)


def _bits(points: Sequence[Point]) -> list[int]:
    return list(dict.fromkeys(f for point in points if len(point.literals) == 1 for f in point.literals if f > 1))


def _numbers(points: Sequence[Point]) -> list[tuple[int, ...]]:
    return [point.literals for point in points if len(point.literals) > 1]


def _digits(number: Sequence[int]) -> set[int]:
    """The digits of a number that are not constant."""
    return {f for f in number if f > 1}


def _lots(points: Sequence[Point]) -> list[list[int]]:
    """The literals to be proved at once: of many bits, or of one number, since sums are slow to compare."""
    bits = _bits(points)
    return [bits[i : i + _AT_ONCE] for i in range(0, len(bits), _AT_ONCE)] + [
        sorted(_digits(n)) for n in _numbers(points)
    ]
