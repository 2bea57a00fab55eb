"""The short text form of a logic network, which reads back: for golden tests, for eyes and for bug reports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from dbhw.base.errors import DbhwError
from dbhw.logic.linear import Linear
from dbhw.logic.network import EQ, GE, KIND_NAMES, Network
from dbhw.logic.visit import Visitor

Nodes = dict[int, int]  # By the number that a line gives: the literal or integer node it became.


def write(network: Network) -> str:
    """One line per node, in order.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> n.begin_layer("both"); n.output("y", [n.and_([a, b ^ 1]) ^ 1])
    >>> print(write(n), end="")
    input "a"
    input "b"
    layer "both"
    3 = and 1 !2
    output "y" bits !3
    """
    lines = [f"input {_quote(name)}" for name in network.input_names]
    layer, right_sides = 0, _Lines(network)
    for node in network.nodes():
        while layer < network.layers[node]:
            layer += 1
            lines.append(f"layer {_quote(network.layer_names[layer])}")
        lines.append(f"{node} = {KIND_NAMES[network.kinds[node]]} {right_sides.visit(node)}")
    lines += [f"layer {_quote(name)}" for name in network.layer_names[layer + 1 :]]
    for output in network.outputs:
        members = [_literal(m) if output.kind == "bits" else str(m) for m in output.members]
        kind = "bits" if output.kind == "bits" else f"integers/{output.width}"
        lines.append(" ".join([f"output {_quote(output.name)} {kind}", *members]))
    return "\n".join(lines) + "\n"


def read(text: str) -> Network:
    """The network that a text form describes.

    >>> text = 'input "a"\\ninput "b"\\n3 = xor 1 2\\noutput "y" bits !3\\n'
    >>> write(read(text)) == text
    True
    """
    network = Network()
    nodes: Nodes = {0: 0}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            _read_line(network, nodes, line)
        except (KeyError, ValueError, IndexError) as wrong:
            raise DbhwError(f"network text must be well-formed in line {number}, not {line!r}") from wrong
    return network


class _Lines(Visitor[str]):
    """What stands right of the equals sign, after the name of the node's kind."""

    def conjunction(self, node: int, literals: Sequence[int]) -> str:
        return " ".join(map(_literal, literals))

    def parity(self, node: int, literals: Sequence[int]) -> str:
        return " ".join(map(_literal, literals))

    def table(self, node: int, table: int, literals: Sequence[int]) -> str:
        return " ".join([hex(table), *map(_literal, literals)])

    def count(self, node: int, linear: Linear) -> str:
        return _terms(linear.constant, linear.coefficients.items())

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> str:
        return _terms(constant, parts)

    def at_least(self, node: int, integer: int, k: int) -> str:
        return f"{integer} {k}"

    def exactly(self, node: int, integer: int, k: int) -> str:
        return f"{integer} {k}"

    def argmax(self, node: int, integers: Sequence[int]) -> str:
        return " ".join(map(str, integers))


def _terms(constant: int, terms: Iterable[tuple[int, int]]) -> str:
    return " ".join([str(constant), *(f"{c}*{n}" for n, c in terms)])


def _read_line(network: Network, nodes: Nodes, line: str) -> None:
    words = re.findall(r'"(?:[^"\\]|\\.)*"|\S+', line)
    if words[0] == "input":
        literal = network.input(_unquote(words[1]))
        nodes[literal >> 1] = literal
    elif words[0] == "layer":
        network.begin_layer(_unquote(words[1]))
    elif words[0] == "output":
        kind, _, width = words[2].partition("/")
        if kind == "bits":
            network.output(_unquote(words[1]), _read_literals(nodes, words[3:]))
        elif kind == "integers":
            network.integer_output(_unquote(words[1]), [nodes[int(word)] for word in words[3:]], int(width))
        else:
            raise ValueError(kind)
    else:
        number, equals, kind = words[:3]
        if equals != "=":
            raise ValueError(line)
        nodes[int(number)] = _MAKE[kind](network, nodes, words[3:])


def _read_literals(nodes: Nodes, words: Iterable[str]) -> list[int]:
    return [nodes[int(word.lstrip("!"))] ^ word.startswith("!") for word in words]


def _read_terms(nodes: Nodes, words: Iterable[str]) -> list[tuple[int, int]]:
    return [(nodes[int(node)], int(c)) for c, node in (word.split("*") for word in words)]


def _read_comparison(kind: int) -> Callable[[Network, Nodes, list[str]], int]:
    return lambda network, nodes, words: network.compare(kind, nodes[int(words[0])], int(words[1]))


# By the name of a kind: how its words become a node.
_MAKE: dict[str, Callable[[Network, Nodes, list[str]], int]] = {
    "and": lambda network, nodes, words: network.and_(_read_literals(nodes, words)),
    "xor": lambda network, nodes, words: network.xor(_read_literals(nodes, words)),
    "lut": lambda network, nodes, words: network.lut(int(words[0], 16), _read_literals(nodes, words[1:])),
    "count": lambda network, nodes, words: network.count(_read_terms(nodes, words[1:]), int(words[0])),
    "sum": lambda network, nodes, words: network.sum_of(_read_terms(nodes, words[1:]), int(words[0])),
    "ge": _read_comparison(GE),
    "eq": _read_comparison(EQ),
    "argmax": lambda network, nodes, words: network.argmax([nodes[int(word)] for word in words]),
}


def _literal(literal: int) -> str:
    return f"{'!' if literal & 1 else ''}{literal >> 1}"


def _quote(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _unquote(word: str) -> str:
    if len(word) < 2 or word[0] != '"' or word[-1] != '"':
        raise ValueError(word)
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], word[1:-1])
