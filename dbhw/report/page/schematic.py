"""A small circuit drawn with gates and wires, from left to right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dbhw.report.page.gates import Circuit, Gate
from dbhw.report.page.html import Html, drawing, tag, write
from dbhw.report.page.levels import Item, arrange, levels

MOST_GATES = 40
MOST_PINS = 160
_PIN, _WIDE, _TRACK = 15.0, 46.0, 7.0
_LETTER = 6.7
_LONGEST = 30


def fits(circuit: Circuit) -> bool:
    """Whether a circuit is small enough to be read as a drawing.

    >>> fits(Circuit({}, {}, []))
    True
    """
    pins = sum(len(gate.pins) for gate in circuit.gates.values())
    return len(circuit.gates) <= MOST_GATES and pins <= MOST_PINS


def draw(circuit: Circuit, title: str) -> Html:
    """The circuit as a picture.

    >>> from dbhw.report.page.gates import Pin
    >>> gate = Gate("xor", "", (Pin(1), Pin(2)))
    >>> draw(Circuit({1: "a", 2: "b"}, {3: gate}, [("odd", Pin(3))]), "parity").count('class="gate"')
    1
    """
    return _Drawing(circuit).picture(title)


@dataclass
class _Wire:
    """From an item to the pins in the next column that read it: their heights, and where a bubble stands."""

    source: Item
    ends: list[float] = field(default_factory=list)


class _Drawing:
    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.outputs = {-2 - i: pin for i, (_, pin) in enumerate(circuit.outputs)}  # numbers that no gate has
        self.pins = {
            **{n: gate.pins for n, gate in circuit.gates.items()},
            **{n: (p,) for n, p in self.outputs.items()},
        }
        self.columns = self._columns()
        self.height = arrange(self.columns)
        self.lefts, self.width = self._lefts()

    def _columns(self) -> list[list[Item]]:
        sources = {node: [pin.source for pin in pins] for node, pins in self.pins.items()}
        level = levels(sources, list(self.circuit.inputs))
        last = max(level.values(), default=0)
        level.update(dict.fromkeys(self.outputs, last))
        columns: list[list[Item]] = [[] for _ in range(last + 1)]
        placed: dict[tuple[int, int], Item] = {}
        for node in sorted(level, key=lambda n: level[n]):
            item = Item(node, self._height(node), [])
            for source in sources.get(node, []):
                item.sources.append(self._passed(source, level, level[node] - 1, columns, placed))
            columns[level[node]].append(item)
            placed[node, level[node]] = item
        return columns

    def _passed(
        self,
        source: int,
        level: dict[int, int],
        at: int,
        columns: list[list[Item]],
        placed: dict[tuple[int, int], Item],
    ) -> Item:
        """The item of a source in a column: itself, or its wire that passes there."""
        if (source, at) not in placed:
            before = self._passed(source, level, at - 1, columns, placed)
            placed[source, at] = Item(("wire", source), 4, [before])
            columns[at].append(placed[source, at])
        return placed[source, at]

    def _height(self, node: int) -> float:
        return max(_PIN * len(self.pins[node]) + 6, 26) if node in self.circuit.gates else 16

    def _lefts(self) -> tuple[list[float], float]:
        """Where each column begins; the space before it is for its wires."""
        names = [_cut(name) for name in self.circuit.inputs.values()]
        found, x = [0.0], max((len(name) for name in names), default=1) * _LETTER + 12
        for before, column in zip(self.columns, self.columns[1:], strict=False):
            x += 26 + _TRACK * len(before)
            found.append(x)
            x += max([self._wide(item) for item in column], default=_WIDE)
        return found, x + 4

    def _wide(self, item: Item) -> float:
        if isinstance(item.key, int) and item.key in self.outputs:
            return 8 + _LETTER * 1.05 * len(_cut(self.circuit.outputs[-2 - item.key][0]))
        gate = self.circuit.gates.get(item.key) if isinstance(item.key, int) else None
        return self._gate_width(gate) if gate else _WIDE

    def _gate_width(self, gate: Gate) -> float:
        words = max((len(pin.word) for pin in gate.pins), default=0)
        return max(_WIDE, 14 + _LETTER * (len(gate.label) + min(words, _LONGEST))) if gate.shape == "box" else _WIDE

    def picture(self, title: str) -> Html:
        parts = [
            *self._wires(),
            *(self._symbol(i, x) for x, c in zip(self.lefts, self.columns, strict=True) for i in c),
        ]
        gates, inputs = len(self.circuit.gates), len(self.circuit.inputs)
        words = f"{gates} gate{'s' * (gates != 1)} in {max(len(self.columns) - 2, 0)} levels, from {inputs} inputs"
        return drawing(round(self.width), round(self.height), title, words, *parts)

    def _end(self, item: Item, left: float) -> float:
        """Where the wire of an item begins: at its right side."""
        if left == 0.0:
            names = [_cut(name) for name in self.circuit.inputs.values()]
            return max((len(name) for name in names), default=1) * _LETTER + 8
        gate = self.circuit.gates.get(item.key) if isinstance(item.key, int) else None
        return left + (self._gate_width(gate) if gate else 0.0)

    def _wires(self) -> Iterator[Html]:
        for number, column in enumerate(self.columns[1:], 1):
            left, before = self.lefts[number], self.lefts[number - 1]
            wires = {id(item): _Wire(item) for item in self.columns[number - 1]}
            for item in column:
                for source, y in zip(item.sources, self._pin_heights(item), strict=True):
                    wires[id(source)].ends.append(y)
            used = sorted((w for w in wires.values() if w.ends), key=lambda w: w.source.y)
            widest = max([before, *(self._end(item, before) for item in self.columns[number - 1])])
            for track, wire in enumerate(used):
                x = widest + 12 + _TRACK * (track if self._rises(wire) else len(used) - 1 - track)
                yield from self._wire(wire, self._end(wire.source, before), x, left)

    @staticmethod
    def _rises(wire: _Wire) -> bool:
        return sum(wire.ends) / len(wire.ends) < wire.source.y

    def _wire(self, wire: _Wire, start: float, x: float, left: float) -> Iterator[Html]:
        y = wire.source.y
        straight = all(abs(end - y) < 0.5 for end in wire.ends)
        path = f"M{start:.1f} {y:.1f}H{left if straight else x:.1f}"
        if not straight:
            path += f"M{x:.1f} {min([y, *wire.ends]):.1f}V{max([y, *wire.ends]):.1f}"
            path += "".join(f"M{x:.1f} {end:.1f}H{left:.1f}" for end in wire.ends)
        yield tag("path", d=path, class_="wire")
        joints = sorted({y, *wire.ends})
        for end in joints[1:-1] if len(joints) > 2 else []:
            yield tag("circle", cx=f"{x:.1f}", cy=f"{end:.1f}", r=2.2, class_="dot")

    def _pin_heights(self, item: Item) -> list[float]:
        first = item.y - _PIN * (len(item.sources) - 1) / 2
        return [first + _PIN * i for i in range(len(item.sources))]

    def _symbol(self, item: Item, left: float) -> list[Html]:
        node = item.key
        if not isinstance(node, int):  # a wire that passes
            width = max(self._wide(other) for other in next(c for c in self.columns if item in c))
            return [tag("path", d=f"M{left:.1f} {item.y:.1f}h{width:.1f}", class_="wire")]
        if node in self.circuit.inputs:
            text = write(self._end(item, 0.0) - 4, item.y + 4, _cut(self.circuit.inputs[node]), "mono", "end")
            return [text]
        bubbles = [
            tag("circle", cx=f"{left - 3.5:.1f}", cy=f"{y:.1f}", r=3.5, class_="bubble")
            for pin, y in zip(self.pins[node], self._pin_heights(item), strict=True)
            if pin.inverted
        ]
        if node in self.outputs:
            name = self.circuit.outputs[-2 - node][0]
            return [write(left + 6, item.y + 4, _cut(name), "strong"), *bubbles]
        return [*self._gate(item, self.circuit.gates[node], left), *bubbles]

    def _gate(self, item: Item, gate: Gate, left: float) -> Iterator[Html]:
        top, height, wide = item.y - item.height / 2, item.height, self._gate_width(gate)
        note = tag("title", gate.note) if gate.note else None
        yield tag("path", note, d=_outline(gate.shape, left, top, wide, height), class_="gate")
        if gate.shape == "xor":
            yield tag("path", d=f"M{left - 5:.1f} {top:.1f}q9 {height / 2:.1f} 0 {height:.1f}", class_="wire")
        if gate.shape == "box":
            yield write(left + wide - 7, item.y + 4, gate.label, "mono", "end")
        for pin, y in zip(gate.pins, self._pin_heights(item), strict=True):
            if pin.word:
                yield write(left + 5, y + 4, _cut(pin.word), "mono faint")


def _outline(shape: str, x: float, y: float, wide: float, high: float) -> str:
    if shape == "and":
        straight = wide * 0.45
        return (
            f"M{x:.1f} {y:.1f}h{straight:.1f}a{wide - straight:.1f} {high / 2:.1f} 0 0 1 0 {high:.1f}h{-straight:.1f}z"
        )
    if shape in ("or", "xor"):
        return (
            f"M{x:.1f} {y:.1f}q{wide * 0.65:.1f} 0 {wide:.1f} {high / 2:.1f}"
            f"q{-wide * 0.35:.1f} {high / 2:.1f} {-wide:.1f} {high / 2:.1f}q9 {-high / 2:.1f} 0 {-high:.1f}z"
        )
    return f"M{x:.1f} {y:.1f}h{wide:.1f}v{high:.1f}h{-wide:.1f}z"


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
