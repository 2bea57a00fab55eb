"""From the cells of a netlist file, in any order, to a network; a loop or a wire without driver is an error."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dbhw.base.errors import DbhwError
from dbhw.logic.buses import buses
from dbhw.logic.network import Network

Wire = TypeVar("Wire", bound=Hashable)


@dataclass(frozen=True)
class Ports:
    """The names of the inputs and of the outputs of a file, one for each bit."""

    inputs: Sequence[str]
    outputs: Sequence[str]

    def check(self, what: str) -> None:
        """Refuses names that stand twice on a side, and a file without outputs."""
        if not self.inputs or not self.outputs:
            raise DbhwError(f"{what} must have inputs and outputs, but it lacks them")
        for side in (self.inputs, self.outputs):
            if len(set(side)) != len(side):
                twice = next(name for name in side if list(side).count(name) > 1)
                raise DbhwError(f"{what} must name each port once, but {twice!r:.60} is there twice")


@dataclass(frozen=True)
class Cell:
    """What drives a wire: the wires it reads, and what makes a literal of theirs."""

    reads: Sequence[Hashable]
    make: Callable[[Network, list[int]], int]


def assemble(
    what: str, ports: Ports, inputs: Sequence[Hashable], outputs: Sequence[Hashable], cells: Mapping[Hashable, Cell]
) -> Network:
    """The network of cells. Bits of a bus become neighbours, the lowest first; outputs are named by their buses.

    >>> cells = {"y": Cell(["b", "a"], lambda n, read: n.and_(read))}
    >>> assemble("file", Ports(["a", "b"], ["y"]), ["a", "b"], ["y"], cells).outputs
    [Output(name='y', kind='bits', members=(6,), width=1)]
    """
    ports.check(what)
    network = Network()
    known: dict[Hashable, int] = {}
    for bus in buses(ports.inputs):
        for bit in bus.bits:
            known[inputs[bit]] = network.input(ports.inputs[bit])
    network.begin_layer("netlist")
    for wire in (*outputs, *cells):
        _make(what, network, known, cells, wire)
    for bus in buses(ports.outputs):
        network.output(bus.name, [known[outputs[bit]] for bit in bus.bits])
    return network


def _make(
    what: str, network: Network, known: dict[Hashable, int], cells: Mapping[Hashable, Cell], root: Hashable
) -> None:
    """Makes a wire and all that it depends on; without recursion, for cells may form long chains."""
    pending, open_wires = [root], set()
    while pending:
        wire = pending[-1]
        if wire in known:
            pending.pop()
            continue
        if wire not in cells:
            raise DbhwError(f"{what} must drive all wires, but nothing drives {wire!s:.60}")
        cell = cells[wire]
        missing = [read for read in cell.reads if read not in known]
        if not missing:
            known[wire] = cell.make(network, [known[read] for read in cell.reads])
            open_wires.discard(wire)
            pending.pop()
        elif wire in open_wires:
            raise DbhwError(f"{what} must be combinational, but {wire!s:.60} depends on itself: there is a loop")
        else:
            open_wires.add(wire)
            pending += missing
