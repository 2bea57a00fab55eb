"""Layers, nets, weights and margins to test with."""

from dataclasses import fields, replace
from math import prod

import numpy as np
from hypothesis import strategies as st

from dbhw.base.errors import DbhwError
from dbhw.base.names import default_names
from dbhw.data.tables.column import Column, pins
from dbhw.model.model import Model
from dbhw.nn import encoders, layers
from dbhw.nn.net import Net

TINY = np.finfo(np.float32).tiny
DENORMAL = np.float32(1e-42)


def make(kind, shape, width=3):
    """A layer of a kind for inputs of a shape; None where it takes no such inputs.

    A new layer with a field of a new name needs a line here, and then every contract test runs on it.
    """
    values = values_of_fields(kind, shape, width)
    try:
        layer = kind(**{f.name: values[f.name] for f in fields(kind) if f.name != "init"})
        layer.output_shape(shape)
    except DbhwError:
        return None
    return layer


def values_of_fields(kind, shape, width):
    """A value for every field that a layer may have."""
    total = prod(shape)
    divisor = next(d for d in (3, 2, 1) if total % d == 0)
    rows = next(d for d in (3, 2, 1) if shape[0] % d == 0)
    depth = next(d for d in (2, 1) if shape[0] // rows % d == 0) if kind.name() in ("shift", "warp") else 1
    return {
        "width": width,
        "k": shape[-1] // 2,
        "p": 0.3,
        "buckets": divisor,
        "shape": (total // divisor, divisor),
        "rows": rows,
        "columns": shape[0] // rows // depth,
        "depth": depth,
        "size": min(2, rows, shape[0] // rows),
        "stride": 1 + total % 2,
        "by": 1,
        "shift": 1.0,
        "stretch": 0.5,
        "bend": 0.5,
        "flip": total % 2 == 0,
        "groups": divisor if width % divisor == 0 else 1,
        "places": (total - 1, 0, total // 2),
        "reads": tuple(place % (total + i) for i in range(3) for place in (7 * i + 3, total + i - 1)),
        "shows": (total + 2, 0, total, total + 1),
        "names": (),
        "widths": (),
        "encoders": some_encoders(total),
        "of": wrapped(shape, width),
        "bits": max(1, (total + 2) // 4 * 2),
        "gradient": ("nearest", "all", "packed")[total % 3],
        "fan_in": 2 if kind.__name__ == "Netlist" else next((n for n in (5, 4, 3, 2, 7, 8) if total % n == 0), 2),
    }


def wrapped(shape, width):
    """A layer for others to wrap, of every sort in turn."""
    names = ["conjunction", "connect", "lookup", "threshold", "decision_list", "with_negation"]
    kind = layers.find(names[(3 if len(shape) > 1 else sum(shape)) % len(names)])
    values = {"width": width, "fan_in": 2}
    return kind(**{f.name: values[f.name] for f in fields(kind) if f.name in values})


def some_encoders(total):
    """Encoders of every kind in turn, for integers of 1, 2, 3, … bits that are `total` bits together."""
    found, names = [], encoders.names()
    while total:
        width = min(total, 1 + len(found) % 5)
        found.append(make_encoder(names[len(found) % len(names)], width, signed=len(found) % 3 == 1))
        total -= width
    return tuple(found)


def make_encoder(name, width, signed=False, thresholds=None):
    """An encoder of a kind; a new kind with a field of a new name needs a line here."""
    kind = encoders.find(name if name != "bits" or width == 1 else "binary")
    lowest = -(2 ** (width - 1)) if signed else 0
    values = {
        "width": width,
        "signed": signed and kind.__name__ != "Bits",
        "thresholds": thresholds or tuple(sorted({lowest, lowest + 1, lowest + 2**width // 3, lowest + 2**width})),
        "categories": min(max(2**width - 1, 1), 31),
    }
    return kind(**{f.name: values[f.name] for f in fields(kind)})


def margins(random, shape):
    """Margins of every magnitude a soft-bit can have, and the ones floating point treats worst."""
    logarithms = random.uniform(np.log2(TINY), -1, shape)
    signs = random.choice([-1.0, 1.0], shape)
    spread = (signs * 2.0**logarithms).astype(np.float32)
    special = np.array([0.5, TINY, DENORMAL, 0.0, -0.0, -DENORMAL, -TINY, -0.5, 0.25, 0.25, -0.25, 0.1], np.float32)
    chosen = random.choice(special, shape)
    mixed = np.where(random.random(shape) < 0.3, chosen, spread)
    # Whole examples that are all high, all low, all tied, or all tiny.
    kind = random.integers(0, 12, (shape[0],) + (1,) * (len(shape) - 1))
    mixed = np.where(kind == 0, np.maximum(np.abs(mixed), TINY), mixed)
    mixed = np.where(kind == 1, -np.abs(mixed), mixed)
    mixed = np.where(kind == 2, np.float32(0.3) * signs, mixed)
    mixed = np.where(kind == 3, TINY * signs, mixed)
    return mixed.astype(np.float32)


def bits(random, shape):
    return random.random(shape) < random.choice([0.1, 0.5, 0.9])


@st.composite
def nets(draw, most_inputs=9):
    """Nets of one to five layers of any kind, odd widths and single inputs among them."""
    inputs = draw(st.integers(1, most_inputs))
    return Net(inputs, draw(chains((inputs,))))


@st.composite
def chains(draw, shape):
    """One to five layers of any kind for inputs of a shape."""
    chosen, depth = [], draw(st.integers(1, 5))
    while len(chosen) < depth:
        kind = layers.find(draw(st.sampled_from(layers.names())))
        last = len(chosen) == depth - 1
        layer = make(kind, shape, width=draw(st.integers(1, 5))) if shape else None
        if layer is None or (kind.integer_output and not last) or prod(layer.output_shape(shape)) > 60:
            if shape == ():
                break
            layer = layers.find("reshape")(shape=(prod(shape),))
        chosen.append(layer)
        shape = layer.output_shape(shape)
    return chosen


# Names that hardware cannot take as they are, or that it uses itself.
NAMES = [
    *("petal length (cm)", "petal-length-(cm)", "petal_length_cm_2", "reg", "clk", "x", "x_0", "w", "label", "scores"),
    *("bits", "load_data", "x_valid", "2nd", "_id", "value", "signature", "encode_1", "encode_1_0", "lut_3", "a_0_at1"),
    *("größe", "長さ", "", "Reg", "unused", "valid", "move", "core", "a", "a_0", "logic", "line\nbreak", "n" * 200),
]


@st.composite
def integer_models(draw, most_bits=9):
    """Random nets of integers of 1 to 16 bits with every kind of encoder, constant columns and odd names among them."""
    columns, encoding, left = [], [], draw(st.integers(1, most_bits))
    names = draw(st.permutations(NAMES))
    while left:
        width = draw(st.sampled_from([w for w in (1, 2, 3, 5, 8, 16) if w <= left]))
        signed = draw(st.booleans())
        lowest = -(2 ** (width - 1)) if signed else 0
        several = st.lists(st.integers(lowest, lowest + 2**width), min_size=1, max_size=4)
        ends = st.sampled_from([(lowest,), (lowest + 2**width,), None])  # constant, or of the ends and between
        thresholds = draw(st.one_of(several.map(tuple), ends))
        encoder = make_encoder(draw(st.sampled_from(encoders.names())), width, signed, thresholds)
        encoding.append(encoder)
        columns.append(Column(names[len(columns)], "integer", width, encoder.signed))
        left -= width
    first = layers.find("encode")(tuple(encoding))
    inputs = sum(column.width for column in columns)
    net = Net(inputs, [first, *draw(chains(first.output_shape((inputs,))))])
    model = random_model(net, np.random.default_rng(draw(st.integers(0, 2**32 - 1))))
    return replace(model, features=pins(columns), columns=tuple(columns))


@st.composite
def models(draw, most_inputs=9):
    """Random nets with random weights, sparse and dense; every third one takes integers."""
    if draw(st.integers(0, 2)) == 0:
        return draw(integer_models(2 * most_inputs))
    net = draw(nets(most_inputs))
    return random_model(net, np.random.default_rng(draw(st.integers(0, 2**32 - 1))))


def random_model(net, random):
    soft = tuple(
        None if shape is None else np.where(bits(random, shape), 0.25, -0.25).astype(np.float32)
        for shape in net.weight_shapes()
    )
    return Model(net, soft, default_names("x", net.inputs), default_names("class", net.classes))
