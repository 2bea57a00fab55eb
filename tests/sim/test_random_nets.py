"""Forty-eight random nets all the way: hard = network = packed = naive = Verilog, simulated and proved."""

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from dbhw.data.stimuli import choose
from dbhw.logic import evaluate, passes
from dbhw.logic.formats import python, text
from dbhw.prove.equivalence import network_is_verilog, verilog_is_netlist
from dbhw.rtl.flat import flat
from dbhw.rtl.verilog.emit import emit
from tests.kit import naive, samples
from tests.kit.lint import lint
from tests.kit.many import simulate_many, top

TARGETS = ["ecp5", "gowin", "ice40", "xilinx"]
NETS = 12  # for each target; bench/fuzz.py tries more for as long as one likes


@pytest.mark.parametrize("number", range(len(TARGETS)))
def test_random_nets(number, tmp_path):
    found = []

    @seed(number)
    @settings(
        max_examples=NETS,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(samples.models())
    def every_reading_agrees(model):
        x = choose(model.net.inputs, "256")
        check_software(model, x)
        emitted = emit(model, module=f"net{len(found)}")
        lint(tmp_path, emitted)
        assert network_is_verilog(model.to_network(), *flat(emitted, emitted.verilog)).proved
        found.append((model, emitted, emitted.verilog, x))

    every_reading_agrees()
    assert len(found) >= NETS
    assert simulate_many(found) == [0] * len(found)
    together = "\n".join([*(verilog for _, _, verilog, _ in found), top(found)])
    assert verilog_is_netlist(together, "top", TARGETS[number]).proved


def check_software(model, x):
    net, network = model.net, model.to_network()
    layers = [layer.to_json() for layer in net.layers]
    weights = [None if w is None else w.astype(int).tolist() for w in model.weights]
    expected = [naive.run(layers, weights, example.astype(int).tolist()) for example in x]
    np.testing.assert_array_equal(model.scores(x), expected)
    predicted = [naive.label(row, net.integer_scores) for row in expected]
    np.testing.assert_array_equal(model.predict(x), predicted)
    simple = passes.simplify(network)
    for form in (network, simple, text.read(text.write(network))):
        for run in (evaluate.on_booleans, evaluate.on_words):
            out = run(form, x)
            np.testing.assert_array_equal(out[network.outputs[-1].name], expected)
            np.testing.assert_array_equal(out["label"][:, 0], predicted)
    scope = {}
    exec(python.write(simple), scope)
    assert [[int(v) for v in scope["net"](*map(bool, example))] for example in x] == expected
