"""Makes the Verilog that Yosys writes pleasant to read, without touching what it says.

Yosys gives every operator a wire `\\$12`, and refers to it where the Amaranth source named a signal. Here such a wire
takes the name of the signal it drives, or moves into the one expression that reads it; a vector is assigned bit by
bit, the ports get an ANSI header, and every layer starts with a comment. What is proved and simulated is the text
that comes out, so a mistake here is caught like any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

Bit = tuple[str, int]  # A wire and the place in it; ("0", 0) and ("1", 0) are the constants.

_DECLARATION = re.compile(r"(input|output|wire) (?:\[(\d+):0\] )?(\\\S+|\w+) ?;")
_ASSIGN = re.compile(r"assign (\\\S+|\w+) *= (.*);")
_OPERAND = re.compile(r"\{[^}]*\}|(?:\\\S+|[A-Za-z_]\w*)(?: ?\[\d+(?::\d+)?\])?|\d+'[hb][0-9a-f]+")
_REFERENCE = re.compile(r"(\\\S+|[A-Za-z_]\w*)(?: ?\[(\d+)(?::(\d+))?\])?")
_CONSTANT = re.compile(r"(\d+)'([hb])([0-9a-f]+)")
_ASSOCIATIVE = {"&", "|", "^"}
_SIZED = {"+", ">", ">=", "=="}  # Verilog wants both sides equally wide; linters want to see it.


@dataclass(frozen=True)
class _Expression:
    operator: str  # "" for wiring, "~", "?", or a binary operator
    operands: list[list[Bit]]  # lowest bit first


class _Reader:
    """What the Verilog says: ports, widths, and for every wire the expression it is assigned."""

    def __init__(self, verilog: str) -> None:
        self.ports: list[tuple[str, str]] = []
        self.widths: dict[str, int] = {}
        self.assigned: dict[str, _Expression] = {}
        for line in verilog.splitlines():
            self._line(line.strip())
        self.ports.sort(key=lambda port: port[0] != "input")
        self._give_ports_no_expression()

    def _line(self, line: str) -> None:
        if declared := _DECLARATION.fullmatch(line):
            direction, high, name = declared.groups()
            self.widths[name] = int(high) + 1 if high else 1
            if direction != "wire":
                self.ports.append((direction, name))
        elif assigned := _ASSIGN.fullmatch(line):
            self.assigned[assigned[1]] = self._expression(assigned[2].strip())
        elif line and not line.startswith(("/*", "(*", "module", "endmodule")):
            raise ValueError(f"a combinational module must have only wires and assignments, not {line!r}")

    def _give_ports_no_expression(self) -> None:
        """Where Yosys calls a value by its output port and not by the wire it also drives: the other way round."""
        outputs = {name for direction, name in self.ports if direction == "output"}
        for wire, expression in list(self.assigned.items()):
            port = expression.operands[0][0][0]
            whole = expression.operands[0] == [(port, i) for i in range(self.widths[wire])]
            if expression.operator == "" and port in outputs and whole and self.widths[port] == self.widths[wire]:
                self._rename(port, wire)

    def _rename(self, port: str, wire: str) -> None:
        self.assigned[wire] = self.assigned[port]
        for name, expression in self.assigned.items():
            operands = [[(wire if b[0] == port else b[0], b[1]) for b in bits] for bits in expression.operands]
            self.assigned[name] = _Expression(expression.operator, operands)
        self.assigned[port] = _Expression("", [[(wire, i) for i in range(self.widths[wire])]])

    def _expression(self, text: str) -> _Expression:
        operands = [self._operand(part) for part in _OPERAND.findall(text)]
        operator = _OPERAND.sub("", text).replace(" ", "")
        return _Expression("?" if operator == "?:" else operator, operands)

    def _operand(self, text: str) -> list[Bit]:
        if text.startswith("{"):
            parts = [self._operand(part) for part in _OPERAND.findall(text[1:-1])]
            return [bit for part in reversed(parts) for bit in part]
        if constant := _CONSTANT.fullmatch(text):
            number = int(constant[3], 16 if constant[2] == "h" else 2)
            return [(str(number >> i & 1), 0) for i in range(int(constant[1]))]
        reference = _REFERENCE.fullmatch(text)
        assert reference is not None, text
        name, high, low = reference.groups()
        last = self.widths[name] - 1 if high is None else int(high)
        first = 0 if high is None else int(high if low is None else low)
        return [(name, i) for i in range(first, last + 1)]


class _Writer:
    """Writes what the reader read, with names and without the wires that have none."""

    def __init__(self, reader: _Reader, layers: list[str]) -> None:
        self.reader = reader
        self.layers = layers
        self.outputs = {name for direction, name in reader.ports if direction == "output"}
        self.named = sorted((n for n in reader.assigned if not _nameless(n)), key=self._place)
        self._drop_unread()
        # A nameless bit is called what the first named wire that carries it is called; those that carry a nameless
        # number from its lowest digit on come before those that pick a digit out of it.
        self.owner: dict[Bit, Bit] = {}
        for name in sorted(self.named, key=lambda name: -_digits(self._wiring(name))):
            for i, bit in enumerate(self._wiring(name)):
                if _nameless(bit[0]):
                    self.owner.setdefault(bit, (name, i))
        self._drop_unmentioned()

    def layer_of(self, name: str) -> str | None:
        return next((layer for layer in self.layers if name == layer or name.startswith(f"{layer}_")), None)

    def statement(self, name: str) -> list[str]:
        """The lines that declare and assign a named wire."""
        port = name in self.outputs
        span = f"[{self.reader.widths[name] - 1}:0] " if self.reader.widths[name] > 1 else ""
        expression = self._definition(name)
        if expression is not None or not span:
            text = self._write(expression, self.reader.widths[name]) if expression else self._bit(name, 0)[0]
            return [f"  assign {name} = {text};" if port else f"  wire {span}{name} = {text};"]
        lines = [] if port else [f"  wire {span}{name};"]
        return lines + [f"  assign {name}[{i}] = {self._bit(name, i)[0]};" for i in range(self.reader.widths[name])]

    def in_order(self) -> list[str]:
        """The named wires so that each comes after those it reads: layer by layer, the output ports last."""
        order: dict[str, None] = {}
        # A stack instead of recursion: an adder tree may be as deep as the count is wide.
        for root in self.named:
            stack = [root]
            while stack:
                name = stack[-1]
                needed = [w for w in self._reads(name) if w not in order]
                if name in order or not needed:
                    order.setdefault(name)
                    stack.pop()
                else:
                    stack += needed
        return list(order)

    def unused_inputs(self) -> list[str]:
        """The input bits that no written statement mentions."""
        return self._unmentioned([n for d, n in self.reader.ports if d == "input"])

    def unused_bits(self) -> list[str]:
        """The bits of wires that no written statement mentions."""
        return self._unmentioned([n for n in self.named if n not in self.outputs])

    def _unmentioned(self, names: list[str]) -> list[str]:
        used = {bit for name in self.named for bit in self._mentions(name)}
        bits = [(n, i) for n in names for i in range(self.reader.widths[n])]
        return [f"{n}[{i}]" if self.reader.widths[n] > 1 else n for n, i in bits if (n, i) not in used]

    def _place(self, name: str) -> tuple[bool, int, list[int | str]]:
        layer = self.layer_of(name)
        parts = [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", name)]
        return name in self.outputs, self.layers.index(layer) if layer else -1, parts

    def _wiring(self, name: str) -> list[Bit]:
        expression = self.reader.assigned[name]
        return expression.operands[0] if expression.operator == "" else []

    def _definition(self, name: str) -> _Expression | None:
        """The one expression that gives the whole wire its value; None where its bits come from several."""
        expression = self.reader.assigned[name]
        if expression.operator:
            return expression
        bits = expression.operands[0]
        source = bits[0][0]
        if _digits(bits) and self.owner[bits[0]][0] == name:
            return self.reader.assigned[source]
        # A vector is written bit by bit, unless it only gathers longer runs of others.
        runs = self._runs(bits)
        gathers = len(runs) < len(bits) and all(run[0][0] != name and not _nameless(run[0][0]) for run in runs)
        return expression if gathers else None

    def _bit(self, name: str, i: int) -> tuple[str, str]:
        """The text and the operator of one bit of a vector."""
        bit = self._wiring(name)[i]
        if self.owner.get(bit) == (name, i):
            expression = self.reader.assigned[bit[0]]
            return self._write(expression), expression.operator
        return self._operand([bit], "")[0], ""

    def _write(self, expression: _Expression, width: int = 0) -> str:
        operator, operands = expression.operator, expression.operands
        if operator == "+":
            operands = [(bits + [("0", 0)] * width)[:width] for bits in self._summands(expression, width)]
        elif operator in _SIZED:
            longest = max(len(bits) for bits in operands)
            operands = [bits + [("0", 0)] * (longest - len(bits)) for bits in operands]
        texts = [self._operand(bits, operator)[0] for bits in operands]
        if operator == "":
            return texts[0]
        if operator == "~":
            return f"~{texts[0]}"
        if operator == "?":
            return f"{texts[0]} ? {texts[1]} : {texts[2]}"
        return f" {operator} ".join(texts)

    def _summands(self, expression: _Expression, width: int) -> list[list[Bit]]:
        """What a sum of nameless sums adds up; each sum of at least the width, so that none loses a carry."""
        found = []
        for bits in expression.operands:
            inner = self.reader.assigned.get(bits[0][0]) if _nameless(bits[0][0]) else None
            if inner is not None and inner.operator == "+" and width <= _digits(bits) and bits[0] not in self.owner:
                found += self._summands(inner, width)
            else:
                found.append(bits)
        return found

    def _operand(self, bits: list[Bit], outer: str) -> tuple[str, str]:
        runs = self._runs(bits)
        if len(runs) > 1:
            return "{" + ", ".join(self._run(run, "")[0] for run in reversed(runs)) + "}", ""
        return self._run(runs[0], outer)

    def _runs(self, bits: list[Bit]) -> list[list[Bit]]:
        """The bits under their names, cut where the next is not the neighbour of the last."""
        runs: list[list[Bit]] = []
        for bit in (self.owner.get(b, b) for b in bits):
            last = runs[-1][-1] if runs else ("", 0)
            constants = last[0] in ("0", "1") and bit[0] in ("0", "1")
            if constants or (last[0] == bit[0] and last[1] + 1 == bit[1]):
                runs[-1].append(bit)
            else:
                runs.append([bit])
        return runs

    def _run(self, run: list[Bit], outer: str) -> tuple[str, str]:
        (name, first), width = run[0], len(run)
        if name in ("0", "1"):
            return f"{width}'h{sum(int(b[0]) << i for i, b in enumerate(run)):x}", ""
        if not _nameless(name):
            if width == self.reader.widths[name]:
                return name, ""
            return f"{name}[{first}]" if width == 1 else f"{name}[{run[-1][1]}:{first}]", ""
        if width != 1 or self.reader.widths[name] != 1:
            raise ValueError(f"a wire of more than one bit must have a name, not {name}")
        inner = self.reader.assigned[name]
        text = self._write(inner)
        if (inner.operator == outer and outer in _ASSOCIATIVE) or inner.operator == "":
            return text, inner.operator
        if outer == "" or (inner.operator == "~" and outer in _ASSOCIATIVE):
            return text, inner.operator
        # In a sum or comparison the width of the context reaches into an operand; braces shut it out.
        return (f"({text})" if outer in (*_ASSOCIATIVE, "~") else f"{{{text}}}"), ""

    def _drop_unread(self) -> None:
        """Leaves out wires that no output depends on; they would be noise, and linters would say so."""
        live: set[str] = set()
        pending = list(self.outputs)
        while pending:
            name = pending.pop()
            if name not in live and name in self.reader.assigned:
                live.add(name)
                pending += [bit[0] for bits in self.reader.assigned[name].operands for bit in bits]
        carried = {bit for name in live for bits in self.reader.assigned[name].operands for bit in bits} | {
            (name, i) for name in live for i in range(self.reader.widths[name])
        }
        # A named wire that only gathers bits is read under their own names.
        self.named = [n for n in self.named if n in live or any(bit in carried for bit in self._wiring(n))]

    def _drop_unmentioned(self) -> None:
        """Leaves out wires that others carry under names of their own; dropping one may leave another unread."""
        while True:
            mentioned = {bit[0] for name in self.named for bit in self._mentions(name)} | self.outputs
            kept = [name for name in self.named if name in mentioned]
            if len(kept) == len(self.named):
                return
            self.named = kept

    def _reads(self, name: str) -> list[str]:
        """The named wires that a named wire's text mentions."""
        return list(dict.fromkeys(bit[0] for bit in self._mentions(name) if bit[0] in self.reader.assigned))

    def _mentions(self, name: str) -> list[Bit]:
        """The bits, under their names, that a named wire's text mentions."""
        found: list[Bit] = []
        pending = [self.reader.assigned[name]]
        while pending:
            for bit in (bit for bits in pending.pop().operands for bit in bits):
                called = self.owner.get(bit, bit)
                if _nameless(called[0]) or called[0] == name:
                    pending.append(self.reader.assigned[bit[0]])
                elif called[0] not in ("0", "1"):
                    found.append(called)
        return found


