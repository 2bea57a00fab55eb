"""The part of a net that is computed in one cycle: some units side by side, and the weights of each cycle."""

from __future__ import annotations

from dataclasses import dataclass

from dbhw.logic.network import Network
from dbhw.logic.rebuild import Copier
from dbhw.rtl.fold.units import Units


@dataclass(frozen=True)
class Slices:
    """A net in `cycles` slices of `lanes` units.

    The inputs of `network` are bits of the rotating register, at the places `window`; then a row of the ROM; then, if
    the last slice has fewer units, whether it is the last.
    """

    units: Units
    lanes: int
    cycles: int
    window: tuple[int, ...]
    network: Network
    rows: tuple[int, ...]  # of the ROM, the first weight lowest

    @property
    def step(self) -> int:
        """How far the inputs rotate in a cycle."""
        return self.lanes * self.units.step % self.units.inputs

    @property
    def row_bits(self) -> int:
        return self.lanes * self.units.weights.shape[1]

    @property
    def part_filled(self) -> bool:
        """Whether the last slice has fewer units than the others."""
        return bool(self.units.count % self.lanes)


def sliced(units: Units, fold: int) -> Slices:
    """Units in at most `fold` slices, with as few units in each as that takes.

    >>> import numpy as np
    >>> unit = Network(); both = unit.and_([unit.input("x"), unit.input("w")]); unit.output("bit", [both])
    >>> some = Units("and", 3, unit, (0,), 1, np.array([[True], [False], [True]]), (), (), Network())
    >>> made = sliced(some, 2)
    >>> made.cycles, made.lanes, made.rows, made.window
    (2, 2, (1, 1), (0, 1))
    """
    lanes = -(-units.count // fold)
    cycles = -(-units.count // lanes)
    window = tuple(sorted({_place(units, o, lane) for o in units.offsets for lane in range(lanes)}))
    bits = units.weights.reshape(-1).tolist()
    width = lanes * units.weights.shape[1]
    rows = [sum(1 << i for i, bit in enumerate(bits[t * width : (t + 1) * width]) if bit) for t in range(cycles)]
    return Slices(units, lanes, cycles, window, _network(units, lanes, window), tuple(rows))


def _place(units: Units, offset: int, lane: int) -> int:
    return (offset + lane * units.step) % units.inputs


def _network(units: Units, lanes: int, window: tuple[int, ...]) -> Network:
    new = Network()
    x = {place: new.input(f"x{place}") for place in window}
    weights = [[new.input("w") for _ in range(units.weights.shape[1])] for _ in range(lanes)]
    left = units.count % lanes
    last = new.input("last") if left else 0
    new.begin_layer(units.layer)
    copier = Copier(units.unit, new)
    terms: list[list[tuple[int, int]]] = [[] for _ in units.totals]
    bits = []
    for lane in range(lanes):
        inputs = [x[_place(units, o, lane)] for o in units.offsets] + weights[lane]
        copier.copied[1 : 1 + len(inputs)] = inputs
        for node in units.unit.nodes():
            copier.copied[node] = copier.visit(node)
        (shown,) = units.unit.outputs
        if not units.totals:
            bits += copier.literals(shown.members)
            continue
        absent = last if left and lane >= left else 0  # A unit that the last slice lacks adds nothing.
        for place, total in enumerate(shown.members):
            for node, c in units.unit.linear(total).coefficients.items():
                terms[place].append((new.and_([copier.copied[node] ^ (c < 0), absent ^ 1]), abs(c)))
    if not units.totals:
        new.output("bits", bits)
        return new
    new.begin_layer("totals")
    sums = [new.count(own) for own in terms]
    new.integer_output("totals", sums, max(max(new.bounds(s)[1] for s in sums).bit_length(), 1))
    return new
