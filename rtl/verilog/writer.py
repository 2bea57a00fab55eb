"""Verilog text: the builder that writes hardware the way a person would.

Named wires stay, expressions are written in place, and neighbouring bits of a wire are written as one slice. Bits that
nothing reads are gathered in wires called `unused`, which linters leave alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dbhw.logic.network import Network
from dbhw.rtl.arithmetic.count import check_lut_inputs
from dbhw.rtl.core import wires
from dbhw.rtl.core.elaborate import elaborate
from dbhw.rtl.core.wires import (
    Bit,
    Builder,
    Constant,
    Definition,
    Gate,
    InputPort,
    Instance,
    Not,
    Ref,
    Wire,
    Word,
    width_of,
)


@dataclass(frozen=True)
class Interface:
    """What the user of a module sees: comments before it, its input ports (none: one port `x`), and its constants."""

    header: tuple[str, ...] = ()
    inputs: tuple[InputPort, ...] = ()
    constants: tuple[str, ...] = ()


PLAIN = Interface()
_KEPT = '(* keep_hierarchy = "yes" *)'  # Yosys and the vendors' tools map such a module by itself.


def write(network: Network, module: str, interface: Interface = PLAIN, lut_inputs: int = 6) -> str:
    """The Verilog of a network.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.begin_layer("and"); n.output("y", [n.and_([a, b ^ 1])])
    >>> "wire and_1 = x[0] & ~x[1];" in write(n, "net")
    True
    """
    top = VerilogModule(module, lut_inputs)
    elaborate(network, top, interface.inputs)
    return with_instances(top, interface)


def with_instances(top: VerilogModule, interface: Interface) -> str:
    """The text of a module, and behind it that of the modules it has instances of.

    >>> from dbhw.rtl.arithmetic.count import Count
    >>> top = VerilogModule("net")
    >>> top.output("y", top.define("all", Instance(Count((1,) * 9), top.input("x", 9))))
    >>> [line for line in with_instances(top, Interface()).splitlines() if line.startswith(("module", "  net"))]
    ['module net (', '  net_count_of_9 all_i (.x(x), .y(all));', 'module net_count_of_9 (']
    """
    texts = [top.text(interface.header, interface.constants)]
    if top.modules:
        # One file is one net to its user; Verilator would rather have a file for each module.
        texts.append("// verilator lint_off DECLFILENAME")
    waiting = deque(top.modules)
    while waiting:
        kind = waiting.popleft()
        before = len(top.modules)
        name, inputs = top.modules[kind]
        inner = VerilogModule(name, top.lut_inputs, top)
        inner.output("y", kind.build(inner, "count", inner.input("x", inputs)))
        texts.append(inner.text([kind.meaning()], kept=kind.kept))
        waiting += list(top.modules)[before:]  # what the module itself has instances of
    return "\n".join(texts)


class VerilogModule(Builder):
    """Builds the text of a module."""

    def __init__(self, name: str, lut_inputs: int = 6, top: VerilogModule | None = None) -> None:
        check_lut_inputs(lut_inputs)
        super().__init__(lut_inputs)
        self.name = name
        self.top = top or self
        self.modules: dict[wires.Kind, tuple[str, int]] = {}  # by what there are instances of: module name and inputs
        self.lines: list[str] = []
        self._ports: list[str] = []
        self._title = ""  # of a section that has no lines yet
        self._read: dict[Wire, bytearray] = {}  # for each bit of a wire, whether a line reads it
        self._inputs: dict[Wire, bool] = {}  # whether it is signed

    # Building

    def input(self, name: str, width: int, signed: bool = False, meaning: str = "") -> Word:
        self.port("input", name, width, signed, meaning)
        bits = self.wire(name, width)
        self._inputs[bits[0].wire] = signed
        return bits

    def output(self, name: str, word: Word) -> None:
        self.port("output", name, len(word))
        self._assign(name, word)

    def section(self, title: str) -> None:
        self._title = title

    def define(self, name: str, definition: Definition) -> Word:
        width = width_of(definition)
        declared = f"wire {span(width)}{name}"
        if isinstance(definition, Instance):
            self.line(f"{declared};")
            self._instance(f"{name}_i", definition, name)
        elif (text := self._defined(definition)) is not None:
            self.line(f"{declared} = {text};")
        else:
            assert isinstance(definition, tuple)
            self.line(f"{declared};")
            self._assign(name, definition)
        return self.wire(name, width)

    def vector(self, name: str, width: int, bits: Iterable[Bit | Instance], comments: Sequence[str] = ()) -> Word:
        if width == 1:
            (bit,) = bits
            word = self.define(name, bit if isinstance(bit, Instance) else (bit,))
            self._comment(*comments)
            return word
        self.line(f"wire {span(width)}{name};")
        for i, bit in enumerate(bits):
            if isinstance(bit, Instance):
                self._instance(f"{name}_gate{i}", bit, f"{name}[{i}]")
            else:
                self.line(f"assign {name}[{i}] = {self.bit(bit)};")
            self._comment(*comments[i : i + 1])
        return self.wire(name, width)

    def _comment(self, text: str = "") -> None:
        """Adds a comment to the last line."""
        self.lines[-1] += f"  // {printable(text)}" if text else ""

    def line(self, text: str) -> None:
        """Adds a line, under the title of its section."""
        if self._title:
            self.lines += ["", f"  // {printable(self._title)}"]
            self._title = ""
        self.lines.append(f"  {text}")

    def port(self, direction: str, name: str, width: int = 1, signed: bool = False, meaning: str = "") -> None:
        """Adds a port that lines of one's own read or drive; its meaning is a comment before it."""
        comment = f"  // {printable(meaning)}\n" if meaning else ""
        self._ports.append(f"{comment}  {direction} wire {'signed ' * signed}{span(width)}{name}")

    def text(self, header: Iterable[str] = (), constants: Iterable[str] = (), kept: bool = False) -> str:
        """The whole module, with comments before it and constants at its start; synthesis leaves a kept one alone."""
        others = [wire for wire in self._read if wire not in self._inputs]
        self._unused("unused", "Inputs that nothing depends on.", self._inputs)
        self._unused("unused_digits", "Digits that nothing reads.", others)
        head = [
            *(f"// {line}" for line in header),
            *[_KEPT] * kept,
            f"module {self.name} (",
            ",\n".join(self._ports),
            ");",
        ]
        return "\n".join([*head, *(f"  {line}" for line in constants), *self.lines, "endmodule", ""])

    def wire(self, name: str, width: int) -> tuple[Ref, ...]:
        """The bits of a new wire that lines of one's own drive."""
        wire = Wire(name, width)
        self._read[wire] = bytearray(width)
        return wire.bits()

    # Writing

    def _instance(self, name: str, instance: Instance, output: str) -> None:
        modules = self.top.modules
        found = modules.get(instance.kind)
        if found is None:
            found = modules[instance.kind] = (f"{self.top.name}_{instance.kind.name()}", len(instance.inputs))
        self.line(f"{found[0]} {name} (.x({self.word(instance.inputs)}), .y({output}));")

    def _assign(self, name: str, word: Word) -> None:
        """A whole word where that is shorter than bit by bit."""
        if len(word) == 1:
            self.line(f"assign {name} = {self.bit(word[0])};")
        elif len(runs := _runs(word)) < len(word):
            self.line(f"assign {name} = {self._joined(runs, whole=True)};")
        else:
            for i, bit in enumerate(word):
                self.line(f"assign {name}[{i}] = {self.bit(bit)};")

    def _defined(self, definition: Word | wires.Sum | wires.Choice) -> str | None:
        """The text of a definition; none for a word that is better assigned bit by bit."""
        match definition:
            case wires.Sum(words):
                return " + ".join(map(self.word, words))
            case wires.Choice(condition, first, second):
                return f"{self.bit(condition, '?')} ? {self.word(first)} : {self.word(second)}"
        if len(definition) == 1:
            return self.bit(definition[0])
        runs = _runs(definition)
        return self._joined(runs, whole=True) if len(runs) < len(definition) else None

    def word(self, word: Word) -> str:
        """A word as an operand: braces keep the width of what is around out of it."""
        return self._joined(_runs(word))

    def _joined(self, runs: list[_Run], whole: bool = False) -> str:
        texts = [self._run(run) for run in reversed(runs)]
        simple = len(texts) == 1 and (whole or (runs[0].wire is not None and not runs[0].inverted))
        return texts[0] if simple else f"{{{', '.join(texts)}}}"

    def _run(self, run: _Run) -> str:
        wire, inverted, low, step, bits = run
        width = len(bits)
        if wire is Constant:
            return f"{width}'h{sum(bit == wires.ONE and 1 << i for i, bit in enumerate(bits)):x}"
        if width == 1 or not step:
            text = self.bit(bits[0])
            return text if width == 1 else f"{{{width}{{{text}}}}}"
        assert isinstance(wire, Wire)
        self._read[wire][low : low + width] = b"\1" * width
        name = wire.name if width == wire.width else f"{wire.name}[{low + width - 1}:{low}]"
        if name == wire.name and self._inputs.get(wire):
            name = f"{{{name}}}"  # Only a whole signed port is a signed operand, and operators here are unsigned.
        return f"~{name}" if inverted else name

    def bit(self, bit: Bit, around: str = "") -> str:
        """A bit as an operand of the operator around it."""
        if type(bit) is Ref:  # Most are, and a match takes several times as long.
            self._read[bit.wire][bit.index] = 1
            return f"{bit.wire.name}[{bit.index}]" if bit.wire.width > 1 else bit.wire.name
        if type(bit) is Not:
            return f"~{self.bit(bit.bit, '~')}"
        match bit:
            case Constant(value):
                return f"1'h{value:d}"
            case Gate(operator, bits):
                text = f" {operator} ".join([self.bit(inner, operator) for inner in bits])
                return text if around in ("", operator) else f"({text})"
            case wires.Equal(word, number):
                text = f"{self.word(word)} == {len(word)}'h{number:x}"
            case wires.Greater(first, second):
                text = f"{self.word(first)} > {self.word(second)}"
        return f"({text})" if around else text

    def _unused(self, name: str, comment: str, among: Iterable[Wire]) -> None:
        unread = [Ref(w, i) for w in among for i, read in enumerate(self._read[w]) if not read]
        if unread:
            texts = [self._run(run) for run in _runs(tuple(unread))]
            self.section(comment)
            self.line(f"wire {name} = &{{1'b0, {', '.join(texts)}}};")


