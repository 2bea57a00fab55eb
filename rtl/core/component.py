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

from dbhw.base.names import identifiers
from dbhw.logic import truth
from dbhw.logic.linear import Linear
from dbhw.logic.network import AND, ARGMAX, COUNT, EQ, GE, INTEGERS, LUT, SUM, XOR, Network, Output
from dbhw.rtl.core.argmax import Player, tournament
from dbhw.rtl.core.count import Term, check_lut_inputs, counter, pad
from dbhw.rtl.core.words import total, word_of


class Core(wiring.Component):
    """Input `x`, one bit per network input; an output port for each output of the network.

    The last `weights` of the network's inputs, where there are such, are not in `x` but in a port `w`. Counts are
    shaped for look-up tables of `lut_inputs` inputs; what is computed does not depend on it.
    """

    def __init__(self, network: Network, lut_inputs: int = 6, weights: int = 0) -> None:
        check_lut_inputs(lut_inputs)
        self.network = network
        self.weights = weights
        self.lut_inputs = lut_inputs
        ports = {o.name: Out(port_width(o)) for o in network.outputs}
        inputs = {"x": In(len(network.input_names) - weights), **({"w": In(weights)} if weights else {})}
        super().__init__({**inputs, **ports})

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
        self.lut_inputs = core.lut_inputs
        self.module = Module()
        self.bits: dict[int, Value] = {0: Const(0, 1)}
        self.integers: dict[int, Value] = {}
        inputs = [*core.x, *(core.w if core.weights else [])]
        self.bits.update(zip(network.inputs(), inputs, strict=True))
        self.layer_ids = layer_identifiers(network)
        self.totals = self._needed_totals()
        self.extremes = extremes(network, self.totals)
        for (layer, depth), nodes in vectors(network).items():
            self._vector(layer, depth, nodes)
        for output in network.outputs:
            if output.kind == "bits":
                value = Cat(self._literal(m) for m in output.members)
            else:
                value = Cat(pad(self.integers[m], output.width) for m in output.members)
            self.module.d.comb += getattr(core, output.name).eq(value)

    def _vector(self, layer: int, depth: int, nodes: list[int]) -> None:
        name = self.layer_ids[layer] + (f"_{depth}" if depth else "")
        counts = [n for n in nodes if n in self.totals]
        for i, node in enumerate(counts):
            self.integers[node] = self._count(f"{name}_count{i}", node)
        choices = [n for n in nodes if self.network.kinds[n] == ARGMAX]
        for i, node in enumerate(choices):
            players = [Player(self.integers[f], *self.network.bounds(f)) for f in self.network.fanin(node)]
            self.integers[node] = tournament(self.module, f"{name}_{i}" if i else name, players)
        gates = [n for n in nodes if self.network.kinds[n] not in INTEGERS]
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
            count, value = self.extremes.get(tuple(fanin), (0, 0))
            if count in self.integers and len(fanin) > self.lut_inputs:
                return _equals(self.integers[count], value)
            if all(literal & 1 for literal in fanin):
                return ~_tree(or_, (self.bits[literal >> 1] for literal in fanin))
            return _tree(and_, (self._literal(literal) for literal in fanin))
        if kind == XOR:
            return _tree(xor, (self._literal(literal) for literal in fanin))
        if kind == LUT:
            return self._sum_of_products(network.table(node), [self.bits[f >> 1] for f in fanin])
        assert kind in (GE, EQ)
        if (table := self._comparison_table(node)) is not None:
            return self._sum_of_products(table, [self.bits[f >> 1] for f in network.fanin(fanin[0])])
        number = self.integers[fanin[0]]
        word = word_of(network, fanin[0])
        if kind == EQ:
            return _equals(number, word.code(network.parameters[node]))
        rising = Cat(number[:-1], ~number[-1]) if word.signed else number
        return _at_least(rising, word.rising_code(network.parameters[node]))

    def _needed_totals(self) -> set[int]:
        """The counts that somebody reads as a number; a comparison of few bits reads the bits themselves."""
        network, readers = self.network, self.network.reader_counts()
        needed = {m for o in network.outputs if o.kind == "integers" for m in o.members}
        for node in range(len(network)):
            kind = network.kinds[node]
            compared = kind in (GE, EQ) and self._comparison_table(node) is None
            if readers[node] and (kind in (ARGMAX, SUM) or compared):
                needed.update(network.fanin(node))
        return {node for node in needed if network.kinds[node] in (COUNT, SUM)}

    def _comparison_table(self, node: int) -> int | None:
        """The table of a comparison that reads no more bits than a look-up table has inputs, and needs them all."""
        count, k = self.network.fanin(node)[0], self.network.parameters[node]
        if self.network.kinds[count] == SUM:
            return None
        weights = list(self.network.linear(count).coefficients.values())
        n = len(weights)
        if n > self.lut_inputs:
            return None
        sums = [sum(c for j, c in enumerate(weights) if i >> j & 1) for i in range(1 << n)]
        rows = (total >= k if self.network.kinds[node] == GE else total == k for total in sums)
        table = sum(row << i for i, row in enumerate(rows))
        return table if len(truth.essential(table, n)) == n else None

    def _sum_of_products(self, table: int, inputs: list[Value]) -> Value:
        cubes = truth.cubes(table, len(inputs))
        products = (
            _tree(and_, (v if value >> j & 1 else ~v for j, v in enumerate(inputs) if care >> j & 1))
            for care, value in cubes
        )
        return _tree(or_, products)

    def _count(self, name: str, node: int) -> Value:
        if self.network.kinds[node] == SUM:
            return total(self.module, name, self.network, node, self.integers)
        linear = self.network.linear(node)
        low = linear.bounds()[0]
        # A comparison moves the least value into its threshold; an integer that is shown must not be negative.
        terms: list[Term] = [(self._literal(n * 2 ^ (c < 0)), abs(c)) for n, c in in_order(linear)]
        return counter(self.module, name, terms, max(low, 0), self.lut_inputs)


