"""The logic network as JSON, for programs in any language; `read` reads it back.

| key       | value                                                                                          |
|-----------|------------------------------------------------------------------------------------------------|
| `format`  | 1                                                                                              |
| `inputs`  | the names of the input bits: input i is node i + 1, and node 0 is the constant false           |
| `layers`  | the names of the layers, in order                                                              |
| `nodes`   | the other nodes, each after those it reads: `node` (its number), `kind`, `layer` (an index)    |
| `outputs` | `name`, `kind`, `width` and `members`: literals (`bits`), or nodes of `width` bits (`integers`) |

A literal is twice a node's number, plus one if the bit is inverted. The other keys of a node follow from its kind:

| kind         | keys                                        | value                                              |
|--------------|---------------------------------------------|----------------------------------------------------|
| `and`, `xor` | `literals`                                  | conjunction, parity                                |
| `lut`        | `table` (hexadecimal), `literals`           | bit n of the table; bit j of n is literal j        |
| `count`      | `constant`, `terms`: [literal, coefficient] | constant + sum of coefficient x bit                |
| `sum`        | `constant`, `terms`: [node, coefficient]    | constant + sum of coefficient x integer            |
| `ge`, `eq`   | `integer` (a node), `k`                     | integer >= k, integer = k                          |
| `argmax`     | `integers` (nodes)                          | index of the largest, the lowest index on ties     |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from dbhw.base.errors import DbhwError
from dbhw.logic.linear import Linear
from dbhw.logic.network import EQ, GE, KIND_NAMES, Network
from dbhw.logic.visit import Visitor

FORMAT_VERSION = 1
Entry = dict[str, Any]


def write(network: Network) -> str:
    """The network as a JSON object, one line per node.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b ^ 1])])
    >>> print(write(n), end="")
    {"format": 1,
     "inputs": ["a", "b"],
     "layers": ["inputs"],
     "nodes": [
      {"node": 3, "kind": "and", "layer": 0, "literals": [2, 5]}
     ],
     "outputs": [
      {"name": "y", "kind": "bits", "width": 1, "members": [6]}
     ]}
    """
    entries = _Entries(network)
    nodes = [json.dumps(entries.entry(node)) for node in range(1 + len(network.input_names), len(network))]
    outputs = [
        json.dumps({"name": o.name, "kind": o.kind, "width": o.width, "members": o.members}) for o in network.outputs
    ]
    head = f'"inputs": {json.dumps(network.input_names)},\n "layers": {json.dumps(network.layer_names)}'
    tail = f'"nodes": {_lines(nodes)},\n "outputs": {_lines(outputs)}'
    return f'{{"format": {FORMAT_VERSION},\n {head},\n {tail}}}\n'


def read(text: str) -> Network:
    """The network that a JSON text describes.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.xor([a, b])])
    >>> write(read(write(n))) == write(n)
    True
    """
    try:
        content = json.loads(text)
        version = content["format"]
    except (ValueError, KeyError, TypeError, RecursionError) as wrong:
        raise DbhwError("network JSON must be an object with a format, but it is not") from wrong
    if version != FORMAT_VERSION:
        raise DbhwError(f"network JSON must be of format {FORMAT_VERSION}, not {version!r}")
    reader = _Reader()
    for part, add in (("inputs", reader.input), ("layers", reader.layer), ("nodes", reader.node)):
        reader.all_of(content, part, add)
    reader.all_of(content, "outputs", reader.output)
    return reader.finished()


def _lines(entries: list[str]) -> str:
    return "[\n  " + ",\n  ".join(entries) + "\n ]" if entries else "[]"


class _Entries(Visitor[Entry]):
    """The keys of each node beside its number, kind and layer."""

    def entry(self, node: int) -> Entry:
        kind, layer = KIND_NAMES[self.network.kinds[node]], self.network.layers[node]
        return {"node": node, "kind": kind, "layer": layer, **self.visit(node)}

    def conjunction(self, node: int, literals: Sequence[int]) -> Entry:
        return {"literals": [*literals]}

    def parity(self, node: int, literals: Sequence[int]) -> Entry:
        return {"literals": [*literals]}

    def table(self, node: int, table: int, literals: Sequence[int]) -> Entry:
        return {"table": hex(table), "literals": [*literals]}

    def count(self, node: int, linear: Linear) -> Entry:
        return {"constant": linear.constant, "terms": [[2 * bit, c] for bit, c in linear.coefficients.items()]}

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> Entry:
        return {"constant": constant, "terms": [[*part] for part in parts]}

    def at_least(self, node: int, integer: int, k: int) -> Entry:
        return {"integer": integer, "k": k}

    def exactly(self, node: int, integer: int, k: int) -> Entry:
        return {"integer": integer, "k": k}

    def argmax(self, node: int, integers: Sequence[int]) -> Entry:
        return {"integers": [*integers]}


class _Reader:
    """Makes every node anew, so what was read has the network's normal forms; numbers in the text may be others."""

    def __init__(self) -> None:
        self.network = Network()
        self.bits = {0: 0}  # by the number in the text: the literal a bit became,
        self.integers: dict[int, int] = {}  # and the node an integer became
        self.layers: list[str] = []

    def all_of(self, content: Entry, part: str, add: Callable[[Any], None]) -> None:
        for i, entry in enumerate(_list(content.get(part))):
            try:
                add(entry)
            except (KeyError, ValueError, TypeError, IndexError, OverflowError) as wrong:
                raise DbhwError(f"network JSON must be well-formed in {part}[{i}], not {json.dumps(entry)}") from wrong

    def input(self, name: object) -> None:
        literal = self.network.input(_string(name))
        self.bits[literal >> 1] = literal

    def layer(self, name: object) -> None:
        self.layers.append(_string(name))

    def node(self, entry: Entry) -> None:
        self._reach(_number(entry["layer"]))
        made = self._make(entry)
        number = _number(entry["node"])
        if number in self.bits or number in self.integers:
            raise ValueError(number)
        (self.integers if entry["kind"] in ("count", "sum", "argmax") else self.bits)[number] = made

    def output(self, entry: Entry) -> None:
        name, members = _string(entry["name"]), _list(entry["members"])
        if entry["kind"] == "bits":
            self.network.output(name, [self._literal(m) for m in members])
        elif entry["kind"] == "integers":
            self.network.integer_output(name, [self.integers[_number(m)] for m in members], _number(entry["width"]))
        else:
            raise ValueError(entry["kind"])

    def finished(self) -> Network:
        """The network, with the layers that come after its last node."""
        self._reach(len(self.layers) - 1)
        return self.network

    def _reach(self, layer: int) -> None:
        while len(self.network.layer_names) <= layer:
            self.network.begin_layer(self.layers[len(self.network.layer_names)])

    def _make(self, entry: Entry) -> int:
        kind, network = entry["kind"], self.network
        if kind in ("and", "xor", "lut"):
            literals = [self._literal(m) for m in _list(entry["literals"])]
            if kind == "lut":
                return network.lut(int(_string(entry["table"]), 16), literals)
            return (network.and_ if kind == "and" else network.xor)(literals)
        if kind == "count":
            bits = [(self._literal(m), _number(c)) for m, c in _list(entry["terms"])]
            return network.count(bits, _number(entry["constant"]))
        if kind == "sum":
            parts = [(self.integers[_number(m)], _number(c)) for m, c in _list(entry["terms"])]
            return network.sum_of(parts, _number(entry["constant"]))
        if kind in ("ge", "eq"):
            compared = self.integers[_number(entry["integer"])]
            return network.compare(GE if kind == "ge" else EQ, compared, _number(entry["k"]))
        if kind == "argmax":
            return network.argmax([self.integers[_number(m)] for m in _list(entry["integers"])])
        raise ValueError(kind)

    def _literal(self, value: object) -> int:
        literal = _number(value)
        return self.bits[literal >> 1] ^ (literal & 1)


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(value)
    return value


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return value


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise DbhwError(f"network JSON must have a list here, not {json.dumps(value)}")
    return value
