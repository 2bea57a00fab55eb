"""What a net can be folded along: a layer whose outputs are like units that differ in their weights and their place.

The net is lowered with its weights as inputs. The bits that a layer gives are its *units*. Each is a function of some
inputs and some weights. If unit u is unit 0 with other weights, and with all inputs moved on by u steps, around the end
to the beginning, then one circuit computes any unit: its weights come from a ROM, and the inputs rotate in a register.

Where the rest of the net only adds up terms of single units, as class scores do, each unit gives its part of the
*totals*, which are accumulated. Otherwise the bits of all units are collected. What is behind is the *tail*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.base.names import default_names
from dbhw.logic.network import COUNT, Network
from dbhw.logic.rebuild import Copier
from dbhw.model import lower, message
from dbhw.model.model import Model
from dbhw.nn.net import Net

_WEIGHTS, _INPUTS, _SEVERAL = -1, -2, -3  # what a node depends on, if it is not a single unit


@dataclass(frozen=True)
class Units:
    """The units of a layer. `unit` is a network of the inputs at `offsets`, and then of a unit's weights."""

    layer: str
    inputs: int
    unit: Network
    offsets: tuple[int, ...]
    step: int  # unit u reads the inputs at offset + u * step, modulo their number
    weights: np.ndarray  # (units, weights of each)
    totals: tuple[int, ...]  # the least value of each accumulated total; empty if bits are collected
    widths: tuple[int, ...]  # the digits of each total above its least value
    tail: Network  # of the digits of all totals, or of the bits of all units

    @property
    def count(self) -> int:
        return len(self.weights)


def find(model: Model, fold: int) -> Units:
    """The units along which a model is folded: those of the layer that leaves the least hardware.

    >>> from dbhw.nn.layers.bucket_sum import BucketSum
    >>> from dbhw.nn.layers.negation import Negation
    >>> weights = np.array([[-0.5, 0.5, 0.5], [0.5, 0.5, 0.5]], np.float32)
    >>> net = Net(3, [Negation(width=2), BucketSum(buckets=2)])
    >>> units = find(Model(net, (weights, None), ("a", "b", "c"), ("no", "yes")), 3)
    >>> units.count, units.step, len(units.totals)
    (3, 1, 3)
    """
    network, values = lower.lower_layers(model.net, None, default_names("x", model.net.inputs))
    lower.add_outputs(model.net, network, values[-1])
    cuts = [cut for i, value in enumerate(values) if (cut := _cut(network, model.net, i, value))]
    for cut in sorted(cuts, key=lambda cut: cut.cost(fold)):
        units = cut.units(model)
        if units is not None:
            return units
    raise DbhwError(
        "net must have a layer of like units, each with weights of its own and the same window of the inputs"
        " one step on, to be folded, but it has none"
    )


def _cut(network: Network, net: Net, number: int, value: Any) -> _Cut | None:
    if isinstance(value, np.ndarray):
        return None
    literals = value.array.ravel().tolist()
    if len({literal >> 1 for literal in literals} - {0}) != len(literals) or len(literals) < 2:
        return None
    name = lower.describe(net.layers[number - 1], net.input_shapes()[number - 1]) if number else "inputs"
    cut = _Cut(name, network, net.inputs, literals)
    return cut if cut.separates else None