def tidy(verilog: str, module: str, layers: dict[str, str], header: list[str]) -> str:
    """The Verilog of one combinational module, rewritten.

    `layers` maps what the wires of a layer start with to one line about it, in the order of the layers.

    >>> lines = ["input [1:0] x;", "output y;", "wire @ ;", "assign @ = ~ x[1];", "assign y = x[0] & @ ;"]
    >>> text = "\\n".join(lines).replace("@", chr(92) + "$1")
    >>> print(tidy(text, "net", {}, []).splitlines()[-2])
      assign y = x[0] & ~x[1];
    """
    reader = _Reader(verilog)
    writer = _Writer(reader, list(layers))
    lines = [f"// {line}" for line in header]
    ports = [f"  {d} wire {f'[{reader.widths[n] - 1}:0] ' if reader.widths[n] > 1 else ''}{n}" for d, n in reader.ports]
    lines += [f"module {module} (", ",\n".join(ports), ");"]
    current: str | None = None
    for name in writer.in_order():
        layer = writer.layer_of(name)
        if layer != current or len(lines) == len(header) + 3:
            lines += ["", f"  // {layers[layer] if layer else 'outputs'}"]
            current = layer
        lines += writer.statement(name)
    if unused := writer.unused_inputs():
        listed = ", ".join(unused)
        lines += ["", "  // The net does not look at these inputs.", f"  wire unused = &{{1'b0, {listed}}};"]
    if unused := writer.unused_bits():
        listed = ", ".join(unused)
        lines += ["", "  // Digits that no comparison needs.", f"  wire unused_digits = &{{1'b0, {listed}}};"]
    return "\n".join([*lines, "endmodule", ""])


def _nameless(name: str) -> bool:
    return name.startswith("\\")


def _digits(bits: list[Bit]) -> int:
    """How many bits there are, if they are those of one nameless wire from the lowest on; otherwise 0."""
    if not bits or not _nameless(bits[0][0]):
        return 0
    return len(bits) if bits == [(bits[0][0], i) for i in range(len(bits))] else 0
