"""The gates of a small network as they are drawn: inversions become bubbles, and sums belong to what compares them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dbhw.logic.linear import Linear
from dbhw.logic.network import AND, COMPARISONS, COUNT, Network
from dbhw.logic.visit import Visitor

_SHORT = 4  # digits of a table that are written into its box
ARGMAX_NODE = -1  # the gate that chooses the class; it is no node where the net itself ends with scores


@dataclass(frozen=True)
class Pin:
    """What a gate reads: a source, whether it is inverted on the way, and a word beside the pin."""

    source: int
    inverted: bool = False
    word: str = ""


@dataclass(frozen=True)
class Gate:
    """A symbol: `shape` is and, or, xor or box, `label` is written into a box, and `note` shows under the pointer."""

    shape: str
    label: str
    pins: tuple[Pin, ...]
    note: str = ""


@dataclass(frozen=True)
class Circuit:
    """Inputs by number with their names, gates by number, and outputs with what they show."""

    inputs: dict[int, str]
    gates: dict[int, Gate]
    outputs: list[tuple[str, Pin]]


def circuit(network: Network, classes: Sequence[str], names: Sequence[str]) -> Circuit:
    """The gates that decide the class; `names` are those of the network's inputs.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("bits", [n.or_([a, b]), n.xor([a, b])])
    >>> found = circuit(n, ["either", "one"], ["a", "b"])
    >>> [gate.shape for gate in found.gates.values()], found.outputs[0]
    (['or', 'xor'], ('either', Pin(source=3, inverted=False, word='')))
    """
    output = network.outputs[-1]
    seen = network.with_outputs([output])
    needed = set(seen.needed())
    maker = _Maker(network, _only_inverted(network, sorted(needed), output.members if output.kind == "bits" else ()))
    # A sum that is only compared is a part of the gate that compares it.
    compared = {node for node in needed if network.kinds[node] == COUNT} - _read_otherwise(network, needed)
    shown = compared - (set(output.members) if output.kind == "integers" else set())
    gates = {node: maker.visit(node) for node in sorted(needed - shown)}
    if output.kind == "integers":
        pins = tuple(Pin(node, word=name) for node, name in zip(output.members, classes, strict=True))
        gates[ARGMAX_NODE] = Gate("box", "argmax", pins)
        outputs = [("class", Pin(ARGMAX_NODE))]
    else:
        said = classes[1:] if len(output.members) == 1 else classes
        outputs = [(name, maker.pin(literal)) for name, literal in zip(said, output.members, strict=True)]
    read = {pin.source for gate in gates.values() for pin in gate.pins} | {pin.source for _, pin in outputs}
    inputs = {node: names[node - 1] for node in network.inputs() if node in read}
    return Circuit({**({0: "0"} if 0 in read else {}), **inputs}, gates, outputs)


def _read_otherwise(network: Network, needed: set[int]) -> set[int]:
    """Sources that something else than a comparison reads."""
    return {s for node in needed if network.kinds[node] not in COMPARISONS for s in network.sources(node)}


def _only_inverted(network: Network, nodes: Sequence[int], outputs: Sequence[int]) -> set[int]:
    """The conjunctions that are never read as they are: they are drawn as disjunctions."""
    literals = [*outputs]
    for node in nodes:
        if network.kinds[node] == COUNT:
            # A negative coefficient stays one: it is written beside the pin.
            literals += [2 * source for source in network.linear(node).coefficients]
        elif network.kinds[node] not in COMPARISONS:
            literals += network.fanin(node)
    plain = {literal >> 1 for literal in literals if not literal & 1}
    return {node for node in nodes if network.kinds[node] == AND and node not in plain}


class _Maker(Visitor[Gate]):
    def __init__(self, network: Network, disjunctions: set[int]) -> None:
        super().__init__(network)
        self.disjunctions = disjunctions

    def pin(self, literal: int, word: str = "") -> Pin:
        node = literal >> 1
        return Pin(node, bool(literal & 1) != (node in self.disjunctions), word)

    def conjunction(self, node: int, literals: Sequence[int]) -> Gate:
        other = node in self.disjunctions
        return Gate("or" if other else "and", "", tuple(self.pin(f ^ other) for f in literals))

    def parity(self, node: int, literals: Sequence[int]) -> Gate:
        return Gate("xor", "", tuple(self.pin(f) for f in literals))

    def table(self, node: int, table: int, literals: Sequence[int]) -> Gate:
        digits = max((1 << len(literals)) // 4, 1)
        hexadecimal = f"{table:0{digits}x}"
        label = f"LUT {hexadecimal}" if digits <= _SHORT else f"LUT{len(literals)}"
        return Gate("box", label, tuple(self.pin(f) for f in literals), f"table {hexadecimal}, upper pin = lowest bit")

    def count(self, node: int, linear: Linear) -> Gate:
        sign = f" {linear.constant:+d}" if linear.constant else ""
        return Gate("box", f"Σ{sign}", self._weighted(linear))

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> Gate:
        return self.count(node, self.network.linear(node))

    def at_least(self, node: int, integer: int, k: int) -> Gate:
        return self._compared(integer, "≥", k)

    def exactly(self, node: int, integer: int, k: int) -> Gate:
        return self._compared(integer, "=", k)

    def _compared(self, integer: int, sign: str, k: int) -> Gate:
        linear = self.network.linear(integer)
        return Gate("box", f"Σ {sign} {k - linear.constant}", self._weighted(linear))

    def _weighted(self, linear: Linear) -> tuple[Pin, ...]:
        weights = linear.coefficients.items()
        return tuple(self.pin(2 * node, "" if c == 1 else f"{c:+d}") for node, c in weights)

    def argmax(self, node: int, integers: Sequence[int]) -> Gate:
        return Gate("box", "argmax", tuple(Pin(i) for i in integers))
