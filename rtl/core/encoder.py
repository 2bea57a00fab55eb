"""What the nodes of an encoder say about the integers at the ports, in the user's terms: `petal_length >= 2.45`.

It is found out from the nodes themselves, whatever passes made of the encoder: a node that reads one port only is
evaluated on all integers of that port.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dbhw.logic.linear import Linear
from dbhw.logic.network import Network
from dbhw.logic.visit import Visitor
from dbhw.rtl.core.wires import InputPort

_WIDEST = 16  # bits of a port whose integers are all tried
_LAYER = "encode"


def conditions(network: Network, inputs: Sequence[InputPort]) -> dict[int, str]:
    """What each node of the encoder says that can be said in few words.

    >>> n = Network(); a, b = n.input("a[0]"), n.input("a[1]"); n.begin_layer("encode 2 -> 1")
    >>> n.output("y", [n.and_([a, b])])
    >>> conditions(n, [InputPort("a", 2, shown=lambda integer: f"{integer / 10} cm")])
    {3: 'a >= 0.3 cm'}
    """
    if not any(layer.split(" ")[0] == _LAYER for layer in network.layer_names):
        return {}
    found = {node: _said(inputs[port], values) for node, (port, values) in _Values(network, inputs).known.items()}
    return {node: said for node, said in found.items() if said}


class _Values(Visitor[np.ndarray | None]):
    """The values of the encoder's nodes that read one port only, for every pattern of its bits."""

    def __init__(self, network: Network, inputs: Sequence[InputPort]) -> None:
        super().__init__(network)
        self.ports: dict[int, int] = {}
        self.values: dict[int, np.ndarray] = {}
        nodes = iter(network.inputs())
        for number, port in enumerate(inputs):
            for j in range(port.width):
                node = next(nodes)
                if port.width <= _WIDEST:
                    self.ports[node] = number
                    self.values[node] = np.arange(1 << port.width) >> j & 1 == 1
        self.known: dict[int, tuple[int, np.ndarray]] = {}
        for node in network.nodes():
            if network.layer_names[network.layers[node]].split(" ")[0] == _LAYER:
                self._add(node)

    def _add(self, node: int) -> None:
        ports = {self.ports.get(source) for source in self.network.sources(node)}
        if len(ports) != 1 or None in ports:
            return
        values = self.visit(node)
        if values is not None:
            (port,) = ports
            assert port is not None
            self.ports[node], self.values[node], self.known[node] = port, values, (port, values)

    def _bit(self, literal: int) -> np.ndarray:
        return ~self.values[literal >> 1] if literal & 1 else self.values[literal >> 1]

    def conjunction(self, node: int, literals: Sequence[int]) -> np.ndarray:
        return np.logical_and.reduce([self._bit(f) for f in literals])

    def table(self, node: int, table: int, literals: Sequence[int]) -> np.ndarray:
        rows = np.array([table >> i & 1 for i in range(1 << len(literals))], bool)
        return rows[sum(self._bit(f).astype(np.int64) << j for j, f in enumerate(literals))]

    # Few words do not say what these are, and encoders have none of them.

    def parity(self, node: int, literals: Sequence[int]) -> None:
        return None

    def count(self, node: int, linear: Linear) -> None:
        return None

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> None:
        return None

    def at_least(self, node: int, integer: int, k: int) -> None:
        return None

    def exactly(self, node: int, integer: int, k: int) -> None:
        return None

    def argmax(self, node: int, integers: Sequence[int]) -> None:
        return None


def _said(port: InputPort, values: np.ndarray) -> str:
    """What is said of a port by values for all patterns of its bits; nothing if it is not simple."""
    if port.signed:
        values = np.roll(values, len(values) // 2)
    lowest = -(len(values) // 2) if port.signed else 0
    if said := _compared(port.name, values, lowest, port.shown, port.is_category):
        return said
    for width in range(1, port.width):
        rows = values.reshape(-1, 1 << width)
        if (rows == rows[0]).all():
            return _compared(f"{port.name}[{width - 1}:0]", rows[0], 0, str, False)
    return ""


def _compared(name: str, values: np.ndarray, lowest: int, shown: Callable[[int], str], is_category: bool) -> str:
    steps = np.flatnonzero(values[1:] != values[:-1]) + 1
    if len(steps) == 1 and not is_category:
        return f"{name} {'>=' if values[-1] else '<'} {shown(int(steps[0]) + lowest)}"
    for sign, single in (("==", np.flatnonzero(values)), ("!=", np.flatnonzero(~values))):
        if len(single) == 1:
            return f"{name} {sign} {shown(int(single[0]) + lowest)}"
    return ""
