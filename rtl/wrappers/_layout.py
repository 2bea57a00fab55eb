"""What wrappers share: where the ports of a core lie in bytes or words, and the Verilog that connects them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dbhw.rtl.verilog.manifest import Manifest, Port
from dbhw.rtl.verilog.ports import listed, meaning
from dbhw.rtl.verilog.vectors import Vectors

BYTE, WORD = 8, 32


@dataclass(frozen=True)
class Slot:
    """A port in a row of units (bytes or words): it begins at unit `first`, and its lowest bit is the lowest there."""

    port: Port
    first: int
    count: int
    unit: int

    @property
    def bits(self) -> str:
        """The bits of the row that the port is.

        >>> Slot(Port("x", 10), 2, 2, BYTE).bits
        '[25:16]'
        """
        low = self.first * self.unit
        return f"[{low + self.port.width - 1}:{low}]"


def slots(ports: Sequence[Port], unit: int, first: int = 0) -> list[Slot]:
    """The ports one after the other, each from the beginning of a unit on.

    >>> [(s.port.name, s.first, s.count) for s in slots([Port("a", 10), Port("b", 3)], BYTE)]
    [('a', 0, 2), ('b', 2, 1)]
    """
    found = []
    for port in ports:
        count = -(-port.width // unit)
        found.append(Slot(port, first, count, unit))
        first += count
    return found


def size(row: Sequence[Slot]) -> int:
    """How many units a row has.

    >>> size(slots([Port("a", 10), Port("b", 3)], BYTE))
    3
    """
    return sum(slot.count for slot in row)


def units(row: Sequence[Slot], values: dict[str, int]) -> list[int]:
    """The bytes or words that carry the values of ports.

    >>> units(slots([Port("a", 10), Port("b", 3)], BYTE), {"a": 0x301, "b": 5})
    [1, 3, 5]
    """
    mask = (1 << row[0].unit) - 1
    return [values[s.port.name] >> i * s.unit & mask for s in row for i in range(s.count)]


def examples(vectors: Vectors) -> list[tuple[dict[str, int], dict[str, int]]]:
    """The inputs and the expected outputs of every vector, by port.

    >>> examples(Vectors(verilog_sha256="", clock=None, stream=None, inputs={"x": ("1f",)}, outputs={"label": ("2",)}))
    [({'x': 31}, {'label': 2})]
    """
    columns = {**vectors.inputs, **vectors.outputs}
    numbers = zip(*([int(value, 16) for value in values] for values in columns.values()), strict=True)
    rows = [dict(zip(columns, row, strict=True)) for row in numbers]
    return [({n: row[n] for n in vectors.inputs}, {n: row[n] for n in vectors.outputs}) for row in rows]


def instance(manifest: Manifest, row: Sequence[Slot], outputs: Sequence[str]) -> str:
    """The core as an instance: data from the wires `x`, handshakes under their own names, the outputs that are wanted.

    >>> from dbhw.rtl.verilog.manifest import STREAM
    >>> made = Manifest(module="net", inputs=(Port("x", 2),), outputs=(Port("label", 1),), clock="clk", stream=STREAM)
    >>> print(instance(made, slots(made.inputs, BYTE), ["label"]))
      net core (
        .clk(clk), .rst(rst),
        .x_valid(x_valid), .x_ready(x_ready),
        .y_valid(y_valid), .y_ready(y_ready),
        .x(x[1:0]),
        .label(label)
      );
    """
    lines = [".clk(clk), .rst(rst)", ".x_valid(x_valid), .x_ready(x_ready)", ".y_valid(y_valid), .y_ready(y_ready)"]
    lines += [f".{slot.port.name}(x{slot.bits})" for slot in row]
    lines += [f".{p.name}({p.name if p.name in outputs else ''})" for p in manifest.outputs]
    return "\n".join([f"  {manifest.module} core (", ",\n".join(f"    {line}" for line in lines), "  );"])


def joined(ports: Sequence[Port], values: dict[str, int]) -> int:
    """The values of ports side by side in one number, the first lowest.

    >>> hex(joined([Port("a", 8), Port("b", 3)], {"a": 0x12, "b": 3}))
    '0x312'
    """
    number, first = 0, 0
    for port in ports:
        number |= values[port.name] << first
        first += port.width
    return number


def label(manifest: Manifest) -> Port:
    """The output that carries the class.

    >>> label(Manifest(module="net", inputs=(), outputs=(Port("label", 2),), clock=None, stream=None)).width
    2
    """
    return next(port for port in manifest.outputs if port.name == "label")


def gather(module: str) -> str:
    """The Verilog that collects the words of an example, as a module of the given name.

    >>> gather("net_gather").count("module net_gather ")
    1
    """
    return Path(__file__).with_name("gather.v").read_text().replace("module gather ", f"module {module} ")


def described(port: Port) -> str:
    """One line for people: what is on a port.

    >>> described(Port("label", 1, classes=("coat", "t-shirt")))
    '0 = coat, 1 = t-shirt'
    """
    if port.integer:
        return meaning(port.integer, port.width).partition(": ")[2]
    if port.classes:
        return listed(port.classes)
    if port.fields and port.fields > 1:
        return f"{port.fields} fields of {port.field_width} bits, the first lowest"
    return f"{port.width} bits"


def byte_table(row: Sequence[Slot]) -> str:
    """The bytes of an example as a table in Markdown.

    >>> print(byte_table(slots([Port("a", 10), Port("b", 3)], BYTE)))
    | byte | port | bits | meaning |
    |---|---|---|---|
    | 0 to 1 | `a` | 10 | 10 bits |
    | 2 | `b` | 3 | 3 bits |
    """
    lines = ["| byte | port | bits | meaning |", "|---|---|---|---|"]
    for slot in row:
        last = slot.first + slot.count - 1
        place = f"{slot.first} to {last}" if slot.count > 1 else f"{slot.first}"
        lines.append(f"| {place} | `{slot.port.name}` | {slot.port.width} | {described(slot.port)} |")
    return "\n".join(lines)
