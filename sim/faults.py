"""Single faults in hardware: in Verilog as it was emitted, and in a netlist as Yosys writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

RTL, NETLIST = "rtl", "netlist"
_OPERATORS = ((" & ", " | "), (" | ", " & "), (" ^ ", " & "), (" >= ", " > "), (" > ", " >= "), (" + ", " & "))
_ASSIGNED = re.compile(r"^(\s+(?:assign |wire )?[^=<]*?) (=|<=) (.*;)$")
_SCALAR = re.compile(r"\b[a-z_]\w*\[\d+\](?!\[)")
_PIN = re.compile(r"^(\s+)\.(\w+)\((.+)\)(,?)$")
_INPUT_PINS = re.compile(r"I[0-5]|CI|CIN|D|E|CE|A|B|S|DI")  # of tables, carries and registers, but no clocks


@dataclass(frozen=True)
class Fault:
    """What is wrong, and the lines of the text that are others instead, by their numbers."""

    what: str
    lines: tuple[tuple[int, str], ...]

    def put_into(self, text: str) -> str:
        """The text with the fault.

        >>> Fault("inverted", ((0, "assign y = ~x;"),)).put_into("assign y = x;")
        'assign y = ~x;'
        """
        lines = text.split("\n")
        for number, line in self.lines:
            lines[number] = line
        return "\n".join(lines)


def of_rtl(verilog: str) -> Iterator[Fault]:
    """Every fault of a list of kinds in the assignments of a text: operators, constants, terms, wires, inversions.

    >>> [fault.what for fault in of_rtl("  assign y = x[0] & x[1];")]
    ['inverted', '& became |', 'dropped term']
    """
    before: list[str] = []
    for number, line in enumerate(verilog.split("\n")):
        found = _ASSIGNED.match(line)
        if not found or "unused" in line or "localparam" in line or line.startswith("(*"):
            continue
        head, sign, value = found.groups()
        own = _SCALAR.findall(value)
        for what, broken in (*_of_value(value), *_of_wires(value, own, before)):
            if broken != value:
                yield Fault(what, ((number, f"{head} {sign} {broken}"),))
        before = own or before


def _of_value(value: str) -> Iterator[tuple[str, str]]:
    if " + " not in value and ">" not in value:
        yield "inverted", f"~({value[:-1]});"
    for a, b in _OPERATORS:
        for place in re.finditer(re.escape(a), value):
            yield f"{a.strip()} became {b.strip()}", value[: place.start()] + b + value[place.end() :]
    for place in re.finditer(r"(\d+)'h([0-9a-f]+)", value):
        width, number = int(place[1]), int(place[2], 16)
        other = (number + 1) % (1 << width)
        yield "constant off by one", f"{value[: place.start()]}{width}'h{other:x}{value[place.end() :]}"
    for place in re.finditer(r"[~\w\[\]']+ [&|^] ", value):
        yield "dropped term", value[: place.start()] + value[place.end() :]


def _of_wires(value: str, own: Sequence[str], before: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A bit that a line before reads, instead of an own one: whatever drives it comes earlier, so there is no loop."""
    for place, other in zip(_SCALAR.finditer(value), before, strict=False):
        if other not in own:
            yield "another wire", value[: place.start()] + other + value[place.end() :]


def of_netlist(netlist: str) -> Iterator[Fault]:
    """Every fault of a list of kinds in the cells of a netlist: bits of tables, swapped inputs, inputs that are stuck.

    >>> cell = ["  SB_LUT4 #(", "    .LUT_INIT(2'h2)", "  ) lut (", "    .I0(a),", "    .I1(b),", "    .O(y)", "  );"]
    >>> [fault.what for fault in of_netlist(chr(10).join(cell))][:4]
    ['bit 0 of a table', 'bit 1 of a table', 'I0 stuck at 0', 'I0 stuck at 1']
    """
    inputs: list[tuple[int, re.Match[str]]] = []
    for number, line in enumerate(netlist.split("\n")):
        found = _PIN.match(line)
        if found is None:
            yield from _of_inputs(inputs)
            inputs = []
        elif re.fullmatch(r"(LUT_)?INIT(_?LUT0|VAL)?", found[2]):
            yield from _of_table(number, *found.groups())
        elif _INPUT_PINS.fullmatch(found[2]):
            inputs.append((number, found))


def _of_table(number: int, indent: str, name: str, value: str, comma: str) -> Iterator[Fault]:
    table = re.fullmatch(r"(\d+)'h([0-9a-f]+)", value)
    for bit in range(int(table[1]) if table else 0):
        assert table is not None
        flipped = int(table[2], 16) ^ 1 << bit
        yield Fault(f"bit {bit} of a table", ((number, f"{indent}.{name}({table[1]}'h{flipped:x}){comma}"),))


def _of_inputs(inputs: Sequence[tuple[int, re.Match[str]]]) -> Iterator[Fault]:
    for number, pin in inputs:
        for value in "01":
            if pin[3] != f"1'h{value}":
                line = f"{pin[1]}.{pin[2]}(1'h{value}){pin[4]}"
                yield Fault(f"{pin[2]} stuck at {value}", ((number, line),))
    for (one, a), (other, b) in pairwise(inputs):
        if a[3] != b[3]:
            lines = ((one, f"{a[1]}.{a[2]}({b[3]}){a[4]}"), (other, f"{b[1]}.{b[2]}({a[3]}){b[4]}"))
            yield Fault(f"{a[2]} and {b[2]} swapped", lines)
