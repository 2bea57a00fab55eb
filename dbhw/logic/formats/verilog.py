"""Verilog of gates: an assignment for each AND and XOR, ports by their names; `dbhw emit` writes better hardware."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dbhw.logic.buses import buses
from dbhw.logic.gates import to_bits
from dbhw.logic.network import AND, Network

MODULE = "net"


def write(network: Network) -> str:
    """The network as a Verilog module. Bits with names such as `a[0]` are one port.

    >>> n = Network(); a, b = n.input("a[0]"), n.input("a[1]"); n.output("y", [n.and_([a, b ^ 1])])
    >>> print(write(n), end="")
    module net (
      input wire [1:0] a,
      output wire y
    );
      wire n3 = a[0] & ~a[1];
      assign y = n3;
    endmodule
    """
    plain = to_bits(network)
    names: dict[int, str] = {0: "1'b0"}
    ports: list[str] = []
    for bus in buses(plain.input_names):
        port, width = _name(bus.name), len(bus.bits)
        ports.append(f"input wire {_range(width)}{port}")
        names.update((1 + bit, f"{port}[{i}]" if width > 1 else port) for i, bit in enumerate(bus.bits))
    taken = {port.rpartition(" ")[2] if not port.endswith(" ") else port for port in ports}
    prefix = next(p for p in ("n", "n_", "node_", "net_node_") if not any(re.fullmatch(rf"{p}\d+", t) for t in taken))
    lines = []
    for node in plain.needed():
        sign = " & " if plain.kinds[node] == AND else " ^ "
        names[node] = f"{prefix}{node}"
        lines.append(f"wire {names[node]} = {sign.join(_literals(names, plain.fanin(node)))};")
    for output in plain.outputs:
        ports.append(f"output wire {_range(len(output.members))}{_name(output.name)}")
        value = ", ".join(reversed(_literals(names, output.members)))
        lines.append(f"assign {_name(output.name)} = {f'{{{value}}}' if len(output.members) > 1 else value};")
    head = ",\n  ".join(ports)
    return f"module {MODULE} (\n  {head}\n);\n" + "".join(f"  {line}\n" for line in lines) + "endmodule\n"


def _literals(names: dict[int, str], literals: Iterable[int]) -> list[str]:
    constants = {0: "1'b0", 1: "1'b1"}
    return [constants.get(f) or f"{'~' * (f & 1)}{names[f >> 1]}" for f in literals]


def _range(width: int) -> str:
    return f"[{width - 1}:0] " if width > 1 else ""


def _name(name: str) -> str:
    """A name that Verilog takes: as it is, or escaped, which ends with a space."""
    plain = re.sub(r"[^!-~]", "_", name) or "_"
    simple = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", plain) and plain not in _WORDS
    return plain if simple else f"\\{plain} "


# Keywords that a port may well be called; any other is caught by the tool that reads the file.
_WORDS = frozenset(
    [
        *("input", "output", "wire", "reg", "logic", "bit", "byte", "int", "integer", "real", "time", "signed"),
        *("case", "table", "event", "class", "begin", "end", "module", "parameter", "and", "or", "not", "xor", "buf"),
    ]
)
