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

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dbhw.logic import planes
from dbhw.prove import aig as graphs
from dbhw.prove import culprits, difference, extremes
from dbhw.prove.aig import Aig
from dbhw.prove.matching import examples
from dbhw.prove.points import Point, Points
from dbhw.prove.watch import OutOfTimeError, Watch
from dbhw.tools import abc

_SWEEPING_SECONDS = 120.0
_STEP_SECONDS = 60.0
EQUIVALENT = "Networks are equivalent"
_CANDIDATES = 4
_LARGE = 2000  # gates: smaller graphs are proved at once
_AT_ONCE = 500
_CULPRITS = 4  # looked for before the next simulation
_CONFLICTS = 1000  # how hard a single pair of nodes is tried when all that seem equal are not
Pair = tuple[int, int]  # a literal of each graph
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
    """Two graphs, and the nodes proved so far, as literals over inputs that both have in common."""

    def __init__(self, folder: Path, a: Aig, b: Aig, watch: Watch) -> None:
        self.folder, self.a, self.b, self.watch = folder, a, b, watch
        self.inputs = a.inputs
        self.known_a: dict[int, int] = {}
        self.known_b: dict[int, int] = {}
        self.cuts: list[list[Cut]] = []
        self.twins = graphs.twins(a, b)
        self.numbers: dict[int, set[int]] = {}  # for an input that is a digit of a number, those of all its digits

    def step(self, points: Sequence[Point]) -> list[Point]:
        """Proves what it can of the points, which become inputs; those of them that `b` has, by its literals."""
        self.watch.say(f"{points[0].layer}: {len(points)} points")
        lots = _lots(points)
        proved = {f: [self._twin(f)] for lot in lots for f in lot if f >> 1 in self.twins}
        numbers = [p.literals for p in points if len(p.literals) > 1 and not proved.keys() >= set(p.literals)]
        alike = self._seem_equal([literal for lot in lots for literal in lot if literal not in proved], numbers)
        for lot in lots:
            for literal, other in self._equal_of([(f, other) for f in lot for other in alike.get(f, ())]):
                proved.setdefault(literal, []).append(other)
        for number in numbers:
            if not proved.keys() >= {f for f in number if f > 1}:
                proved |= self._read_around(number)
        proved = self._without_chance(proved)
        found = [point for point in points if all(f < 2 or f in proved for f in point.literals)]
        learned = {f for point in points for f in point.literals if f in proved}
        for literal in sorted(learned):
            self._learn(literal, proved[literal])
        for number in numbers:
            digits = {self.known_a[f >> 1] >> 1 for f in number if f >> 1 in self.known_a}
            self.numbers |= dict.fromkeys(digits, digits)
        self.cuts += [[(f, proved[f]) for f in sorted(learned.intersection(lot))] for lot in lots]
        return [Point(p.layer, tuple(proved[f][0] if f > 1 else f for f in p.literals)) for p in found]

    def _read_around(self, number: Sequence[int]) -> dict[int, list[int]]:
        """The digits of a number that are proved once the points that `b` reads around are opened for it alone."""
        digits = [f for f in number if f > 1]
        pairs = [(f, alike[0]) for f, alike in self._seem_equal_from_inputs(digits).items() if alike]
        inner = copy(self)
        if not pairs or not inner._open(set.symmetric_difference, pairs):
            return {}
        alike = inner._seem_equal(digits, [number])
        proved = inner._equal_of([(f, other) for f in digits for other in alike[f][:1]])
        return {f: [other] for f, other in proved}

    def _seem_equal_from_inputs(self, literals: Sequence[int]) -> dict[int, list[int]]:
        """The same as `_seem_equal`, where nothing is known."""
        inner = copy(self)
        inner.inputs, inner.known_a, inner.known_b = self.a.inputs, {}, {}
        return inner._seem_equal(literals, ())

    def _without_chance(self, proved: dict[int, list[int]]) -> dict[int, list[int]]:
        """Of the equal nodes of `b` the first, and those that read none of these.

        Inside an adder, the conjunction of two tables may by chance be a third table. Cut there, it is no adder.
        """
        above = graphs.above(self.b, {others[0] >> 1 for others in proved.values()})
        return {f: [others[0], *(o for o in others[1:] if o >> 1 not in above)] for f, others in proved.items()}

    def _twin(self, literal: int) -> int:
        return 2 * self.twins[literal >> 1] + (literal & 1)

    def outputs_are_twins(self) -> bool:
        """Whether all outputs are made in the same way."""
        pairs = zip(self.a.outputs, self.b.outputs, strict=True)
        return all(f >> 1 in self.twins and self._twin(f) == other for f, other in pairs)

    def twin_points(self, points: Sequence[Point]) -> list[Point]:
        """The points of which `b` has a twin, by its literals."""
        found = [point for point in points if all(f >> 1 in self.twins for f in point.literals)]
        return [Point(point.layer, tuple(map(self._twin, point.literals))) for point in found]

    def _learn(self, literal: int, others: Sequence[int]) -> None:
        known = [self.known_b[f >> 1] ^ (f & 1) for f in others if f >> 1 in self.known_b]
        known += [f for f in others if f >> 1 <= self.b.inputs]
        if not known:
            self.inputs += 1
            known = [2 * self.inputs]
        self.known_a.setdefault(literal >> 1, known[0] ^ (literal & 1))
        for f in others:
            if f >> 1 > self.b.inputs:
                self.known_b.setdefault(f >> 1, known[0] ^ (f & 1))

    def _words(self, numbers: Sequence[Sequence[int]] = ()) -> np.ndarray:
        """Random inputs, and those that bring numbers of `a` to their ends."""
        found = [examples(self.inputs), extremes.vectors(self.a, self.known_a, self.inputs, numbers)]
        return np.ascontiguousarray(planes.pack(np.concatenate(found)).T)

    def _seem_equal(self, literals: Sequence[int], numbers: Sequence[Sequence[int]]) -> dict[int, list[int]]:
        """For each literal of `a` some of `b` that answer alike, but constants: what is rarely high seems to be one."""
        words = self._words(numbers)
        candidates = _by_signature(graphs.simulate(self.b, words, self.known_b))
        answers = graphs.simulate(self.a, words, self.known_a)
        alike = {}
        for literal in literals:
            signature, inverted = _signature(answers[literal >> 1])
            found = candidates.get(signature, []) if any(signature) else []
            alike[literal] = [f ^ inverted ^ (literal & 1) for f in found]
        return alike

    def _equal_of(self, pairs: list[Pair]) -> list[Pair]:
        """Those of the pairs that are proved: if not all are, those that ABC's sweeping merges, else by halves."""
        if not pairs or self.all_equal(pairs):
            return pairs
        merged = self._merged(pairs)
        if len(merged) < len(pairs) and (not merged or self.all_equal(merged)):
            return merged
        half = len(pairs) // 2
        return self._equal_of(pairs[:half]) + self._equal_of(pairs[half:]) if half else []

    def _merged(self, pairs: list[Pair]) -> list[Pair]:
        """Those of the pairs just written that are one node once ABC has merged what is equal; all if it takes long."""
        swept = self.folder / "swept.aig"
        swept.unlink(missing_ok=True)
        script = ["&r a.aig", "&miter b.aig", f"&fraig -C {_CONFLICTS}", f"&w {swept.name}"]
        abc.run(script, self.folder, self.watch.left(_STEP_SECONDS))
        if not swept.exists():
            return pairs
        return [pair for pair, differs in zip(pairs, graphs.read(swept).outputs, strict=True) if not differs]

    def all_equal(self, pairs: Sequence[Pair]) -> bool:
        """Whether ABC proves all pairs to be equal, whatever the known nodes are."""
        sides = zip((self.a, self.b), (self.known_a, self.known_b), zip(*pairs, strict=True), strict=True)
        for name, (graph, known, literals) in zip(("a.aig", "b.aig"), sides, strict=True):
            graphs.write(self.folder / name, graphs.part(graph, literals, known, self.inputs))
        # Nobody waits long for a step: the whole is tried without it.
        return equal_files(self.folder, "a.aig", "b.aig", self.watch, _STEP_SECONDS if self.known_a else None)

    def outputs_are_equal(self) -> bool:
        """Whether the outputs are proved: from the known nodes, from those that nothing reads around, or at once."""
        outputs = list(zip(self.a.outputs, self.b.outputs, strict=True))
        self.watch.say("the outputs")
        if self.all_equal(outputs):
            return True
        if not self.known_a:
            return False
        for around in (set.symmetric_difference, set.union):
            if self._open(around, outputs) + self._open_culprits(outputs) and self.known_a:
                self.watch.say(f"the outputs, from {len(self.known_a)} points that nothing reads around")
                if self.all_equal(outputs):
                    return True
        self.watch.say("the outputs, all at once")
        self.cuts = []
        return _Sweep(self.folder, self.a, self.b, self.watch).all_equal(outputs)

    def _open(self, around: Callable[[set[int], set[int]], set[int]], pairs: Sequence[Pair]) -> bool:
        """Forgets the points above what is read around them, until there are none; whether there were any.

        What is read around is taken from the inputs and points that the two sides of the pairs read.
        """
        opened = False
        while above := self._points_above(around(*self._read_by(pairs))):
            opened = True
            self._forget(above)
        return opened

    def _open_culprits(self, pairs: Sequence[Pair]) -> bool:
        """Forgets the points that cannot be free, as far as simulation tells; whether there were any."""
        opened = False
        x = examples(self.inputs)
        while True:
            a, b = zip(*pairs, strict=True)
            sides = (self.a, self.known_a, a), (self.b, self.known_b, b)
            differing = np.flatnonzero(culprits.differing(*sides, x))[:_CULPRITS]
            found = {culprits.find(*sides, x[i]) for i in differing} - {None}
            if not found:
                return opened
            opened = True
            self._forget({digit for i in found if i for digit in self.numbers.get(i, {i})})

    def _forget(self, points: set[int]) -> None:
        self.known_a, self.known_b = (
            {node: literal for node, literal in known.items() if literal >> 1 not in points}
            for known in (self.known_a, self.known_b)
        )
        self.cuts = [[cut for cut in step if cut[0] >> 1 in self.known_a] for step in self.cuts]

    def _read_by(self, pairs: Sequence[Pair]) -> list[set[int]]:
        sides = zip((self.a, self.b), zip(*pairs, strict=True), (self.known_a, self.known_b), strict=True)
        return [graphs.support(graph, literals, known) for graph, literals, known in sides]

    def _points_above(self, read: set[int]) -> set[int]:
        """The points, as numbers of inputs, that depend on some of these inputs in the first graph."""
        nodes = {node for node, literal in self.known_a.items() if literal >> 1 in read}
        above = graphs.above(self.a, nodes | {number for number in read if number <= self.a.inputs})
        return {literal >> 1 for node, literal in self.known_a.items() if node in above}

    def outputs_differ(self) -> bool:
        """Whether simulation sees a difference."""
        words = self._words()
        answers = [graphs.of(graphs.simulate(g, words, {}), np.array(g.outputs)) for g in (self.a, self.b)]
        return bool((answers[0] != answers[1]).any())

    def first_difference(self, points: Points) -> str:
        """The layer where `b` first differs: see `difference.py`."""
        words = self._words()[: self.a.inputs]
        candidates = _by_signature(graphs.simulate(self.b, words, {}))
        answers = graphs.simulate(self.a, words, {})
        ordered = [point for step in points for point in step]
        present = [all(_signature(answers[f >> 1])[0] in candidates for f in point.literals) for point in ordered]
        return difference.layer(self.a, ordered, present)


