"""What every layer and encoder means, as formulas: a second statement, independent of the layers' own code.

A layer is plain data, as the model file has it. Bits are nested lists of literals of `Formulas`, weights too: true and
false where they are constants. A layer of another package brings its meaning in its own file, as a function `meaning`
of the same four arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dbhw.nn import encoders as encoder_plugins
from dbhw.nn import layers as layer_plugins
from dbhw.prove.meanings.formulas import Formulas, Sum

Bits = list[Any]  # literals, or lists of them
Layer = Mapping[str, Any]
Meaning = Callable[[Formulas, Layer, Any, Bits], Bits]


class NoMeaningError(Exception):
    """A layer or an encoder has no statement of its meaning."""


def of_layer(f: Formulas, layer: Layer, weights: Any, x: Bits) -> Bits:
    """What a layer makes of bits.

    >>> f = Formulas(); a, b = f.input(), f.input()
    >>> of_layer(f, {"layer": "conjunction"}, [[1, 1], [0, 1]], [a, b]) == [f.and_([a, b]), b]
    True
    """
    name = layer["layer"]
    meaning = LAYERS.get(name) or getattr(layer_plugins.PLUGINS.module(name), "meaning", None)
    if meaning is None:
        raise NoMeaningError(f"layer {name} has no meaning as a formula: its file must define meaning")
    found: Bits = meaning(f, layer, weights, x)
    return found


def of_encoder(f: Formulas, encoder: Layer, own: Sequence[int]) -> list[int]:
    """What an encoder makes of the bits of an integer, the lowest first.

    >>> f = Formulas(); a, b = f.input(), f.input()
    >>> of_encoder(f, {"encoder": "thermometer", "signed": False, "thresholds": [2, 3]}, [a, b]) == [b, f.and_([a, b])]
    True
    """
    name = encoder["encoder"]
    meaning = ENCODERS.get(name) or getattr(encoder_plugins.PLUGINS.module(name), "meaning", None)
    if meaning is None:
        raise NoMeaningError(f"encoder {name} has no meaning as a formula: its file must define meaning")
    top = -1 if encoder["signed"] else 1
    weighed = [(bit, (top if j == len(own) - 1 else 1) << j) for j, bit in enumerate(own)]
    found: list[int] = meaning(f, encoder, list(own), Sum.of(weighed))
    return found


def flat(x: Any) -> list[Any]:
    """All that nested lists hold, in order.

    >>> flat([[1, 2], [3]])
    [1, 2, 3]
    """
    return [bit for part in x for bit in flat(part)] if isinstance(x, list) else [x]


def each_bit(function: Callable[[int], Any], x: Any) -> Any:
    """What a function makes of every bit, in lists of the same shape.

    >>> each_bit(lambda bit: bit ^ 1, [[2, 4], [6, 8]])
    [[3, 5], [7, 9]]
    """
    return [each_bit(function, part) for part in x] if isinstance(x, list) else function(x)


def _last_axis(function: Callable[[list[int]], Any], x: Bits) -> Any:
    return [_last_axis(function, row) for row in x] if isinstance(x[0], list) else function(x)


def _rows(function: Callable[[Formulas, list[tuple[int, int]]], Any]) -> Meaning:
    """For each row of weights what a function makes of the pairs of a weight and a bit."""
    return lambda f, layer, w, x: [function(f, list(zip(row, x, strict=True))) for row in w]


def _reshaped(shape: Sequence[int], x: Bits) -> Bits:
    size = len(x) // shape[0]
    return x if len(shape) == 1 else [_reshaped(shape[1:], x[i * size : (i + 1) * size]) for i in range(shape[0])]


def _buckets(layer: Layer, x: Bits) -> list[list[int]]:
    return _reshaped([layer["buckets"], -1], flat(x))


def _squares(layer: Layer, x: Bits) -> list[Bits]:
    """The pixels of each square of a picture, row by row."""
    size, stride, across = layer["size"], layer["stride"], layer["columns"]
    corners = [(r, c) for r in range(0, layer["rows"] - size + 1, stride) for c in range(0, across - size + 1, stride)]
    return [[x[(r + i) * across + c + j] for i in range(size) for j in range(size)] for r, c in corners]


def _looked_up(f: Formulas, layer: Layer, w: Any, x: Bits) -> Bits:
    n = layer["fan_in"]
    return [f.choose(x[i * n : (i + 1) * n], row) for i, row in enumerate(w)]


def _wired(f: Formulas, layer: Layer, w: Any, x: Bits) -> Bits:
    """Tables of what the layer reads and of the tables before them."""
    n, values = layer["fan_in"], list(x)
    for i, row in enumerate(w):
        values.append(f.choose([values[place] for place in layer["reads"][i * n : (i + 1) * n]], row))
    return [values[place] for place in layer["shows"]]


def _enough(f: Formulas, layer: Layer, w: Any, x: Bits) -> Any:
    """At least as many as all less the high weights."""
    if isinstance(x[0], list):
        return [_enough(f, layer, *both) for both in zip(w, x, strict=True)]
    return f.reaches(Sum.of([(bit, 1) for bit in [*x, *w]]), len(x))


def _first_that_fires(f: Formulas, layer: Layer, w: Any, x: Bits) -> Bits:
    found = []
    for *answers, answer in w:
        for bit, own in zip(reversed(x), reversed(answers), strict=True):
            answer = f.choose([bit], [answer, own])
        found.append(answer)
    return found


def _encoded(f: Formulas, layer: Layer, w: None, x: Bits) -> Bits:
    found, place = [], 0
    for encoder in (e for e in layer["encoders"] for _ in range(e.get("times", 1))):
        found += of_encoder(f, encoder, x[place : place + encoder["width"]])
        place += encoder["width"]
    return found


def _connected(f: Formulas, layer: Layer, w: Any, x: Bits) -> Bits:
    found, own = [], len(w[0])
    for place, row in enumerate(w):
        first = place // (len(w) * own // len(x)) * own  # of the run of inputs that this row chooses from
        found.append(f.or_([f.and_([a, b]) for a, b in zip(row, x[first : first + own], strict=True)]))
    return found


def _beside(f: Formulas, layer: Layer, w: Any, x: Bits) -> Bits:
    return [*flat(of_layer(f, layer["of"], w, x[: layer["bits"]])), *x[layer["bits"] :]]


def _majority(f: Formulas, layer: Layer, w: None, x: Bits) -> Any:
    return _last_axis(lambda v: f.reaches(Sum.of([(bit, 2) for bit in v]), len(v) + 1), x)


def _same(f: Formulas, layer: Layer, w: Any, x: Bits) -> Bits:
    return x


LAYERS: dict[str, Meaning] = {
    "wires": lambda f, layer, w, x: [x[place] for place in layer["places"]],
    "encode": _encoded,
    "negation": _rows(lambda f, pairs: [f.equal(a, b) for a, b in pairs]),
    "mask_true": _rows(lambda f, pairs: [f.or_([a ^ 1, b]) for a, b in pairs]),
    "mask_false": _rows(lambda f, pairs: [f.and_([a, b]) for a, b in pairs]),
    "conjunction": _rows(lambda f, pairs: f.and_([f.or_([a ^ 1, b]) for a, b in pairs])),
    "disjunction": _rows(lambda f, pairs: f.or_([f.and_([a, b]) for a, b in pairs])),
    "connect": _connected,
    "parity": _rows(lambda f, pairs: f.xor([f.and_([a, b]) for a, b in pairs])),
    "majority": _majority,
    "vote": _majority,
    "lookup": _looked_up,
    "netlist": _wired,
    "threshold": _enough,
    "decision_list": _first_that_fires,
    "shift": _same,
    "warp": _same,
    "dropout": _same,
    "harden": _same,
    "reshape": lambda f, layer, w, x: _reshaped(layer["shape"], flat(x)),
    "patches": lambda f, layer, w, x: flat(_squares(layer, x)),
    "convolution": lambda f, layer, w, x: [of_layer(f, layer["of"], w, flat(square)) for square in _squares(layer, x)],
    "skip": lambda f, layer, w, x: flat(of_layer(f, layer["of"], w, x)) + flat(x),
    "beside": _beside,
    "count": lambda f, layer, w, x: _last_axis(lambda v: f.exactly(v, layer["k"]), x),
    "count_hot": lambda f, layer, w, x: _last_axis(
        lambda v: [f.exactly([bit ^ 1 for bit in v], lows) for lows in range(len(v) + 1)], x
    ),
    "with_negation": lambda f, layer, w, x: _last_axis(lambda v: v + [bit ^ 1 for bit in v], x),
    "bucket_any": lambda f, layer, w, x: [f.or_(bucket) for bucket in _buckets(layer, x)],
    "bucket_sum": lambda f, layer, w, x: [Sum.of([(bit, 1) for bit in bucket]) for bucket in _buckets(layer, x)],
}

ENCODERS: dict[str, Callable[[Formulas, Layer, list[int], Sum], list[int]]] = {
    "bits": lambda f, encoder, own, number: own,
    "binary": lambda f, encoder, own, number: own,
    "thermometer": lambda f, encoder, own, number: [f.reaches(number, t) for t in encoder["thresholds"]],
    "one_hot": lambda f, encoder, own, number: [f.is_(number, code) for code in range(encoder["categories"])],
}
