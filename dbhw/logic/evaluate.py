"""Evaluation of a logic network on many examples: on booleans, and on words of 64 examples each.

The two share no code below the node kinds, so that each can check the other.
"""

from collections.abc import Iterable

import numpy as np

from dbhw.logic import planes
from dbhw.logic.network import AND, ARGMAX, COUNT, EQ, GE, LUT, SUM, XOR, Network, Output

_CHUNK = 1 << 14


def on_booleans(network: Network, x: np.ndarray) -> dict[str, np.ndarray]:
    """The outputs for booleans (examples, inputs): booleans or integers (examples, members) by output name.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> n.output("both", [n.and_([a, b])])
    >>> on_booleans(n, np.array([[1, 0], [1, 1]], bool))["both"].tolist()
    [[False], [True]]
    """
    parts = [_boolean_chunk(network, x[i : i + _CHUNK]) for i in range(0, len(x), _CHUNK)] or [
        _boolean_chunk(network, x)
    ]
    return {o.name: np.concatenate([p[o.name] for p in parts]) for o in network.outputs}


def _boolean_chunk(network: Network, x: np.ndarray) -> dict[str, np.ndarray]:
    values: list[np.ndarray] = [np.zeros(len(x), bool)]
    values += [x[:, i] for i in range(x.shape[1])]

    def bit(literal: int) -> np.ndarray:
        return ~values[literal >> 1] if literal & 1 else values[literal >> 1]

    for node in range(len(values), len(network)):
        kind, fanin, k = network.kinds[node], network.fanin(node), network.parameters[node]
        if kind == AND:
            value = np.logical_and.reduce([bit(f) for f in fanin])
        elif kind == XOR:
            value = np.logical_xor.reduce([bit(f) for f in fanin])
        elif kind == LUT:
            index = sum(bit(f).astype(np.int64) << j for j, f in enumerate(fanin))
            rows = [network.table(node) >> i & 1 for i in range(1 << len(fanin))]
            value = np.array(rows, bool)[index]
        elif kind == COUNT:
            value = np.full(len(x), k, np.int64)
            for source, coefficient in network.linear(node).coefficients.items():
                value += coefficient * values[source].astype(np.int64)
        elif kind == SUM:
            value = np.full(len(x), k, np.int64)
            for part, coefficient in network.parts(node):
                value += coefficient * values[part]
        elif kind == GE:
            value = values[fanin[0]] >= k
        elif kind == EQ:
            value = values[fanin[0]] == k
        else:
            value = np.argmax(np.stack([values[f] for f in fanin]), axis=0)
        values.append(value)

    def member(output: Output, m: int) -> np.ndarray:
        return bit(m) if output.kind == "bits" else values[m]

    return {o.name: np.stack([member(o, m) for m in o.members], axis=1) for o in network.outputs}


def on_words(network: Network, x: np.ndarray, nodes: Iterable[int] | None = None) -> dict[str, np.ndarray]:
    """The same as `on_booleans`, computed on packed words; `nodes`, in order, are those the outputs depend on.

    >>> n = Network(); a, b, c = (n.input(v) for v in "abc")
    >>> n.output("most", [n.at_least([(a, 1), (b, 1), (c, 1)], 2)])
    >>> on_words(n, np.array([[1, 0, 1], [0, 1, 0]], bool))["most"].tolist()
    [[True], [False]]
    """
    examples = len(x)
    words = planes.pack(x)
    nothing = np.zeros(len(words), np.uint64)
    bits: dict[int, np.ndarray] = {0: nothing}
    sums: dict[int, planes.Planes] = {}
    for i, node in enumerate(network.inputs()):
        bits[node] = words[:, i]

    def bit(literal: int) -> np.ndarray:
        return ~bits[literal >> 1] if literal & 1 else bits[literal >> 1]

    for node in range(1 + len(network.input_names), len(network)) if nodes is None else nodes:
        kind, fanin, k = network.kinds[node], network.fanin(node), network.parameters[node]
        if kind == AND:
            bits[node] = np.bitwise_and.reduce([bit(f) for f in fanin])
        elif kind == XOR:
            bits[node] = np.bitwise_xor.reduce([bit(f) for f in fanin])
        elif kind == LUT:
            bits[node] = _look_up(network.table(node), [bit(f) for f in fanin])
        elif kind == COUNT:
            linear = network.linear(node)
            terms = [(bit(n * 2 ^ (c < 0)), abs(c)) for n, c in linear.coefficients.items()]
            sums[node] = planes.total([t[0] for t in terms], [t[1] for t in terms]) if terms else [nothing]
        elif kind == SUM:
            low, high = network.bounds(node)
            parts = [(sums[part], c, network.bounds(part)[0]) for part, c in network.parts(node)]
            constant = k - low + sum(c * least for _, c, least in parts)
            width = max((high - low).bit_length(), 1)
            sums[node] = planes.modular([(part, c) for part, c, _ in parts], constant, width)
        elif kind in (GE, EQ):
            shifted = k - network.bounds(fanin[0])[0]
            bits[node] = (planes.at_least if kind == GE else planes.equal)(sums[fanin[0]], shifted)

    def integers(node: int) -> np.ndarray:
        if network.kinds[node] == ARGMAX:
            return np.argmax(np.stack([integers(f) for f in network.fanin(node)]), axis=0)
        return planes.integers(sums[node], examples) + network.bounds(node)[0]

    def member(output: Output, m: int) -> np.ndarray:
        return planes.unpack(bit(m), examples) if output.kind == "bits" else integers(m)

    return {o.name: np.stack([member(o, m) for m in o.members], axis=1) for o in network.outputs}


def _look_up(table: int, inputs: list[np.ndarray]) -> np.ndarray:
    # Shannon expansion on the last input: the upper half of the table where it is high.
    if not inputs:
        raise AssertionError("a look-up table has at least one input")
    half = 1 << (len(inputs) - 1)
    low, high = table & (1 << half) - 1, table >> half
    if len(inputs) == 1:
        zero = np.zeros_like(inputs[0])
        return (inputs[0] & (~zero if high else zero)) | (~inputs[0] & (~zero if low else zero))
    return (inputs[-1] & _look_up(high, inputs[:-1])) | (~inputs[-1] & _look_up(low, inputs[:-1]))
