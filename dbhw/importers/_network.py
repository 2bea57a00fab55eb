"""From a logic network of gates to a model: its ports become columns and named outputs, its gates one netlist layer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.data.tables.column import MOST_BITS, Column, pins
from dbhw.logic import truth
from dbhw.logic.buses import buses
from dbhw.logic.graph import AND, LUT
from dbhw.logic.network import Network
from dbhw.model.model import Model
from dbhw.nn.encoders.binary import Binary
from dbhw.nn.layer import Layer
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.netlist import Netlist
from dbhw.nn.net import Net
from dbhw.rtl.verilog.names import output_names, port_names

_MOST_READS = 6  # of a table; wider gates become trees
_HIGH, _LOW = 0.5, -0.5
_LAYERS = ["encode_1", "netlist_1", "netlist_2"]  # what wires are called after, so no port is


def model_of(network: Network, paths: Sequence[Path], importer: str) -> Model:
    """The model of a network of bits, with where it comes from.

    >>> n = Network(); a, b = n.input("a[0]"), n.input("a[1]"); n.output("y", [n.and_([a, b]) ^ 1])
    >>> model = model_of(n, [], "blif")
    >>> model.columns[0].width, model.net.ports, model.outputs([[1], [3]]).tolist()
    (2, {'y': 1}, [[True], [False]])
    """
    inputs = len(network.input_names)
    words = buses(network.input_names)
    names = port_names([bus.name for bus in words], _LAYERS)
    columns = tuple(
        Column(name, "integer" if len(bus.bits) > 1 else "bit", min(len(bus.bits), MOST_BITS))
        for name, bus in zip(names, words, strict=True)
    )
    if any(len(bus.bits) > MOST_BITS for bus in words):
        columns = ()  # one port of all bits
    layer, tables = _netlist(network, [] if not columns else names)
    first: list[Layer] = [Encode(tuple(Binary(column.width, False) for column in columns))] if columns else []
    shown = [f"{o}[{i}]" if width > 1 else o for o, width in layer.ports().items() for i in range(width)]
    soft = np.where(tables, _HIGH, _LOW).astype(np.float32)
    return Model(
        Net(inputs, [*first, layer]),
        (*[None] * len(first), soft),
        pins(columns) if columns else tuple(network.input_names),
        ("0", "1") if len(shown) == 1 else tuple(shown),
        provenance(paths, importer),
        columns,
    )


def provenance(paths: Sequence[Path], importer: str) -> dict[str, Any]:
    """Where an imported model comes from.

    >>> provenance([], "blif")
    {'imported': {'format': 'blif', 'files': {}}}
    """
    return {"imported": {"format": importer, "files": {path.name: files.digest(path) for path in paths}}}


def _netlist(network: Network, inputs: Sequence[str]) -> tuple[Netlist, np.ndarray]:
    """The layer of a network, and its tables (tables, 2^n)."""
    made = _Tables(network)
    shows = [made.place(literal) for output in network.outputs for literal in output.members]
    if not made.rows:
        made.place(1)  # a layer has at least one table
    fan_in, reads, tables, places = made.sorted()
    names = output_names([output.name for output in network.outputs], inputs, _LAYERS)
    widths = tuple(len(output.members) for output in network.outputs)
    return Netlist(fan_in, reads, tuple(places[place] for place in shows), names=tuple(names), widths=widths), tables


class _Tables:
    """The tables of a network's gates: for each the places that it reads, and its truth table over them."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.inputs = len(network.input_names)
        self.rows: list[tuple[tuple[int, ...], int]] = []
        self.known = {node: node - 1 for node in network.inputs()}  # by node: the place of its value
        self.inverted: dict[int, int] = {}
        for node in network.needed():
            self.known[node] = self._gate(node)

    def place(self, literal: int) -> int:
        """The place that holds a literal: an inverted node and a constant are tables of their own."""
        if literal > 1 and not literal & 1:
            return self.known[literal >> 1]
        if literal not in self.inverted:
            row = ((0,), 0b11 * literal) if literal <= 1 else ((self.known[literal >> 1],), 0b01)
            self.inverted[literal] = self._add(*row)
        return self.inverted[literal]

    def _gate(self, node: int) -> int:
        network, kind = self.network, self.network.kinds[node]
        literals = list(network.fanin(node))
        if kind == LUT:
            return self._add(tuple(self.known[f >> 1] for f in literals), network.table(node))
        signed = [(self.known[f >> 1], f & 1) for f in literals]
        while True:  # a tree of gates that are not too wide
            groups = [signed[i : i + _MOST_READS] for i in range(0, len(signed), _MOST_READS)]
            signed = [(self._joined(kind, group), 0) if len(group) > 1 else group[0] for group in groups]
            if len(signed) == 1:
                return signed[0][0]

    def _joined(self, kind: int, group: Sequence[tuple[int, int]]) -> int:
        n = len(group)
        inputs = [p ^ (truth.ones(n) * inverted) for p, (_, inverted) in zip(truth.projections(n), group, strict=True)]
        table = truth.ones(n) if kind == AND else 0
        for each in inputs:
            table = table & each if kind == AND else table ^ each
        return self._add(tuple(place for place, _ in group), table)

    def _add(self, reads: tuple[int, ...], table: int) -> int:
        if len(reads) > 8:
            raise DbhwError(f"table must have at most 8 inputs to be imported, not {len(reads)}")
        self.rows.append((reads, table))
        return self.inputs + len(self.rows) - 1

    def sorted(self) -> tuple[int, tuple[int, ...], np.ndarray, list[int]]:
        """Fan-in, reads and tables by their depth, so that many are looked up at once, and where each place went."""
        depths = [0] * self.inputs
        for reads, _ in self.rows:
            depths.append(1 + max(depths[place] for place in reads))
        order = sorted(range(self.inputs, len(depths)), key=depths.__getitem__)
        places = list(range(len(depths)))
        for i, old in enumerate(order, self.inputs):
            places[old] = i
        fan_in = max(len(reads) for reads, _ in self.rows)
        new_reads: list[int] = []
        tables = np.zeros((len(order), 1 << fan_in), bool)
        for row, old in enumerate(order):
            reads, table = self.rows[old - self.inputs]
            new_reads += [places[p] for p in reads] + [0] * (fan_in - len(reads))
            own = np.array([table >> i & 1 for i in range(1 << len(reads))], bool)
            tables[row] = np.tile(own, 1 << fan_in - len(reads))  # what is read besides does not matter
        return fan_in, tuple(new_reads), tables, places
