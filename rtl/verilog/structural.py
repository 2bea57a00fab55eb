"""The Verilog of a large network, written line by line: a gate is an expression, a count is an instance.

A net of thousands of majorities has only a few kinds of them. Each kind becomes a module of its own, which Amaranth
makes like any small core; the net then names the bits that every instance reads. Amaranth and Yosys take a
thousand times as long over the same net gate by gate, and nobody could read what they write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

from dbhw.logic import truth
from dbhw.logic.network import AND, ARGMAX, COUNT, EQ, GE, INTEGERS, LUT, SUM, XOR, Network
from dbhw.rtl.core.component import extremes, in_order, layer_identifiers, port_width, vectors
from dbhw.rtl.core.words import Word, parts_of, word_of

MakeModules = Callable[[dict[str, Network]], str]  # the Verilog of small networks, by the names of their modules


@dataclass(frozen=True)
class Count:
    """A kind of count: positive weights, what is added to them, and whether it is compared (GE, EQ) with a number."""

    weights: tuple[int, ...]
    constant: int = 0
    comparison: int | None = None
    k: int = 0

    def name(self) -> str:
        """What its module is called.

        >>> Count((1,) * 16, comparison=GE, k=9).name(), Count((1, 1, 2)).name()
        ('at_least_9_of_16', 'count_of_2_1x2')
        """
        kind = {GE: f"at_least_{self.k}", EQ: f"exactly_{self.k}", None: "count"}[self.comparison]
        plus = f"_plus_{self.constant}" if self.constant else ""
        return f"{kind}_of_{_run_lengths(self.weights)}{plus}"

    def network(self) -> Network:
        """The count as a network of its own.

        >>> Count((1, 1, 1), comparison=GE, k=2).network().outputs[0].name
        'y'
        """
        network = Network()
        terms = [(network.input(f"x{i}"), c) for i, c in enumerate(self.weights)]
        network.begin_layer("count")
        if self.comparison is None:
            network.integer_output("y", [network.count(terms, self.constant)], self.width())
        else:
            compare = network.at_least if self.comparison == GE else network.exactly
            network.output("y", [compare(terms, self.k)])
        return network

    def width(self) -> int:
        """How many bits it gives.

        >>> Count((1,) * 16).width()
        5
        """
        return 1 if self.comparison is not None else max((sum(self.weights) + self.constant).bit_length(), 1)


@dataclass(frozen=True)
class Argmax:
    """A kind of argmax: how many scores there are, and how wide each is."""

    scores: int
    score_width: int

    def name(self) -> str:
        """What its module is called.

        >>> Argmax(10, 12).name()
        'argmax_of_10_by_12_bits'
        """
        return f"argmax_of_{self.scores}_by_{self.score_width}_bits"

    def network(self) -> Network:
        """The argmax as a network of its own.

        >>> Argmax(3, 2).network().outputs[0].width
        2
        """
        network = Network()
        digits = [network.input(f"x{i}") for i in range(self.scores * self.score_width)]
        network.begin_layer("argmax")
        scores = [digits[i : i + self.score_width] for i in range(0, len(digits), self.score_width)]
        counts = [network.count([(digit, 1 << j) for j, digit in enumerate(score)]) for score in scores]
        network.integer_output("y", [network.argmax(counts)], self.width())
        return network

    def width(self) -> int:
        """How many bits the index takes.

        >>> Argmax(10, 12).width()
        4
        """
        return (self.scores - 1).bit_length()


def write(network: Network, module: str, layers: dict[str, str], header: list[str], make: MakeModules) -> str:
    """The Verilog of a network: a module for each kind of count, and one that instantiates them.

    `layers` maps what the wires of a layer are called to one line about it.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.begin_layer("and"); n.output("y", [n.and_([a, b ^ 1])])
    >>> text = write(n, "net", {"inputs_0": "", "and_1": "the gate"}, [], make=lambda networks: "")
    >>> print(text.splitlines()[7])
      assign and_1 = x[0] & ~x[1];
    """
    return _Writer(network, module, layers, make).text(header)


class _Writer:
    def __init__(self, network: Network, module: str, layers: dict[str, str], make: MakeModules) -> None:
        self.network = network
        self.module = module
        self.layers = layers
        self.make = make
        self.modules: dict[str, Network] = {}
        self.module_names: dict[Count | Argmax, str] = {}
        self.lines: list[str] = []
        self.unused: list[str] = []
        self.names = [""] * len(network)
        self.widths: dict[int, int] = {}  # of integers
        self.readers = network.reader_counts()
        self.numbers = self._read_as_numbers()
        self.extremes = extremes(network, (n for n in self.numbers if network.kinds[n] != ARGMAX))
        for i, node in enumerate(network.inputs()):
            self.names[node] = _bit("x", i, len(network.input_names))
        self.layer_ids = layer_identifiers(network)

    def text(self, header: list[str]) -> str:
        last = -1
        for (layer, depth), nodes in vectors(self.network).items():
            if layer != last:
                self.lines += ["", f"  // {self.layers[self.layer_ids[layer]]}"]
                last = layer
            self._vector(self.layer_ids[layer] + (f"_{depth}" if depth else ""), nodes)
        self.lines += ["", "  // outputs"]
        for output in self.network.outputs:
            if output.kind == "bits":
                value = _together([self._literal(m) for m in output.members])
            else:
                value = _together([self._padded(m, output.width) for m in output.members])
            self.lines.append(f"  assign {output.name} = {value};")
        self.unused += [self.names[node] for node in self.network.inputs() if not self.readers[node]]
        if self.unused:
            self.lines += ["", "  // What the net does not look at."]
            self.lines.append(f"  wire unused = &{{1'b0, {', '.join(self.unused)}}};")
        outputs = [f"  output wire {_span(port_width(o))}{o.name}" for o in self.network.outputs]
        ports = ",\n".join([f"  input wire {_span(len(self.network.input_names))}x", *outputs])
        lines = [*(f"// {line}" for line in header), f"module {self.module} (", ports, ");", *self.lines, "endmodule"]
        # One file is one net to its user; Verilator would rather have a file for each module.
        parts = ["// verilator lint_off DECLFILENAME", self.make(self.modules)] if self.modules else []
        return "\n".join([*lines, "", *parts])

    def _vector(self, name: str, nodes: list[int]) -> None:
        gates = [n for n in nodes if self.network.kinds[n] not in INTEGERS]
        for i, node in enumerate(gates):
            self.names[node] = _bit(name, i, len(gates))
        for i, node in enumerate(n for n in nodes if n in self.numbers):
            self._integer(f"{name}_number{i}", node)
        if gates:
            self.lines.append(f"  wire {_span(len(gates))}{name};")
            self.lines += [self._gate(n, f"{name}_gate{i}") for i, n in enumerate(gates)]

    def _integer(self, name: str, node: int) -> None:
        self.names[node] = name
        if self.network.kinds[node] == SUM:
            self._sum(name, node)
            return
        if self.network.kinds[node] == ARGMAX:
            scores = list(self.network.fanin(node))
            width = max(self.widths[s] for s in scores)
            kind: Count | Argmax = Argmax(len(scores), width)
            bits = _together([self._padded(s, width) for s in scores])
        else:
            low = self.network.linear(node).bounds()[0]
            kind, bits = self._counted(node, constant=max(low, 0))
        self.widths[node] = width = kind.width()
        if isinstance(kind, Count) and (not kind.weights or kind == Count((1,))):  # nothing to count
            value = bits if kind.weights else f"{width}'h{kind.constant:x}"
            self.lines.append(f"  wire {_span(width)}{name} = {value};")
            return
        self.lines.append(f"  wire {_span(width)}{name};")
        self.lines.append(f"  {self._module_of(kind)} {name}_i (.x({bits}), .y({name}));")

    def _sum(self, name: str, node: int) -> None:
        """A line for each adder; all take and give as many digits as the sum has."""
        self.widths[node] = width = word_of(self.network, node).width
        parts, constant = parts_of(self.network, node)
        operands = [(self._operand(p.node, p.shift), p.shift, p.negative) for p in parts]
        constant %= 1 << width
        result = _Operand("", 0, constant=constant)
        if not parts[0].negative:
            result, shift, _ = operands.pop(0)
            low, constant = constant % (1 << shift), constant >> shift << shift
            result = replace(result, constant=low)
            if constant:
                operands.append((_Operand("", 0, constant=constant), (constant & -constant).bit_length() - 1, False))
        for i, (operand, shift, negative) in enumerate(operands):
            last = i == len(operands) - 1
            value = _added(result, operand, shift, width, negative)
            result = _Operand(name if last else f"{name}_{i}", width)
            self.lines.append(f"  wire {_span(width)}{result.name} = {value};")
        if not operands:
            self.lines.append(f"  wire {_span(width)}{name} = {_together(result.digits(0, width))};")

    def _operand(self, node: int, shift: int) -> _Operand:
        word = word_of(self.network, node)
        return _Operand(self.names[node], self.widths[node], word.signed, shift)

    def _gate(self, node: int, instance: str) -> str:
        network, kind, fanin = self.network, self.network.kinds[node], self.network.fanin(node)
        if kind in (GE, EQ) and fanin[0] not in self.numbers:
            k = network.parameters[node] - network.bounds(fanin[0])[0]
            shape, bits = self._counted(fanin[0], comparison=kind, k=k)
            return f"  {self._module_of(shape)} {instance} (.x({bits}), .y({self.names[node]}));"
        return f"  assign {self.names[node]} = {self._expression(node, kind, fanin)};"

    def _expression(self, node: int, kind: int, fanin: Sequence[int]) -> str:
        if kind == AND:
            count, value = self.extremes.get(tuple(fanin), (0, 0))
            if self.names[count]:
                return self._equals(count, value)
            if all(literal & 1 for literal in fanin):
                return f"~({' | '.join(self.names[literal >> 1] for literal in fanin)})"
            return " & ".join(map(self._literal, fanin))
        if kind == XOR:
            return " ^ ".join(map(self._literal, fanin))
        if kind == LUT:
            return _sum_of_products(self.network.table(node), [self.names[f >> 1] for f in fanin])
        k, word = self.network.parameters[node], word_of(self.network, fanin[0])
        return self._equals(fanin[0], word.code(k)) if kind == EQ else self._at_least(fanin[0], word, k)

    def _equals(self, count: int, k: int) -> str:
        return f"{self.names[count]} == {self.widths[count]}'h{k:x}"

    def _at_least(self, count: int, word: Word, least: int) -> str:
        """Digit by digit from the lowest that matters: Yosys would make an adder of a comparison."""
        digits = [_bit(self.names[count], j, word.width) for j in range(word.width)]
        k = word.rising_code(least)
        if word.signed:
            digits[-1] = f"~{digits[-1]}"
        lowest = (k & -k).bit_length() - 1
        self.unused += digits[:lowest]
        reached = digits[lowest]
        for j in range(lowest + 1, len(digits)):
            inner = f"({reached})" if " " in reached else reached
            reached = f"{digits[j]} {'&' if k >> j & 1 else '|'} {inner}"
        return reached

    def _counted(self, node: int, **compared: int) -> tuple[Count, str]:
        """The kind of a count, and the bits it counts."""
        items = in_order(self.network.linear(node))
        bits = _together([self._literal(n * 2 ^ (c < 0)) for n, c in items])
        return Count(tuple(abs(c) for _, c in items), **compared), bits

    def _module_of(self, kind: Count | Argmax) -> str:
        found = self.module_names.get(kind)
        if found is None:
            found = self.module_names[kind] = f"{self.module}_{kind.name()}"
            self.modules[found] = kind.network()
        return found

    def _read_as_numbers(self) -> set[int]:
        """The integers that are shown, chosen from, added up, or compared more than once; and those that are sums."""
        network = self.network
        found = {m for o in network.outputs if o.kind == "integers" for m in o.members}
        for node, kind in enumerate(network.kinds):
            if self.readers[node] and kind == SUM:
                found.add(node)
            if self.readers[node] and kind in (ARGMAX, SUM):
                found.update(network.fanin(node))
            elif self.readers[node] > 1 and kind == COUNT:
                found.add(node)
        return found

    def _literal(self, literal: int) -> str:
        if literal <= 1:
            return f"1'b{literal}"
        return f"~{self.names[literal >> 1]}" if literal & 1 else self.names[literal >> 1]

    def _padded(self, node: int, width: int) -> str:
        missing = width - self.widths[node]
        return f"{missing}'h0, {self.names[node]}" if missing else self.names[node]


@dataclass(frozen=True)
class _Operand:
    """A word, moved up by some digits; below and instead of it a constant."""

    name: str
    width: int
    signed: bool = False
    shift: int = 0
    constant: int = 0

    def digits(self, first: int, end: int) -> list[str]:
        """The digits from the first to before the end, in pieces, the lowest piece first."""
        pieces = []
        edge = self.shift if self.width else end  # where a constant ends
        if first < min(edge, end):
            many = min(edge, end) - first
            pieces.append(f"{many}'h{self.constant >> first & (1 << many) - 1:x}")
        low, high = max(first - self.shift, 0), min(end - self.shift, self.width)
        if low < high:
            whole = (low, high) == (0, self.width)
            span = f"[{high - 1}:{low}]" if high - low > 1 else f"[{low}]"
            pieces.append(self.name if whole else f"{self.name}{span}")
        above = end - max(first, self.shift + self.width)
        if self.width and above > 0:
            sign = _bit(self.name, self.width - 1, self.width)
            pieces.append(f"{{{above}{{{sign}}}}}" if self.signed else f"{above}'h0")
        return pieces


def _added(a: _Operand, b: _Operand, shift: int, width: int, negative: bool) -> str:
    """A sum or difference of digits from a shift on; those below stay.

    The lowest digits change places, or Yosys takes a sum of sums apart into full adders.
    """
    lowest, others = a.digits(shift, shift + 1), b.digits(shift, shift + 1)
    rest, more = a.digits(shift + 1, width), b.digits(shift + 1, width)
    if negative:
        inverted = [f"~{_together(more)}"] if more else []
        one = "1'h1"
        carried = _together([f"~{others[0]}", *([f"{width - shift - 1}'h0"] if more else [])])
        value = f"{_together([one, *rest])} + {_together([*lowest, *inverted])} + {carried}"
    else:
        value = f"{_together([*others, *rest])} + {_together([*lowest, *more])}"
    return _together([*a.digits(0, shift), f"({value})"]) if shift else value


def _together(values: list[str]) -> str:
    """Values side by side, the first lowest."""
    joined = ", ".join(reversed(values))
    return f"{{{joined}}}" if ", " in joined else joined


@cache
def _cubes(table: int, n: int) -> list[tuple[int, int]]:
    return truth.cubes(table, n)


def _sum_of_products(table: int, inputs: list[str]) -> str:
    products = [
        " & ".join(name if value >> j & 1 else f"~{name}" for j, name in enumerate(inputs) if care >> j & 1)
        for care, value in _cubes(table, len(inputs))
    ]
    return " | ".join(f"({p})" if " " in p else p for p in products)


def _run_lengths(weights: Iterable[int]) -> str:
    """Weights in short: how many of each there are in a row, and which, where it is not 1."""
    runs = ((weight, len(list(run))) for weight, run in groupby(weights))
    return "_".join(f"{n}" if weight == 1 else f"{n}x{weight}" for weight, n in runs)


def _bit(vector: str, i: int, width: int) -> str:
    return f"{vector}[{i}]" if width > 1 else vector


def _span(width: int) -> str:
    return f"[{width - 1}:0] " if width > 1 else ""
