"""A logic network as hardware, for every builder: the Amaranth component and the Verilog text are made from here.

Every layer becomes a few vectors of wires, so that the hardware reads layer by layer. A vector never reads itself:
nodes that read others of their own layer go into a further vector.

A kind of count that occurs more than once becomes a module of its own. In a network of more than `LARGE` nodes every
count does, or nobody could read it. This is the only place that decides so, and whether the steps of a count are
modules too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count as numbers
from operator import itemgetter

from dbhw.base.names import identifiers
from dbhw.logic.linear import Linear
from dbhw.logic.network import AND, ARGMAX, COUNT, EQ, GE, INTEGERS, LUT, SUM, Network, Output
from dbhw.logic.visit import Visitor
from dbhw.rtl.arithmetic.argmax import Player, tournament
from dbhw.rtl.arithmetic.count import Count
from dbhw.rtl.core.encoder import conditions
from dbhw.rtl.core.integers import format_of, total
from dbhw.rtl.core.wires import (
    ONE,
    ZERO,
    Bit,
    Builder,
    Equal,
    InputPort,
    Instance,
    Word,
    complement,
    gate,
    is_wire,
    of_table,
    pad,
)

LARGE = 300
_WHOLE = 5  # the inputs from which on a table leaves no room for others in a six-input look-up table
_COMPARISONS = {GE: "at_least", EQ: "exactly"}


def elaborate(network: Network, builder: Builder, inputs: Sequence[InputPort] = ()) -> None:
    """Builds the network: one port for each of its outputs, and the given input ports.

    The inputs of the network are the bits of these ports, one port after the other. Without any, they are one port `x`.

    >>> from dbhw.rtl.verilog.writer import VerilogModule
    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.begin_layer("and"); n.output("y", [n.and_([a, b ^ 1])])
    >>> module = VerilogModule("net"); elaborate(n, module)
    >>> print(module.text())
    module net (
      input wire [1:0] x,
      output wire y
    );
    <BLANKLINE>
      // and
      wire and_1 = x[0] & ~x[1];
    <BLANKLINE>
      // outputs
      assign y = and_1;
    endmodule
    <BLANKLINE>
    """
    words = [builder.input(p.name, p.width, p.signed, p.meaning) for p in inputs or packed(network)]
    bits = tuple(bit for word in words for bit in word)
    _Elaboration(network, builder, bits, conditions(network, inputs) if inputs else {}).run()


def packed(network: Network) -> tuple[InputPort, ...]:
    """All inputs of a network as one port.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> packed(n)
    (InputPort(name='x', width=2, signed=False, meaning=''),)
    """
    return (InputPort("x", len(network.input_names)),)


def port_width(output: Output) -> int:
    """The width of an output's port: its members side by side, the first lowest.

    >>> port_width(Output("scores", "integers", (7, 8, 9), width=4))
    12
    """
    return len(output.members) * output.width


class _Elaboration(Visitor[Bit | Instance | Word]):
    """A gate becomes a bit or an instance, an integer a word."""

    def __init__(self, network: Network, builder: Builder, inputs: Word, comments: Mapping[int, str]) -> None:
        super().__init__(network)
        self.builder = builder
        self.comments = comments  # by node
        self.literals: list[Bit | None] = [ZERO, ONE, *[None] * (2 * len(network) - 2)]
        for node, bit in zip(network.inputs(), inputs, strict=True):
            self.literals[2 * node] = bit
        self.integers: dict[int, Word] = {}
        self.readers = network.reader_counts()
        self.all_are_modules = len(network) > LARGE
        self.steps_are_modules = self.all_are_modules and builder.lut_inputs == 6
        self.numbers = self._read_as_numbers()
        self.extremes = extremes(network, self.numbers)
        self.occurrences = Counter() if self.all_are_modules else Counter(self._kinds())
        self.names: Iterator[str] = iter(())  # of the counts in the vector that is being built
        self.choices: Iterator[str] = iter(())  # of its argmaxes

    def run(self) -> None:
        network, layers = self.network, list(layer_titles(self.network).items())
        for (layer, depth), nodes in vectors(network, self.readers).items():
            name, title = layers[layer]
            self.builder.section(title if not depth else "")
            self._vector(f"{name}_{depth}" if depth else name, nodes)
        self.builder.section("outputs")
        for output in network.outputs:
            if output.kind == "bits":
                word = tuple(self._literal(m) for m in output.members)
            else:
                word = tuple(bit for m in output.members for bit in pad(self.integers[m], output.width))
            self.builder.output(output.name, word)

    def _vector(self, name: str, nodes: list[int]) -> None:
        kinds = self.network.kinds
        self.names = (f"{name}_count{i or ''}" for i in numbers())
        self.choices = (f"{name}_{i}" if i else name for i in numbers())
        for node in nodes:
            if node in self.numbers or kinds[node] == ARGMAX:
                self.integers[node] = self._word(node)
        gates = [node for node in nodes if kinds[node] not in INTEGERS]
        if gates:
            comments = [self.comments.get(node, "") for node in gates]
            bits = self.builder.vector(name, len(gates), map(self._gate, gates), comments)
            for node, bit in zip(gates, bits, strict=True):
                self.literals[2 * node] = bit

    def _word(self, node: int) -> Word:
        made = self.visit(node)
        assert isinstance(made, tuple)
        return made

    def _gate(self, node: int) -> Bit | Instance:
        made = self.visit(node)
        assert not isinstance(made, tuple)
        return made

    def _literal(self, literal: int) -> Bit:
        bit = self.literals[literal]
        if bit is None:
            bit = self.literals[literal] = complement(self._literal(literal ^ 1))
        return bit

    # The kinds of nodes

    def conjunction(self, node: int, literals: Sequence[int]) -> Bit:
        count, code = self.extremes.get(tuple(literals), (0, 0))
        if count in self.integers and len(literals) > self.builder.lut_inputs:
            return Equal(self.integers[count], code)
        if all(literal & 1 for literal in literals):
            return complement(gate("|", (self._literal(literal ^ 1) for literal in literals)))
        return gate("&", map(self._literal, literals))

    def parity(self, node: int, literals: Sequence[int]) -> Bit:
        return gate("^", map(self._literal, literals))

    def table(self, node: int, table: int, literals: Sequence[int]) -> Bit:
        return of_table(table, [self._literal(literal) for literal in literals])

    def count(self, node: int, linear: Linear) -> Word:
        kind, literals = self._counted(node)
        inputs = tuple(map(self._literal, literals))
        if kind.is_wiring():
            return kind.build(self.builder, "", inputs)
        name = next(self.names)
        if self._is_module(kind):
            return self.builder.define(name, Instance(kind, inputs))
        word = kind.build(self.builder, name, inputs)
        return word if is_wire(word) else self.builder.define(name, word)

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> Word:
        return total(self.builder, next(self.names), self.network, node, self.integers)

    def at_least(self, node: int, integer: int, k: int) -> Bit | Instance:
        if self._compares_number(node):
            return format_of(self.network, integer).at_least(self.integers[integer], k)
        return self._compared(node)

    def exactly(self, node: int, integer: int, k: int) -> Bit | Instance:
        if self._compares_number(node):
            return format_of(self.network, integer).exactly(self.integers[integer], k)
        return self._compared(node)

    def argmax(self, node: int, integers: Sequence[int]) -> Word:
        players = [Player(self.integers[i], *self.network.bounds(i)) for i in integers]
        return tournament(self.builder, next(self.choices), players)

    # Counts

    def _compared(self, node: int) -> Bit | Instance:
        """A comparison that has its count to itself."""
        kind, literals = self._counted(node)
        inputs = tuple(map(self._literal, literals))
        if self._is_module(kind):
            return Instance(kind, inputs)
        return kind.build(self.builder, next(self.names), inputs)[0]

    def _counted(self, node: int) -> tuple[Count, list[int]]:
        """The kind of a count, or of a comparison with its count; and the literals that it reads."""
        network, comparison = self.network, _COMPARISONS.get(self.network.kinds[node], "")
        linear = network.linear(network.fanin(node)[0] if comparison else node)
        terms, low = in_order(linear), linear.bounds()[0]
        weights, literals = tuple([abs(c) for _, c in terms]), [n * 2 ^ (c < 0) for n, c in terms]
        merged = sum(map(self._can_be_merged, literals))
        apart = self.steps_are_modules and 2 * merged < len(literals)
        if comparison:
            return Count(weights, 0, comparison, network.parameters[node] - low, apart), literals
        # A comparison moves a negative least value into its threshold, and an integer output has none.
        return Count(weights, max(low, 0), apart=apart), literals

    def _can_be_merged(self, literal: int) -> bool:
        """Whether a look-up table that counts a bit could compute the bit too; it cannot if that takes a whole table.

        A mapper that sees through a count of whole tables makes the circuit larger, so such counts are kept apart.
        """
        node = literal >> 1
        if 0 < node <= len(self.network.input_names):
            return bool(literal & 1)  # else there is nothing to compute
        return self.network.kinds[node] != LUT or len(self.network.fanin(node)) < _WHOLE

    def _is_module(self, kind: Count) -> bool:
        return not kind.is_wiring() and (self.all_are_modules or self.occurrences[kind] > 1)

    def _kinds(self) -> Iterator[Count]:
        """The kind of every count that will be built."""
        for node, kind in enumerate(self.network.kinds):
            number = kind == COUNT and node in self.numbers
            if self.readers[node] and (number or (kind in _COMPARISONS and not self._compares_number(node))):
                yield self._counted(node)[0]

    def _compares_number(self, node: int) -> bool:
        """Whether a comparison reads a word that is there for others too; one look-up table rather reads the bits."""
        integer = self.network.fanin(node)[0]
        return integer in self.numbers and not self._is_table(node)

    def _is_table(self, node: int) -> bool:
        integer = self.network.fanin(node)[0]
        if self.network.kinds[integer] == SUM or len(self.network.fanin(integer)) > self.builder.lut_inputs:
            return False
        return self._counted(node)[0].table(self.builder.lut_inputs) is not None

    def _read_as_numbers(self) -> set[int]:
        """The counts and sums that must be words: outputs, scores, parts of sums, and what several nodes compare."""
        network, kinds = self.network, self.network.kinds
        found = {m for o in network.outputs if o.kind == "integers" for m in o.members}
        compared: Counter[int] = Counter()
        wide = set()  # the nodes that wide conjunctions read: a count of them may answer the conjunction too
        for node, kind in enumerate(kinds):
            if not self.readers[node]:
                continue
            if kind in (ARGMAX, SUM):
                found.update(network.fanin(node))
            if kind == SUM:
                found.add(node)
            elif kind in _COMPARISONS and not self._is_table(node):
                compared[network.fanin(node)[0]] += 1
            elif kind == AND and len(network.fanin(node)) > self.builder.lut_inputs:
                wide.add(tuple(network.sources(node)))
        found.update(c for c, times in compared.items() if times > 1 or tuple(network.sources(c)) in wide)
        return {node for node in found if kinds[node] in (COUNT, SUM)}


def in_order(linear: Linear) -> list[tuple[int, int]]:
    """The terms of a count as hardware takes them: complements last, the heavier behind the lighter.

    >>> in_order(Linear({1: -1, 2: 3, 3: 1}))
    [(3, 1), (2, 3), (1, -1)]
    """
    positive = [term for term in linear.coefficients.items() if term[1] > 0]
    negative = [term for term in linear.coefficients.items() if term[1] < 0]
    return sorted(positive, key=itemgetter(1)) + sorted(negative, key=itemgetter(1), reverse=True)


def extremes(network: Network, counts: Iterable[int]) -> dict[tuple[int, ...], tuple[int, int]]:
    """Conjunctions that a count answers, with the count and its code: all bits high is its most, all low its least.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> extremes(n, [n.count([(a, 1), (b, 2)])])
    {(2, 4): (3, 3), (3, 5): (3, 0)}
    """
    found: dict[tuple[int, ...], tuple[int, int]] = {}
    for node in counts:
        linear, held = network.linear(node), format_of(network, node)
        low, high = linear.bounds()
        raising = tuple(n * 2 ^ (c < 0) for n, c in linear.coefficients.items())
        found[raising] = (node, held.code(high))
        found[tuple(literal ^ 1 for literal in raising)] = (node, held.code(low))
    return found


def vectors(network: Network, readers: list[int]) -> dict[tuple[int, int], list[int]]:
    """The nodes that outputs depend on, by layer and by how deep they read within it; in order of need.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.begin_layer("both"); n.output("y", [n.and_([a, b])])
    >>> vectors(n, n.reader_counts())
    {(1, 0): [3]}
    """
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


def layer_titles(network: Network) -> dict[str, str]:
    """What the wires of each layer are called, and the name of the layer.

    >>> network = Network()
    >>> network.begin_layer("conjunction 24 -> 32")
    >>> layer_titles(network)
    {'inputs_0': 'inputs', 'conjunction_1': 'conjunction 24 -> 32'}
    """
    names = network.layer_names
    return dict(zip(identifiers([f"{name.split(' ')[0]}_{i}" for i, name in enumerate(names)]), names, strict=True))