def _lots(points: Sequence[Point]) -> list[list[int]]:
    """The literals to be proved at once: of many bits, or of one number, since sums are slow to compare."""
    bits = list(dict.fromkeys(f for point in points if len(point.literals) == 1 for f in point.literals if f > 1))
    numbers = [[f for f in point.literals if f > 1] for point in points if len(point.literals) > 1]
    return [bits[i : i + _AT_ONCE] for i in range(0, len(bits), _AT_ONCE)] + numbers


def _by_signature(answers: np.ndarray) -> dict[bytes, list[int]]:
    """Literals by what they answer, the lowest first, and some of those that answer alike."""
    found: dict[bytes, list[int]] = {}
    for node in range(len(answers)):
        signature, inverted = _signature(answers[node])
        alike = found.setdefault(signature, [])
        if len(alike) < _CANDIDATES:
            alike.append(2 * node ^ inverted)
    return found


def _signature(answers: np.ndarray) -> tuple[bytes, bool]:
    """What a node answers, inverted if its first answer is high."""
    inverted = bool(answers[0] & np.uint64(1))
    return (~answers if inverted else answers).tobytes(), inverted


def equal_files(folder: Path, a: str, b: str, watch: Watch, seconds: float | None = None) -> bool:
    """Whether ABC proves within some seconds that two AIGER files are one function of inputs in the same order.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     graphs.write(Path(folder, "a.aig"), Aig(1, np.zeros((0, 2), int), [2]))
    ...     graphs.write(Path(folder, "b.aig"), Aig(1, np.zeros((0, 2), int), [3]))
    ...     [equal_files(Path(folder), "a.aig", other, Watch()) for other in ("a.aig", "b.aig")]
    [True, False]
    """
    # The newer sweeping proves large sums many times faster, but of what is not equal it only says "undecided".
    said = abc.run([f"&cec -y {a} {b}"], folder, watch.left(_SWEEPING_SECONDS))
    if EQUIVALENT not in said:
        said = abc.run([f"&cec {a} {b}"], folder, watch.left(seconds))
    watch.left()
    return EQUIVALENT in said and "NOT" not in said