class _Run(NamedTuple):
    """Bits that are written as one: constants, neighbours in a wire (step 1), one bit repeated (step 0), or one bit."""

    wire: object  # also `Constant`, or None for an expression
    inverted: bool
    low: int
    step: int
    bits: Word


def _runs(word: Word) -> list[_Run]:
    """A word in pieces, the lowest first."""
    found, start, step = [], 0, 0
    first = place = _place(word[0])
    for i in range(1, len(word) + 1):
        if i < len(word):
            place = _place(word[i])
            distance = place[2] - first[2]
            if i == start + 1:  # The second bit of a run says whether its bits are neighbours or the same.
                step = distance
            together = place[0] is first[0] is not None and place[1] == first[1]
            if together and step in (0, 1) and distance == step * (i - start):
                continue
        found.append(_Run(*first, step, word[start:i]))
        start, first = i, place
    return found


def _place(bit: Bit) -> tuple[object, bool, int]:
    """The wire of a bit, whether it is inverted, and its index."""
    if type(bit) is Ref:
        return bit.wire, False, bit.index
    if type(bit) is Not and type(bit.bit) is Ref:
        return bit.bit.wire, True, bit.bit.index
    return (Constant if type(bit) is Constant else None), False, 0


def span(width: int) -> str:
    """The range of a vector, as it stands in its declaration.

    >>> span(1), span(4)
    ('', '[3:0] ')
    """
    return f"[{width - 1}:0] " if width > 1 else ""


def printable(name: str) -> str:
    """A user's name as it may stand in a comment, which a line break would end.

    >>> printable("a\\nb")
    'a?b'
    """
    return "".join(c if c.isprintable() else "?" for c in name)
