"""Lowering a net to a logic network: its hard meaning, run on network nodes instead of bits."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from dbhw.base import terminal
from dbhw.logic.network import Network
from dbhw.nn.bits import NodeBits
from dbhw.nn.layer import Layer, Shape
from dbhw.nn.net import Net


def lower(net: Net, weights: Sequence[np.ndarray | None] | None, features: Sequence[str]) -> Network:
    """The network of a net with its weights as constants, or, if `weights` is None, as inputs named w1, w2, ….

    Its outputs are `label`, an integer, and the net's own outputs, `bits` or `scores`; or those that have names.

    >>> from dbhw.nn.layers.negation import Negation
    >>> network = lower(Net(1, [Negation(width=2)]), [np.array([[False], [True]])], ["outside"])
    >>> network.outputs[1].members
    (3, 2)
    """
    network, values = lower_layers(net, weights, features)
    add_outputs(net, network, values[-1])
    return network


@terminal.working("lowering the net")
def lower_layers(
    net: Net, weights: Sequence[np.ndarray | None] | None, features: Sequence[str]
) -> tuple[Network, list[Any]]:
    """A network without outputs, and what each layer gives in it: bits, or integer nodes. The inputs come first.

    >>> from dbhw.nn.layers.negation import Negation
    >>> _, values = lower_layers(Net(1, [Negation(width=2)]), [np.array([[False], [True]])], ["outside"])
    >>> [value.array.ravel().tolist() for value in values]
    [[2], [3, 2]]
    """
    network = Network()
    x = NodeBits(np.array([[network.input(name) for name in features]], np.int64), network)
    bound = _weight_inputs(net, x) if weights is None else [None if w is None else x.constant(w) for w in weights]
    values: list[Any] = [x]
    for layer, w, shape in zip(net.layers, bound, net.input_shapes(), strict=True):
        network.begin_layer(describe(layer, shape))
        value = layer.hard(w, values[-1])
        network.end_layer((value if isinstance(value, np.ndarray) else value.array).ravel().tolist())
        values.append(value)
    return network, values


def describe(layer: Layer, inputs: Shape) -> str:
    """One line about a layer, for comments and tables.

    >>> from dbhw.nn.layers.conjunction import Conjunction
    >>> describe(Conjunction(width=32), (24,))
    'conjunction 24 -> 32'
    """
    size = ["x".join(map(str, s)) or "1" for s in (inputs, layer.output_shape(inputs))]
    return f"{layer.name()} {size[0]} -> {size[1]}"


def output_ports(net: Net) -> dict[str, tuple[int, int]]:
    """The outputs of a net's network: how many fields each has, and how many bits a field has.

    >>> from dbhw.nn.layers.negation import Negation
    >>> output_ports(Net(1, [Negation(width=2)]))
    {'label': (1, 1), 'bits': (2, 1)}
    """
    if net.ports:
        return {name: (width, 1) for name, width in net.ports.items()}
    fields = prod(net.output_shape)
    label = (1, max((net.classes - 1).bit_length(), 1))
    if not net.integer_scores:
        return {"label": label, "bits": (fields, 1)}
    most = prod(net.input_shapes()[-1]) // fields
    return {"label": label, "scores": (fields, most.bit_length())}


def _weight_inputs(net: Net, x: NodeBits) -> list[NodeBits | None]:
    made = 0
    bound: list[NodeBits | None] = []
    for shape in net.weight_shapes():
        if shape is None:
            bound.append(None)
            continue
        names = [f"w{made + i + 1}" for i in range(prod(shape))]
        made += len(names)
        literals = np.array([x.network.input(name) for name in names], np.int64)
        bound.append(NodeBits(literals.reshape(1, *shape), x.network))
    return bound


def add_outputs(net: Net, network: Network, value: NodeBits | np.ndarray) -> None:
    """Adds the outputs of a net to its network: the label, and what the last layer gives.

    >>> from dbhw.nn.layers.negation import Negation
    >>> net = Net(1, [Negation(width=2)])
    >>> network, values = lower_layers(net, [np.array([[False], [True]])], ["outside"])
    >>> add_outputs(net, network, values[-1])
    >>> [output.name for output in network.outputs]
    ['label', 'bits']
    """
    if net.ports and not isinstance(value, np.ndarray):
        _named_outputs(net, network, value.array.ravel().tolist())
        return
    network.begin_layer("argmax")
    ports = output_ports(net)
    _, label_width = ports["label"]
    if isinstance(value, np.ndarray):  # integer scores
        counts = value.ravel().tolist()
        network.integer_output("label", [network.argmax(counts)], label_width)
        network.integer_output("scores", counts, ports["scores"][1])
        return
    bits = value.array.ravel().tolist()
    counts = [network.count([(b, 1)]) for b in bits]
    label = counts[0] if len(bits) == 1 else network.argmax(counts)
    network.integer_output("label", [label], label_width)
    network.output("bits", bits)


def _named_outputs(net: Net, network: Network, bits: Sequence[int]) -> None:
    first = 0
    for name, width in net.ports.items():
        network.output(name, bits[first : first + width])
        first += width
