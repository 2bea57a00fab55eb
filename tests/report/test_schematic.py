"""The schematic: read as a person reads it, with bubbles, weights and tables, it is the network."""

import re
from itertools import pairwise

import numpy as np
import pytest

from dbhw.logic.evaluate import on_booleans
from dbhw.logic.network import Network
from dbhw.report.explanation import shortest
from dbhw.report.page.gates import circuit
from dbhw.report.page.schematic import draw, fits
from tests.kit import samples
from tests.kit.nets import NETS


def read(drawn, values):
    """The outputs of a circuit for the values of its inputs."""
    known = {node: values[name] for node, name in drawn.inputs.items() if node} | {0: False}
    pending = dict(drawn.gates)
    while pending:
        for number, gate in list(pending.items()):
            if all(pin.source in known for pin in gate.pins):
                known[number] = said(pending.pop(number), known)
    return [bool(known[pin.source]) ^ pin.inverted if pin.source != -1 else known[-1] for _, pin in drawn.outputs]


def said(gate, known):
    bits = [int(known[pin.source]) ^ pin.inverted for pin in gate.pins]
    if gate.shape in ("and", "or", "xor"):
        return {"and": all(bits), "or": any(bits), "xor": sum(bits) % 2 == 1}[gate.shape]
    if gate.label == "argmax":
        return int(np.argmax(bits))
    if gate.label.startswith("LUT"):
        table = int(re.search(r"table (\w+)", gate.note)[1], 16)
        return bool(table >> sum(bit << i for i, bit in enumerate(bits)) & 1)
    total = sum(bit * int(pin.word or 1) for bit, pin in zip(bits, gate.pins, strict=True))
    if found := re.fullmatch(r"Σ (≥|=) (-?\d+)", gate.label):
        return total >= int(found[2]) if found[1] == "≥" else total == int(found[2])
    return total + int(gate.label.removeprefix("Σ") or 0)


def wanted(network, x):
    output = network.outputs[-1]
    found = on_booleans(network, x)[output.name]
    return np.argmax(found, axis=1)[:, None] if output.kind == "integers" else found


@pytest.mark.parametrize("number", range(len(NETS)))
def test_what_is_drawn_is_the_network(number):
    random = np.random.default_rng(number)
    model = samples.random_model(NETS[number], random)
    for network in (model.to_network(), shortest(model.to_network())):
        drawn = circuit(network, model.classes, network.input_names)
        x = random.random((32, model.net.inputs)) < 0.5
        rows = [read(drawn, dict(zip(network.input_names, row.tolist(), strict=True))) for row in x]
        np.testing.assert_array_equal(np.array(rows), wanted(network, x))


def test_gates_lie_apart_and_inside():
    random = np.random.default_rng(7)
    n = Network()
    bits = [n.input(f"x{i}") for i in range(6)]
    for i in range(20):
        a, b, c = (bits[j] ^ int(random.integers(2)) for j in random.choice(len(bits), 3, replace=False))
        bits.append([n.and_([a, b, c]), n.xor([a, b]), n.at_least([(a, 2), (b, 1), (c, 1)], 2)][i % 3])
    n.output("bits", bits[-2:])
    drawn = circuit(n, ["a", "b"], n.input_names)
    assert fits(drawn)
    picture = draw(drawn, "test")
    wide, high = (float(v) for v in re.search(r'viewBox="0 0 (\d+) (\d+)"', picture).groups())
    places = re.findall(r'<path d="M([\d.]+) ([\d.]+)[^"]*" class="gate"', picture)
    assert len(places) == len(drawn.gates)
    for x, y in places:
        assert 0 <= float(x) <= wide
        assert 0 <= float(y) <= high
    assert len(set(places)) == len(places)


def test_a_large_circuit_is_not_drawn():
    n = Network()
    bits = [n.input(f"x{i}") for i in range(60)]
    n.output("bits", [n.and_([a, b]) for a, b in pairwise(bits)])
    assert not fits(circuit(n, [str(i) for i in range(59)], n.input_names))
