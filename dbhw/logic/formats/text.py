"""The short text form of a logic network, which reads back: for golden tests, for eyes and for bug reports."""

from __future__ import annotations

import re

from dbhw.base.errors import DbhwError
from dbhw.logic.network import AND, ARGMAX, COUNT, EQ, GE, INPUT, KIND_NAMES, LUT, SUM, XOR, Network


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
    layer = 0
    for node in range(1 + len(network.input_names), len(network)):
        while layer < network.layers[node]:
            layer += 1
            lines.append(f"layer {_quote(network.layer_names[layer])}")
        lines.append(f"{node} = {_node_text(network, node)}")
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
    nodes = {0: 0}  # The number a line gives, and the literal or integer node it became.
    for number, line in enumerate(text.splitlines(), 1):
        try:
            _read_line(network, nodes, line)
        except (KeyError, ValueError, IndexError) as wrong:
            raise DbhwError(f"network text must be well-formed in line {number}, not {line!r}") from wrong
    return network


def _node_text(network: Network, node: int) -> str:
    kind = network.kinds[node]
    name, fanin = KIND_NAMES[kind], network.fanin(node)
    if kind in (AND, XOR):
        return " ".join([name, *map(_literal, fanin)])
    if kind == LUT:
        return " ".join([name, hex(network.table(node)), *map(_literal, fanin)])
    if kind == COUNT:
        linear = network.linear(node)
        return " ".join([name, str(linear.constant), *(f"{c}*{n}" for n, c in linear.coefficients.items())])
    if kind == SUM:
        return " ".join([name, str(network.parameters[node]), *(f"{c}*{n}" for n, c in network.parts(node))])
    if kind in (GE, EQ):
        return f"{name} {fanin[0]} {network.parameters[node]}"
    return " ".join([name, *map(str, fanin)])


def _read_line(network: Network, nodes: dict[int, int], line: str) -> None:
    words = re.findall(r'"(?:[^"\\]|\\.)*"|\S+', line)
    if words[0] == "input":
        literal = network.input(_unquote(words[1]))
        nodes[literal >> 1] = literal
    elif words[0] == "layer":
        network.begin_layer(_unquote(words[1]))
    elif words[0] == "output":
        kind, _, width = words[2].partition("/")
        if kind == "bits":
            network.output(_unquote(words[1]), [_read_literal(nodes, w) for w in words[3:]])
        elif kind == "integers":
            network.integer_output(_unquote(words[1]), [_read_integer(nodes, w) for w in words[3:]], int(width))
        else:
            raise ValueError(kind)
    else:
        number, equals, kind = words[:3]
        if equals != "=":
            raise ValueError(line)
        nodes[int(number)] = _read_node(network, nodes, KIND_NAMES.index(kind), words[3:])


def _read_node(network: Network, nodes: dict[int, int], kind: int, words: list[str]) -> int:
    if kind == AND:
        return network.and_([_read_literal(nodes, w) for w in words])
    if kind == XOR:
        return network.xor([_read_literal(nodes, w) for w in words])
    if kind == LUT:
        return network.lut(int(words[0], 16), [_read_literal(nodes, w) for w in words[1:]])
    if kind == COUNT:
        terms = [w.split("*") for w in words[1:]]
        return network.count([(nodes[int(n)], int(c)) for c, n in terms], int(words[0]))
    if kind == SUM:
        terms = [w.split("*") for w in words[1:]]
        return network.sum_of([(_read_integer(nodes, n), int(c)) for c, n in terms], int(words[0]))
    if kind in (GE, EQ):
        return network.compare(kind, _read_integer(nodes, words[0]), int(words[1]))
    if kind == ARGMAX:
        return network.argmax([_read_integer(nodes, w) for w in words])
    raise ValueError(KIND_NAMES[INPUT])


def _read_literal(nodes: dict[int, int], word: str) -> int:
    return nodes[int(word.lstrip("!"))] ^ word.startswith("!")


def _read_integer(nodes: dict[int, int], word: str) -> int:
    return nodes[int(word)]


def _literal(literal: int) -> str:
    return f"{'!' if literal & 1 else ''}{literal >> 1}"


def _quote(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _unquote(word: str) -> str:
    if len(word) < 2 or word[0] != '"' or word[-1] != '"':
        raise ValueError(word)
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], word[1:-1])
