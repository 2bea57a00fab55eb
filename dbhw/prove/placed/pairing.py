"""Which register of a chip is which one of the board's Verilog.

Place and route knows where it put most registers; synthesis has renamed, inverted or left out the others. Those are
found by simulation: whatever the known ones hold, both circuits must take the same next values. A register that never
changes is taken as constant. All this only says what to try: the proof shows that it holds from the start on, and in
every step if in the one before. A wrong pair makes the proof fail.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

import numpy as np

from dbhw.prove.clocked.gates import Wire
from dbhw.prove.graphs import cones, simulation
from dbhw.prove.placed.circuit import Circuit

Mark = TypeVar("Mark", bound=Hashable)
_STEPS = 12
_WORDS = 128  # of 64 runs side by side


@dataclass(frozen=True)
class Pairs:
    """For sources of the chip those of the board; registers that start differently always hold the contrary.

    `constant` are registers of the board that keep what they hold at first.
    """

    same: dict[Wire, Wire]
    constant: frozenset[Wire]

    def inverted(self, board: Circuit, chip: Circuit, wire: Wire) -> bool:
        """Whether a source of the chip holds the contrary of the board's."""
        mine, other = chip.registers.get(wire), board.registers.get(self.same[wire])
        return mine is not None and other is not None and mine.start != other.start


def pair(board: Circuit, chip: Circuit, known: Mapping[Wire, Wire]) -> Pairs:
    """Completes what is known of the chip's sources, by simulation.

    >>> import tempfile; from pathlib import Path; from dbhw.prove.placed import circuit
    >>> def made(body):
    ...     with tempfile.TemporaryDirectory() as name:
    ...         text = f"module top (input c, d, output y); {body} endmodule"
    ...         _ = Path(name, "top.v").write_text(text)
    ...         return circuit.read(Path(name), ["read_verilog top.v", "hierarchy -top top", "proc"], "top")
    >>> board = made("reg q = 1, r = 0; always @(posedge c) begin q <= ~d; r <= q & r; end assign y = q | r;")
    >>> chip = made("reg p = 0; always @(posedge c) p <= d; assign y = ~p;")
    >>> found = pair(board, chip, {chip.inputs[pin]: board.inputs[pin] for pin in "cd"})
    >>> p, q, r = chip.names["p"], board.names["q"], board.names["r"]
    >>> found.same[p] == q, found.inverted(board, chip, p), found.constant == {r}
    (True, True, True)
    """
    pairs = Pairs(dict(known), frozenset())
    while True:
        ours, theirs = _marks(board, chip, pairs)
        found = _alone({mark: wires for mark, wires in ours.items() if any(mark)}, theirs)
        found = found or _alone(_read(board, {w: w for w in pairs.same.values()}), _read(chip, pairs.same))
        if not found:  # those that are alike are taken in order
            alike = (zip(wires, ours.get(mark, ()), strict=False) for mark, wires in theirs.items() if any(mark))
            still = (wires for mark, wires in ours.items() if not any(mark))
            return Pairs({**pairs.same, **dict(chain(*alike))}, frozenset(chain(*still)))
        # What is known now may hold anything in the next round: so it shows in what the others differ.
        pairs = Pairs({**pairs.same, **found}, frozenset())


def _alone(ours: Mapping[Mark, list[Wire]], theirs: Mapping[Mark, list[Wire]]) -> dict[Wire, Wire]:
    """Pairs of wires that have a mark in common, and with no others.

    >>> _alone({"a": [1], "b": [2, 3]}, {"a": [7], "b": [8]})
    {7: 1}
    """
    single = {mark: wires[0] for mark, wires in ours.items() if len(wires) == 1}
    return {wires[0]: single[mark] for mark, wires in theirs.items() if len(wires) == 1 and mark in single}


def _read(circuit: Circuit, known: Mapping[Wire, Wire]) -> dict[Hashable, list[Wire]]:
    """The registers that are not known, by the known ones that they depend on: what is seldom enabled never changes."""
    followed = [wire for wire in circuit.registers if wire not in known]
    graph = circuit.graph([circuit.registers[wire].value for wire in followed])
    found: dict[Hashable, list[Wire]] = {}
    for wire, literal in zip(followed, graph.outputs, strict=True):
        read = (circuit.sources[node - 1] for node in cones.support(graph, [literal], {}))
        found.setdefault(frozenset(known[source] for source in read if source in known), []).append(wire)
    return found


def _marks(board: Circuit, chip: Circuit, pairs: Pairs) -> tuple[dict[bytes, list[Wire]], dict[bytes, list[Wire]]]:
    """The registers of both that are in no pair, by how they change while those in pairs get random values."""
    contrary = {wire: pairs.inverted(board, chip, wire) for wire in pairs.same}
    ours, theirs = _Run(board, set(pairs.same.values())), _Run(chip, set(pairs.same))
    random = np.random.default_rng(len(pairs.same))
    for _ in range(_STEPS):
        words = {mine: random.integers(0, 2**64, _WORDS, np.uint64) for mine in pairs.same.values()}
        ours.step(words)
        theirs.step({wire: ~words[mine] if contrary[wire] else words[mine] for wire, mine in pairs.same.items()})
    return ours.marks(), theirs.marks()


class _Run:
    """A circuit from its start, in many runs side by side; the known sources are given in each step."""

    def __init__(self, circuit: Circuit, known: set[Wire]) -> None:
        self.circuit, self.followed = circuit, [wire for wire in circuit.registers if wire not in known]
        self.graph = circuit.graph([circuit.registers[wire].value for wire in self.followed])
        starts = [circuit.registers[wire].start for wire in self.followed]
        self.first = np.repeat(np.array(starts, bool)[:, None], _WORDS, axis=1) * np.uint64(2**64 - 1)
        self.now, self.before = self.first, list[np.ndarray]()

    def step(self, given: Mapping[Wire, np.ndarray]) -> None:
        state: dict[Wire, np.ndarray] = {**dict(zip(self.followed, self.now, strict=True)), **given}
        words = self._words([state.get(wire) for wire in self.circuit.sources])
        self.now = simulation.of(simulation.simulate(self.graph, words, {}), np.array(self.graph.outputs, np.int64))
        self.before.append(self.now ^ self.first)

    def _words(self, values: Sequence[np.ndarray | None]) -> np.ndarray:
        low = np.zeros(_WORDS, np.uint64)  # of what is neither known nor a register
        return np.array([low if value is None else value for value in values], np.uint64).reshape(-1, _WORDS)

    def marks(self) -> dict[bytes, list[Wire]]:
        """The registers by how they differed from their start, in all steps and runs."""
        steps, found = np.stack(self.before, axis=1), dict[bytes, list[Wire]]()
        for i, wire in enumerate(self.followed):
            found.setdefault(steps[i].tobytes(), []).append(wire)
        return found
