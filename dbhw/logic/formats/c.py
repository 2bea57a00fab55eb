"""A logic network as C99 without allocation or libraries: for one example, or as many at once as a word has bits.

The same text serves a microcontroller with words of 8 bits and a processor with vectors of 512. Integers are bit
planes, so all is ANDs and XORs of words (`dbhw/logic/gates.py`), in functions short enough for a compiler's comfort.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dbhw.data.tables.column import Column
from dbhw.logic.formats import _c_texts as texts
from dbhw.logic.gates import Sliced, to_gates
from dbhw.logic.network import AND, Network

_PART = 1000  # operations in a function; a compiler's time grows faster than a function
_FLASH_BYTES = 5  # of an operation with its share of loads and stores, on a Cortex-M3 (measured: 4.3)


@dataclass(frozen=True)
class Described:
    """The names that go into the C: those of the classes, and the columns that the input bits are.

    >>> Described(classes=("no", "yes")).columns
    ()
    """

    classes: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()


def write(network: Network, name: str = "net") -> str:
    """The network as one C file, header and source.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("bits", [n.and_([a, b ^ 1])])
    >>> [line.strip() for line in write(n).splitlines() if "~" in line]
    ['const net_word v3 = in[0] & ~in[1];']
    """
    sliced = to_gates(network)
    return header(sliced, name, Described()) + "\n" + source(sliced, name)


def header(sliced: Sliced, name: str = "net", described: Described | None = None) -> str:
    """The header: sizes, the type of a word, and the functions; what is described is in a comment.

    >>> n = Network(); n.output("bits", [n.input("a")])
    >>> "#define NET_INPUTS 1" in header(to_gates(n)).splitlines()
    True
    """
    about = _about(sliced, described) if described else []
    described = described or Described()
    upper = name.upper()
    lines = [
        f"/* {name}.h: a learned boolean net, made by dbhw.",
        *(f" * {line}".rstrip() for line in about),
        " */",
        *texts.OPENING.format(upper=upper).splitlines(),
        *(f"#define {upper}_{size} {value}" for size, value in _sizes(sliced, described).items()),
        "",
        *texts.WORD.format(name=name, upper=upper).splitlines(),
        *(texts.ONE_BY_ONE.format(name=name, upper=upper).splitlines() if _labelled(sliced) else []),
        *(texts.NAMES_DECLARED.format(name=name, upper=upper).splitlines() if described.classes else []),
        *(texts.PACK_DECLARED.format(name=name).splitlines() if described.columns else []),
        *texts.CLOSING.format(upper=upper).splitlines(),
    ]
    return "\n".join([*lines, ""])


def _sizes(sliced: Sliced, described: Described) -> dict[str, int]:
    inputs, fields = len(sliced.network.input_names), sliced.fields
    return {
        "INPUTS": inputs,
        "ROW_BYTES": -(-inputs // 8),
        "PLANES": sum(len(field.planes) for field in fields),
        "FIELDS": len(fields),
        **({"CLASSES": len(described.classes)} if described.classes else {}),
        **({"COLUMNS": len(described.columns)} if described.columns else {}),
    }


def source(sliced: Sliced, name: str = "net", described: Described | None = None, include: str = "") -> str:
    """What the header declares; `include` is the line that includes the header.

    >>> n = Network(); n.output("bits", [n.input("a") ^ 1])
    >>> [line for line in source(to_gates(n)).splitlines() if "~" in line]
    ['    planes[0] = ~in[0];']
    """
    described = described or Described()
    body = _Body(sliced)
    sections = [[include] if include else [], tables(sliced, name), *body.parts(name), body.run(name)]
    if _labelled(sliced):
        sections.append(texts.PREDICT.format(name=name, upper=name.upper()).splitlines())
    if described.columns:
        widths = ", ".join(str(column.width) for column in described.columns)
        sections.append(texts.PACK.format(name=name, upper=name.upper(), widths=widths).splitlines())
    return "\n".join("\n".join([*section, ""]) for section in sections if section)


def names(network: Network, name: str, described: Described, include: str) -> str:
    """The names of classes and features: a source of their own, so that they take no flash where nobody reads them.

    >>> n = Network(); n.output("bits", [n.input("a")])
    >>> print(names(n, "net", Described(("no", "yes")), '#include "net.h"').splitlines()[1])
    const char *const net_classes[2] = {
    """
    lists = {f"{name}_classes": described.classes, f"{name}_features": network.input_names}
    return "\n".join([include, *(line for variable, own in lists.items() for line in _names(variable, own)), ""])


def operations(sliced: Sliced) -> int:
    """How many operations on words the gates are.

    >>> n = Network(); n.output("bits", [n.and_([n.input(v) for v in "abc"])])
    >>> operations(to_gates(n))
    2
    """
    network = sliced.network
    return sum(len(network.fanin(node)) - 1 for node in network.needed())


def statements(sliced: Sliced, name: str) -> list[str]:
    """The lines that compute planes[…] of in[…], for gates so few that they fit into one function.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("bits", [n.and_([a, b])])
    >>> statements(to_gates(n), "my")
    ['    const my_word v3 = in[0] & in[1];', '    planes[0] = v3;']
    """
    ((_, lines),) = _Body(sliced).statements(name)
    return lines


class _Body:
    """The gates as functions. What one function computes and another reads goes through the array `t`."""

    def __init__(self, sliced: Sliced) -> None:
        self.network = sliced.network
        self.planes = [plane for field in sliced.fields for plane in field.planes]
        self.inputs = len(self.network.input_names)
        self.order = _depth_first(self.network)
        self.part = self._divide()
        self.slots, self.places = self._share_slots()
        self.complemented: dict[int, bool] = {}  # the nodes whose variable holds their complement

    def _divide(self) -> dict[int, int]:
        """The function that each gate is in."""
        part, done = {}, 0
        for node in self.order:
            part[node] = done // _PART
            done += len(self.network.fanin(node)) - 1
        return part

    def _share_slots(self) -> tuple[dict[int, int], int]:
        """The place in `t` of each gate that a later function reads, and how many places there are."""
        last = dict(self.part)
        for node in self.order:
            for source in self.network.sources(node):
                if source > self.inputs:
                    last[source] = max(last[source], self.part[node])
        slots: dict[int, int] = {}
        free: list[int] = []
        leaving: dict[int, list[int]] = {}  # by function: the gates that it is the last to read
        made, current = 0, 0
        for node in self.order:
            while current < self.part[node]:
                free += [slots[old] for old in leaving.pop(current, [])]
                current += 1
            if last[node] > self.part[node]:
                slots[node] = free.pop() if free else made
                made = max(made, slots[node] + 1)
                leaving.setdefault(last[node], []).append(node)
        return slots, made

    def parts(self, name: str) -> Iterator[list[str]]:
        """The functions, each a list of lines."""
        for part, lines in self.statements(name):
            yield [*self._opening(name, part), *lines, "}"]

    def statements(self, name: str) -> Iterator[tuple[int, list[str]]]:
        """The functions by number, and what is in them."""
        wanted: dict[int, list[int]] = {}
        for i, plane in enumerate(self.planes):
            wanted.setdefault(plane >> 1, []).append(i)
        lines: list[str] = []
        for i, node in enumerate(self.order):
            lines.append(f"    const {name}_word v{node} = {self._gate(node)};")
            if node in self.slots:
                lines.append(f"    t[{self.slots[node]}] = v{node};")
            lines += [
                f"    planes[{p}] = {self._literal(self.planes[p], self.part[node])};" for p in wanted.get(node, [])
            ]
            if i + 1 == len(self.order) or self.part[self.order[i + 1]] > self.part[node]:
                yield self.part[node], lines
                lines = []

    def _opening(self, name: str, part: int) -> list[str]:
        word = f"{name}_word"
        arguments = f"const {word} *restrict in, {word} *restrict t, {word} *restrict planes"
        return [
            f"{name.upper()}_APART void {name}_part{part}({arguments})",
            "{",
            "    (void)in, (void)t, (void)planes;",
        ]

    def run(self, name: str) -> list[str]:
        """The function that calls the others, and passes on inputs and constants that are outputs."""
        parts = self.part[self.order[-1]] + 1 if self.order else 0
        plain = [(i, plane) for i, plane in enumerate(self.planes) if plane >> 1 <= self.inputs]
        return [
            f"void {name}_run(const {name}_word *in, {name}_word *planes)",
            "{",
            *([f"    {name}_word t[{max(self.places, 1)}];"] if parts else []),
            *(f"    {name}_part{i}(in, t, planes);" for i in range(parts)),
            *(f"    planes[{i}] = {self._literal(plane, 0)};" for i, plane in plain),
            "}",
        ]

    def _gate(self, node: int) -> str:
        fanin = [(f, bool(f & 1) ^ self.complemented.get(f >> 1, False)) for f in self.network.fanin(node)]
        plain = [self._name(f >> 1, self.part[node]) for f, _ in fanin]
        if self.network.kinds[node] != AND:
            self.complemented[node] = sum(c for _, c in fanin) % 2 == 1
            return " ^ ".join(plain)
        self.complemented[node] = all(c for _, c in fanin)
        if self.complemented[node]:
            return " | ".join(plain)
        return " & ".join(f"~{text}" if c else text for text, (_, c) in zip(plain, fanin, strict=True))

    def _literal(self, literal: int, part: int) -> str:
        if literal <= 1:  # a word type may be a vector, which has no constants in C99
            return "in[0] | ~in[0]" if literal else "in[0] & ~in[0]"
        complement = bool(literal & 1) ^ self.complemented.get(literal >> 1, False)
        return f"{'~' * complement}{self._name(literal >> 1, part)}"

    def _name(self, node: int, part: int) -> str:
        if node <= self.inputs:
            return f"in[{node - 1}]"
        return f"v{node}" if self.part[node] == part else f"t[{self.slots[node]}]"


def _depth_first(network: Network) -> list[int]:
    """The gates that outputs need, each soon after what it reads: so few values are alive at a time."""
    found: list[int] = []
    first = 1 + len(network.input_names)
    seen = bytearray(len(network))
    for root in network.output_nodes():
        pending = [root]
        while pending:
            node = pending[-1]
            waiting = [] if seen[node] else [s for s in network.sources(node) if s >= first and not seen[s]]
            if waiting:
                pending += reversed(waiting)
                continue
            pending.pop()
            if node >= first and not seen[node]:
                seen[node] = 1
                found.append(node)
    return found


def _labelled(sliced: Sliced) -> bool:
    return sliced.fields[0].output == "label"


def _about(sliced: Sliced, described: Described) -> list[str]:
    body, count = _Body(sliced), operations(sliced)
    # The arrays in, planes (with one to spare) and t.
    words = len(sliced.network.input_names) + len(body.planes) + 1 + max(body.places, 1)
    lines = [
        "",
        f"{count} operations on words. On a microcontroller about {_FLASH_BYTES * count} bytes of flash, and on the",
        f"stack {words} words, besides what the compiler keeps there.",
    ]
    lines += [
        f"Input bits, the first lowest, of {len(described.columns)} numbers side by side:" if described.columns else "",
        *(_column(column) for column in described.columns),
    ]
    return lines if described.columns else lines[:-1]


def _column(column: Column) -> str:
    name, bits = _comment(column.name), f"{column.width} bits{', signed' if column.signed else ''}"
    if column.kind == "real":
        return f"  {name}: {bits}, floor((x - ({column.offset:.17g})) / {column.scale:.17g} + 0.5), kept in range"
    if column.kind == "category":
        words = ", ".join(f"{i} {_comment(word)}" for i, word in enumerate(column.categories))
        return f"  {name}: {bits}, the index of a word: {words}"
    return f"  {name}: {bits}, " + ("1 where the cell is empty" if column.kind == "missing" else "as it is")


def _comment(text: str) -> str:
    """A name that cannot end the comment it stands in."""
    return " ".join(text.replace("*/", "* /").replace("/*", "/ *").split())


def tables(sliced: Sliced, name: str = "net") -> list[str]:
    """The lines that define how wide the fields are, and their least values.

    >>> n = Network(); n.integer_output("sum", [n.count([(n.input("a"), 1)], 5)], 3)
    >>> tables(to_gates(n))
    ['const uint8_t net_widths[NET_FIELDS] = {1};', 'const int32_t net_least[NET_FIELDS] = {5};']
    """
    upper = name.upper()
    return [
        f"const uint8_t {name}_widths[{upper}_FIELDS] = {{{', '.join(str(len(f.planes)) for f in sliced.fields)}}};",
        f"const int32_t {name}_least[{upper}_FIELDS] = {{{', '.join(str(f.least) for f in sliced.fields)}}};",
    ]


def _names(variable: str, names: Sequence[str]) -> list[str]:
    return [f"const char *const {variable}[{len(names)}] = {{", *(f"    {c_string(name)}," for name in names), "};"]


def c_string(text: str) -> str:
    r"""A text as a C string of plain characters.

    >>> print(c_string('a "ö"??/'))
    "a \"\303\266\"\?\?/"
    """
    plain = {ord('"'): '\\"', ord("\\"): "\\\\", ord("?"): "\\?"}
    return '"' + "".join(plain.get(b, chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in text.encode()) + '"'
