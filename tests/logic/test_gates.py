"""Networks as gates: tables factored, and any network in bit planes, against the plain evaluation."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dbhw.logic import factor, passes
from dbhw.logic.evaluate import on_booleans
from dbhw.logic.gates import to_gates
from dbhw.logic.network import AND, XOR, Network
from tests.kit import samples


@st.composite
def truth_tables(draw):
    n = draw(st.integers(1, 8))
    return n, draw(st.integers(0, 2**2**n - 1))


@settings(max_examples=60, deadline=None)
@given(truth_tables())
def test_a_factored_table_is_the_table(case):
    n, table = case
    network = Network()
    inputs = [network.input(f"x{i}") for i in range(n)]
    network.output("y", [factor.factored(network, table, inputs)])
    x = (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool)
    assert on_booleans(network, x)["y"][:, 0].tolist() == [bool(table >> i & 1) for i in range(2**n)]
    gates = sum(len(network.fanin(node)) - 1 for node in network.needed())
    assert gates <= factor.operations(table, n)


def test_a_table_of_six_inputs_takes_few_operations():
    random = np.random.default_rng(0)
    found = [factor.operations(int(random.integers(0, 2**63)) * 2 + 1, 6) for _ in range(20)]
    assert np.mean(found) < 26  # a tree of multiplexers takes 93, a sum of products about 80


@settings(max_examples=25, deadline=None)
@given(samples.models(), st.booleans())
def test_gates_are_the_network(model, simplified):
    network = passes.simplify(model.to_network()) if simplified else model.to_network()
    sliced = to_gates(network)
    assert {sliced.network.kinds[node] for node in sliced.network.needed()} <= {AND, XOR}
    x = np.random.default_rng(0).random((100, model.net.inputs)) < 0.5
    planes = on_booleans(sliced.network, x)["planes"].astype(int).T.tolist()
    found = {}
    for field in sliced.fields:
        digits = [planes.pop(0) for _ in field.planes]
        values = [field.least + sum(d[e] << j for j, d in enumerate(digits)) for e in range(len(x))]
        found.setdefault(field.output, []).append(values)
    expected = on_booleans(network, x)
    assert {name: np.array(values).T.tolist() for name, values in found.items()} == {
        name: values.astype(int).tolist() for name, values in expected.items()
    }
