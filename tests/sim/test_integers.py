"""Twelve random nets of integers: soft = hard = naive = Verilog, proved. bench.integers tries hundreds."""

import operator

import numpy as np
import pytest

from bench import integers
from dbhw.data.stimuli import choose
from dbhw.logic import evaluate
from dbhw.prove.equivalence import network_is_verilog
from dbhw.rtl.core.encoder import conditions
from dbhw.rtl.flat import flat
from dbhw.rtl.verilog.emit import emit
from dbhw.rtl.verilog.ports import input_ports
from dbhw.train.fit import soft_outputs
from tests.kit import naive
from tests.kit.integers import COLUMNS, PORTS, integer_model

NETS = 12
MODELS = integers.models(NETS, first=1)


def test_the_nets_are_of_every_kind():
    columns = [column for model in MODELS for column in model.columns]
    assert {column.signed for column in columns} == {False, True}
    assert max(column.width for column in columns) == 16
    kinds = {encoder.to_json()["encoder"] for model in MODELS for encoder in model.net.layers[0].encoders}
    assert kinds == {"binary", "bits", "one_hot", "thermometer"}


@pytest.mark.parametrize("number", range(NETS))
def test_every_reading_agrees(number):
    model = MODELS[number]
    x = choose(model.net.inputs, "128")
    hard = model.outputs(x)
    np.testing.assert_array_equal(soft_outputs(model, x), hard)
    layers = [layer.to_json() for layer in model.net.layers]
    weights = [None if w is None else w.astype(int).tolist() for w in model.weights]
    assert hard.astype(int).tolist() == [naive.run(layers, weights, row.astype(int).tolist()) for row in x]
    lut_inputs = (4, 6)[number % 2]
    emitted = emit(model, lut_inputs=lut_inputs)
    assert network_is_verilog(emitted.lowered, *flat(emitted, emitted.verilog), lut_inputs).proved


COMPARE = {">=": operator.ge, "<": operator.lt, "==": operator.eq, "!=": operator.ne}


def value(column, integer):
    """What an integer stands for, written down again."""
    if column.kind == "category":
        return [*column.categories, "none"][integer]
    return column.offset + column.scale * integer


def test_comments_say_what_is_compared():
    """In the user's terms, and each of them is what its node computes, on all inputs."""
    model = integer_model(2)
    emitted = emit(model)
    network, x = emitted.network, choose(11, "all")
    said = conditions(network, input_ports(emitted.manifest))
    whole = [text for text in said.values() if "[" not in text]
    assert {"petal_length_cm >= 1.25", "petal_length_cm_2 < -5", "reg_in == red"} <= set(whole)
    assert all(f"  // {text}\n" in emitted.verilog for text in whole)
    network.output("said", [2 * node for node in said])
    found = evaluate.on_booleans(network, x)["said"].T
    ends = np.cumsum([column.width for column in COLUMNS]).tolist()
    for (name, sign, against), bits in zip((text.split(" ") for text in said.values()), found, strict=True):
        number, low = PORTS.index(name.partition("[")[0]), int(name.partition("[")[2].partition(":")[0] or -1) + 1
        column = COLUMNS[number]
        own = x[:, ends[number] - column.width : ends[number]].astype(int)
        unsigned = own[:, : low or None] @ (1 << np.arange(low or column.width))
        if low:
            values = unsigned
        else:
            signed = unsigned - ((1 << column.width) * own[:, -1] if column.signed else 0)
            values = [value(column, i) for i in signed.tolist()]
        other = against if column.kind == "category" and not low else float(against)
        assert bits.tolist() == [COMPARE[sign](v, other) for v in values], name