def in_order(linear: Linear) -> list[tuple[int, int]]:
    """The terms of a count as hardware takes them: complements last, the heavier behind the lighter.

    >>> in_order(Linear({1: -1, 2: 3, 3: 1}))
    [(3, 1), (2, 3), (1, -1)]
    """
    return sorted(linear.coefficients.items(), key=lambda item: (item[1] < 0, abs(item[1])))


def extremes(network: Network, counts: Iterable[int]) -> dict[tuple[int, ...], tuple[int, int]]:
    """Conjunctions that counts answer, with the count and its value: all bits high is its most, all low its least.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> extremes(n, [n.count([(a, 1), (b, 2)])])
    {(2, 4): (3, 3), (3, 5): (3, 0)}
    """
    found: dict[tuple[int, ...], tuple[int, int]] = {}
    for node in counts:
        linear, word = network.linear(node), word_of(network, node)
        low, high = linear.bounds()
        raising = tuple(n * 2 ^ (c < 0) for n, c in linear.coefficients.items())
        found[raising] = (node, word.code(high))
        found[tuple(literal ^ 1 for literal in raising)] = (node, word.code(low))
    return found


def _tree(operation: Callable[[Value, Value], Value], values: Iterable[Value]) -> Value:
    return reduce(operation, values)


def _equals(total: Value, k: int) -> Value:
    return total == Const(k, len(total))


def _at_least(total: Value, k: int) -> Value:
    """Whether a number is at least k, which is not 0: digit by digit from the lowest that matters."""
    lowest = (k & -k).bit_length() - 1
    reached: Value = total[lowest]
    for j in range(lowest + 1, len(total)):
        reached = total[j] & reached if k >> j & 1 else total[j] | reached
    return reached


def vectors(network: Network) -> dict[tuple[int, int], list[int]]:
    """The nodes that outputs depend on, by layer and by how deep they read within it; in order of need.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.begin_layer("both"); n.output("y", [n.and_([a, b])])
    >>> vectors(n)
    {(1, 0): [3]}
    """
    readers = network.reader_counts()
    depths = [0] * len(network)
    groups: dict[tuple[int, int], list[int]] = {}
    for node in range(1 + len(network.input_names), len(network)):
        if not readers[node]:
            continue
        layer = network.layers[node]
        inner = [
            depths[s] + (network.kinds[s] not in INTEGERS) for s in network.sources(node) if network.layers[s] == layer
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
