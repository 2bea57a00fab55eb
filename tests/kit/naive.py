"""The naive reference: every layer in a few lines over lists of 0 and 1, sharing no code with the toolkit."""

from functools import reduce
from itertools import chain
from operator import xor


def run(layers, weights, x):
    """A whole net for one example; layers as plain data (`to_json`), weights as nested lists."""
    for layer, w in zip(layers, weights, strict=True):
        x = LAYERS[layer["layer"]](layer, w, x)
    return flat(x)


def flat(x):
    return list(chain.from_iterable(map(flat, x))) if isinstance(x, list) else [x]


def last_axis(function, x):
    return function(x) if not isinstance(x[0], list) else [last_axis(function, row) for row in x]


def buckets(layer, x):
    x = flat(x)
    size = len(x) // layer["buckets"]
    return [x[i * size : (i + 1) * size] for i in range(layer["buckets"])]


def reshaped(shape, x):
    if len(shape) == 1:
        return x
    size = len(x) // shape[0]
    return [reshaped(shape[1:], x[i * size : (i + 1) * size]) for i in range(shape[0])]


def patches(x, rows, columns, size, stride):
    starts = [(r, c) for r in range(0, rows - size + 1, stride) for c in range(0, columns - size + 1, stride)]
    return [x[(r + i) * columns + c + j] for r, c in starts for i in range(size) for j in range(size)]


def one_layer(layer, w, x):
    return LAYERS[layer["layer"]](layer, w, x)


def convolved(layer, w, x):
    pixels = [p if isinstance(p, list) else [p] for p in x]
    area = layer["size"] ** 2
    taken = patches(pixels, layer["rows"], layer["columns"], layer["size"], layer["stride"])
    return [one_layer(layer["of"], w, flat(taken[i : i + area])) for i in range(0, len(taken), area)]


def at_least_learned(w, x):
    if isinstance(x[0], list):
        return [at_least_learned(*both) for both in zip(w, x, strict=True)]
    return int(sum(x) >= len(x) - sum(w))


def netlist(layer, w, x):
    for i, row in enumerate(w):
        x = [*x, row[index([x[place] for place in layer["reads"][i * layer["fan_in"] :][: layer["fan_in"]]])]]
    return [x[place] for place in layer["shows"]]


def connected(layer, w, x):
    groups = layer.get("groups", 1)
    rows, inputs, found = len(w) // groups, len(x) // groups, []
    for group in range(groups):
        own = x[group * inputs :][:inputs]
        for row in w[group * rows :][:rows]:
            found.append(max([b for a, b in zip(row, own, strict=True) if a], default=0))
    return found


def index(bits):
    return sum(bit * 2**j for j, bit in enumerate(bits))


def encoded(encoders, x):
    found = []
    for encoder in encoders:
        own, x = x[: encoder["width"]], x[encoder["width"] :]
        value = index(own) - (2 ** len(own) if encoder["signed"] and own[-1] else 0)
        found += ENCODERS[encoder["encoder"]](encoder, own, value)
    return found


ENCODERS = {
    "bits": lambda encoder, own, value: own,
    "binary": lambda encoder, own, value: own,
    "thermometer": lambda encoder, own, value: [int(value >= t) for t in encoder["thresholds"]],
    "one_hot": lambda encoder, own, value: [int(value == code) for code in range(encoder["categories"])],
}


LAYERS = {
    "wires": lambda layer, w, x: [x[place] for place in layer["places"]],
    "encode": lambda layer, w, x: encoded([e for e in layer["encoders"] for _ in range(e.get("times", 1))], x),
    "negation": lambda layer, w, x: [[b if a else 1 - b for a, b in zip(row, x, strict=True)] for row in w],
    "mask_true": lambda layer, w, x: [[b if a else 1 for a, b in zip(row, x, strict=True)] for row in w],
    "mask_false": lambda layer, w, x: [[b if a else 0 for a, b in zip(row, x, strict=True)] for row in w],
    "conjunction": lambda layer, w, x: [min([b for a, b in zip(row, x, strict=True) if a], default=1) for row in w],
    "disjunction": lambda layer, w, x: [max([b for a, b in zip(row, x, strict=True) if a], default=0) for row in w],
    "parity": lambda layer, w, x: [reduce(xor, [b for a, b in zip(row, x, strict=True) if a], 0) for row in w],
    "majority": lambda layer, w, x: last_axis(lambda v: int(sum(v) > len(v) / 2), x),
    "vote": lambda layer, w, x: last_axis(lambda v: int(sum(v) > len(v) - sum(v)), x),
    "connect": connected,
    "lookup": lambda layer, w, x: [row[index(x[i * layer["fan_in"] :][: layer["fan_in"]])] for i, row in enumerate(w)],
    "netlist": netlist,
    "shift": lambda layer, w, x: x,
    "warp": lambda layer, w, x: x,
    "patches": lambda layer, w, x: patches(x, layer["rows"], layer["columns"], layer["size"], layer["stride"]),
    "count_hot": lambda layer, w, x: last_axis(lambda v: [int(v.count(0) == i) for i in range(len(v) + 1)], x),
    "count": lambda layer, w, x: last_axis(lambda v: int(sum(v) == layer["k"]), x),
    "dropout": lambda layer, w, x: x,
    "threshold": lambda layer, w, x: at_least_learned(w, x),
    "decision_list": lambda layer, w, x: [row[[*x, 1].index(1)] for row in w],
    "convolution": convolved,
    "skip": lambda layer, w, x: flat(one_layer(layer["of"], w, x)) + flat(x),
    "beside": lambda layer, w, x: flat(one_layer(layer["of"], w, x[: layer["bits"]])) + x[layer["bits"] :],
    "harden": lambda layer, w, x: x,
    "reshape": lambda layer, w, x: reshaped(layer["shape"], flat(x)),
    "with_negation": lambda layer, w, x: last_axis(lambda v: v + [1 - b for b in v], x),
    "bucket_any": lambda layer, w, x: [max(b) for b in buckets(layer, x)],
    "bucket_sum": lambda layer, w, x: [sum(b) for b in buckets(layer, x)],
}


def label(outputs, integer):
    """The predicted class: the one bit itself, or the first index of the largest output."""
    if len(outputs) == 1 and not integer:
        return outputs[0]
    return outputs.index(max(outputs))
