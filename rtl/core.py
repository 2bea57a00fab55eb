"""The combinational core: a logic network as an Amaranth component with plain wires.

Every layer becomes a few vectors of wires, so that the Verilog reads layer by layer. A vector never reads itself:
nodes that read others of their own layer go into a further vector.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import and_, or_, xor

from amaranth.hdl import Cat, Const, Module, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from dbhw import tables
from dbhw.network import AND, ARGMAX, COUNT, EQ, GE, LUT, XOR, Network, Output
from dbhw.program import identifiers
from dbhw.rtl.argmax import Player, tournament
from dbhw.rtl.count import Term, adder_tree, pad


class Core(wiring.Component):
    """Input `x`, one bit per network input; an output port for each output of the network."""

    def __init__(self, network: Network) -> None:
        self.network = network
        ports = {o.name: Out(port_width(o)) for o in network.outputs}
        super().__init__({"x": In(len(network.input_names)), **ports})

    def elaborate(self, platform: object) -> Module:
        return _Elaboration(self.network, self).module


def port_width(output: Output) -> int:
    """The width of an output's port: its members side by side, the first lowest.

    >>> port_width(Output("scores", "integers", (7, 8, 9), width=4))
    12
    """
    return len(output.members) * output.width


class _Elaboration:
    def __init__(self, network: Network, core: Core) -> None:
        self.network = network
        self.module = Module()
        self.bits: dict[int, Value] = {0: Const(0, 1)}
        self.integers: dict[int, Value] = {}
        for i, node in enumerate(network.inputs()):
            self.bits[node] = core.x[i]
        self.layer_ids = layer_identifiers(network)
        for (layer, depth), nodes in _vectors(network).items():
            self._vector(layer, depth, nodes)
        for output in network.outputs:
            if output.kind == "bits":
                value = Cat(self._literal(m) for m in output.members)
            else:
                value = Cat(pad(self.integers[m], output.width) for m in output.members)
            self.module.d.comb += getattr(core, output.name).eq(value)

    def _vector(self, layer: int, depth: int, nodes: list[int]) -> None:
        name = self.layer_ids[layer] + (f"_{depth}" if depth else "")
        counts = [n for n in nodes if self.network.kinds[n] == COUNT]
        for i, node in enumerate(counts):
            self.integers[node] = self._count(f"{name}_count{i}", node)
        choices = [n for n in nodes if self.network.kinds[n] == ARGMAX]
        for i, node in enumerate(choices):
            players = [Player(self.integers[f], *self.network.bounds(f)) for f in self.network.fanin(node)]
            self.integers[node] = tournament(self.module, f"{name}_{i}" if i else name, players)
        gates = [n for n in nodes if self.network.kinds[n] not in (COUNT, ARGMAX)]
        if gates:
            vector = Signal(len(gates), name=name)
            self.module.d.comb += vector.eq(Cat(self._gate(n) for n in gates))
            self.bits.update({node: vector[i] for i, node in enumerate(gates)})

    def _literal(self, literal: int) -> Value:
        value = self.bits[literal >> 1]
        if literal <= 1:
            return Const(literal, 1)
        return ~value if literal & 1 else value

    def _gate(self, node: int) -> Value:
        network, kind = self.network, self.network.kinds[node]
        fanin = network.fanin(node)
        if kind == AND:
            if all(literal & 1 for literal in fanin):
                return ~_tree(or_, (self.bits[literal >> 1] for literal in fanin))
            return _tree(and_, (self._literal(literal) for literal in fanin))
        if kind == XOR:
            return _tree(xor, (self._literal(literal) for literal in fanin))
        if kind == LUT:
            return self._sum_of_products(network.table(node), [self.bits[f >> 1] for f in fanin])
        total = self.integers[fanin[0]]
        threshold = Const(network.parameters[node] - network.bounds(fanin[0])[0], len(total))
        assert kind in (GE, EQ)
        return total >= threshold if kind == GE else total == threshold

    def _sum_of_products(self, table: int, inputs: list[Value]) -> Value:
        cubes = tables.cubes(table, len(inputs))
        products = (
            _tree(and_, (v if value >> j & 1 else ~v for j, v in enumerate(inputs) if care >> j & 1))
            for care, value in cubes
        )
        return _tree(or_, products)

    def _count(self, name: str, node: int) -> Value:
        linear = self.network.linear(node)
        low = linear.bounds()[0]
        # A comparison moves the least value into its threshold; an integer that is shown must not be negative.
        terms: list[Term] = [(self._literal(n * 2 ^ (c < 0)), abs(c)) for n, c in linear.coefficients.items()]
        return adder_tree(self.module, name, terms, low if low > 0 else 0)


def _tree(operation: Callable[[Value, Value], Value], values: Iterable[Value]) -> Value:
    return reduce(operation, values)


def _vectors(network: Network) -> dict[tuple[int, int], list[int]]:
    """The nodes that outputs depend on, by layer and by how deep they read within it; in order of need."""
    readers = network.reader_counts()
    depths = [0] * len(network)
    groups: dict[tuple[int, int], list[int]] = {}
    for node in range(1 + len(network.input_names), len(network)):
        if not readers[node]:
            continue
        layer = network.layers[node]
        inner = [
            depths[s] + (network.kinds[s] not in (COUNT, ARGMAX))
            for s in network.sources(node)
            if network.layers[s] == layer
        ]
        depths[node] = max(inner, default=0)
        groups.setdefault((layer, depths[node]), []).append(node)
    return dict(sorted(groups.items()))


def layer_identifiers(network: Network) -> list[str]:
    """What the wires of each layer are called.

    >>> network = Network()
    >>> network.begin_layer("conjunction 24 -> 32")
    >>> layer_identifiers(network)
    ['inputs_0', 'conjunction_1']
    """
    kinds = [name.split(" ")[0] for name in network.layer_names]
    return identifiers([f"{kind}_{i}" for i, kind in enumerate(kinds)])