class _Cut:
    """A network cut at the bits of a layer: what is before them is units, what is behind is the tail."""

    def __init__(self, layer: str, network: Network, inputs: int, literals: list[int]) -> None:
        self.layer, self.network, self.inputs, self.literals = layer, network, inputs, literals
        self.owners = self._owners()
        self.totals = self._totals()
        roots = [literal >> 1 for literal in literals] if self.totals is None else self.totals
        self.tail_nodes = list(self._cone(network.output_nodes(), roots))
        self.separates = not any(0 < node <= inputs for node in self.tail_nodes)

    def _owners(self) -> list[int]:
        """For each node the only unit that it is a function of, or what else it depends on."""
        network = self.network
        units = {literal >> 1: u for u, literal in enumerate(self.literals)}
        owners = [_WEIGHTS] * len(network)
        owners[1 : 1 + self.inputs] = [_INPUTS] * self.inputs
        for node in units.keys() & set(network.inputs()):
            owners[node] = units[node]
        for node in network.nodes():
            if node in units:
                owners[node] = units[node]
                continue
            read = {owners[source] for source in network.sources(node)} - {_WEIGHTS}
            owners[node] = (_INPUTS if _INPUTS in read else read.pop() if len(read) == 1 else _SEVERAL) if read else -1
        return owners

    def _totals(self) -> list[int] | None:
        """The counts through which alone the outputs depend on units, term by term; None if there is another way."""
        network, found = self.network, []
        pending, seen = list(network.output_nodes()), set()
        while pending:
            node = pending.pop()
            if node in seen or self.owners[node] == _WEIGHTS:
                continue
            seen.add(node)
            if self.owners[node] != _SEVERAL:
                return None
            sources = network.sources(node)
            if network.kinds[node] == COUNT and all(self.owners[s] >= 0 for s in sources):
                found.append(node)
            else:
                pending += sources
        return sorted(found)

    def _cone(self, roots: Iterable[int], ends: Iterable[int]) -> Iterator[int]:
        """The nodes that roots depend on, inputs included, up to where it ends."""
        seen, pending = {0, *ends}, list(roots)
        while pending:
            node = pending.pop()
            if node not in seen:
                seen.add(node)
                yield node
                pending += self.network.sources(node)

    def cost(self, fold: int) -> float:
        """An estimate of the hardware: what the nodes of all units read, by the fold, and what those of the tail do."""
        unit = sum(len(self.network.fanin(node)) for node in self._cone([n for n, _ in self._terms()[0]], []))
        tail = sum(len(self.network.fanin(node)) for node in self.tail_nodes)
        collected = len(self.literals) if self.totals is None else 0
        return unit * len(self.literals) / fold + tail + collected

    def _terms(self) -> list[list[tuple[int, tuple[int, int]]]]:
        """For each unit the nodes that it shows, each with the place and the coefficient in a total."""
        if self.totals is None:
            return [[(literal >> 1, (0, literal & 1))] for literal in self.literals]
        terms: list[list[tuple[int, tuple[int, int]]]] = [[] for _ in self.literals]
        for place, total in enumerate(self.totals):
            for node, coefficient in self.network.linear(total).coefficients.items():
                terms[self.owners[node]].append((node, (place, coefficient)))
        return terms

    def units(self, model: Model) -> Units | None:
        """The units, if they are alike."""
        copier = Copier(self.network, Network())
        firsts, weights = [], []
        template: tuple[tuple[int, ...], Network] | None = None
        step = 0
        for u, terms in enumerate(self._terms()):
            cone = sorted(self._cone([node for node, _ in terms], []))
            x = [node - 1 for node in cone if node <= self.inputs]
            if not x:
                return None
            firsts.append(_first(self.network, cone, self.inputs))
            step = (firsts[1] - firsts[0]) % self.inputs if u == 1 else step
            offsets = sorted((node - u * step) % self.inputs for node in x) if u else x
            own = [node for node in cone if self.inputs < node <= len(self.network.input_names)]
            unit = self._unit(copier, cone, [(o + u * step) % self.inputs for o in offsets], own, terms)
            if template is None:
                template = tuple(offsets), unit
            elif (tuple(offsets), _text(unit)) != (template[0], _text(template[1])):
                return None
            weights.append([node - 1 - self.inputs for node in own])
        if template is None or not weights[0]:
            return None
        bits = message.bits(model)
        bounds = [self.network.bounds(total) for total in self.totals or ()]
        return Units(
            layer=self.layer,
            inputs=self.inputs,
            unit=template[1],
            offsets=template[0],
            step=step,
            weights=bits[np.array(weights)],
            totals=tuple(low for low, _ in bounds),
            widths=tuple((high - low).bit_length() for low, high in bounds),
            tail=self._tail(bits, bounds),
        )

    def _unit(
        self, copier: Copier, cone: list[int], x: list[int], own: list[int], terms: list[tuple[int, tuple[int, int]]]
    ) -> Network:
        copier.new = new = Network()
        for node in [i + 1 for i in x] + own:
            copier.copied[node] = new.input("x")
        for node in cone:
            if node > len(self.network.input_names):
                copier.copied[node] = copier.visit(node)
        if self.totals is None:
            new.output("bit", [copier.copied[node] ^ inverted for node, (_, inverted) in terms])
            return new
        sums = [new.count([(_raising(copier.copied[n], c), abs(c)) for n, (p, c) in terms if p == place])
                for place in range(len(self.totals))]  # fmt: skip
        new.integer_output("totals", sums, 1)
        return new

    def _tail(self, bits: np.ndarray, bounds: list[tuple[int, int]]) -> Network:
        network, new = self.network, Network()
        copier = Copier(network, new)
        copied = copier.copied
        for node, bit in enumerate(bits.tolist(), 1 + self.inputs):
            copied[node] = int(bit)
        if self.totals is None:
            for literal in self.literals:
                copied[literal >> 1] = new.input("unit") ^ (literal & 1)
        else:
            digits = [[new.input("digit") for _ in range((high - low).bit_length())] for low, high in bounds]
        for total, (low, _), own in zip(self.totals or (), bounds, digits if self.totals else (), strict=True):
            copied[total] = new.count([(digit, 1 << j) for j, digit in enumerate(own)], low)
        for node in sorted(node for node in self.tail_nodes if node > len(network.input_names)):
            for name in network.layer_names[len(new.layer_names) : network.layers[node] + 1]:
                new.begin_layer(name)
            copied[node] = copier.visit(node)
        copier.outputs()
        return new


def _raising(literal: int, coefficient: int) -> int:
    return literal ^ (coefficient < 0)


def _first(network: Network, cone: list[int], inputs: int) -> int:
    """The input that the first node reads which reads any: it is at the same place in like units."""
    for node in cone:
        if node > len(network.input_names):
            read = [source - 1 for source in network.sources(node) if 0 < source <= inputs]
            if read:
                return read[0]
    return next(node - 1 for node in cone if node <= inputs)


def _text(unit: Network) -> tuple[object, ...]:
    """All that makes two networks the same."""
    arrays = (unit.kinds, unit.parameters, unit.starts, unit.fanins, unit.coefficients)
    return (*(a.tobytes() for a in arrays), tuple(unit.tables), tuple(unit.outputs))
