"""Networks as JSON: what is written reads back, and what is malformed is refused in one line."""

import json

import numpy as np
import pytest

from dbhw.base.errors import DbhwError
from dbhw.logic import evaluate, passes
from dbhw.logic.formats import text
from dbhw.logic.formats.json import read, write
from tests.kit import samples
from tests.kit.nets import NETS

TOO_LARGE = {"node": 9, "kind": "count", "layer": 0, "constant": 1 << 64, "terms": []}


def network(number):
    return passes.simplify(samples.random_model(NETS[number], np.random.default_rng(number)).to_network())


@pytest.mark.parametrize("number", range(len(NETS)))
def test_what_is_written_reads_back(number):
    written = network(number)
    assert text.write(read(write(written))) == text.write(written)


def test_every_kind_of_node_is_read_by_its_documented_keys():
    nodes = [
        {"node": 10, "kind": "and", "layer": 1, "literals": [2, 5]},
        {"node": 11, "kind": "xor", "layer": 1, "literals": [2, 4, 6]},
        {"node": 12, "kind": "lut", "layer": 1, "table": "0xca", "literals": [2, 4, 6]},
        {"node": 13, "kind": "count", "layer": 2, "constant": 1, "terms": [[20, 2], [23, 1]]},
        {"node": 14, "kind": "count", "layer": 2, "constant": 0, "terms": [[24, 3]]},
        {"node": 15, "kind": "sum", "layer": 2, "constant": 0, "terms": [[13, 1], [14, 1]]},
        {"node": 16, "kind": "ge", "layer": 2, "integer": 15, "k": 4},
        {"node": 17, "kind": "eq", "layer": 2, "integer": 13, "k": 3},
        {"node": 18, "kind": "argmax", "layer": 3, "integers": [13, 14]},
    ]
    outputs = [
        {"name": "label", "kind": "integers", "width": 1, "members": [18]},
        {"name": "bits", "kind": "bits", "width": 1, "members": [32, 34, 1]},
    ]
    layers = ["inputs", "gates", "counts", "argmax", "nothing"]
    content = {"format": 1, "inputs": ["a", "b", "s"], "layers": layers, "nodes": nodes, "outputs": outputs}
    made = read(json.dumps(content))
    x = np.array([[i >> j & 1 for j in range(3)] for i in range(8)], bool)
    given = evaluate.on_booleans(made, x)
    for (a, b, s), label, bits in zip(x.astype(int).tolist(), given["label"], given["bits"], strict=True):
        chosen = 0xCA >> (a + 2 * b + 4 * s) & 1
        first, second = 1 + 2 * (a and not b) + (1 - (a ^ b ^ s)), 3 * chosen
        assert [int(v) for v in np.ravel(label)] == [int(second > first)]
        assert [bool(v) for v in bits] == [first + second >= 4, first == 3, True]
    assert made.layer_names == layers


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "network JSON must be of format 1, not 2"),
        ({"inputs": [1]}, "network JSON must be well-formed in inputs[0], not 1"),
        ({"nodes": None}, "network JSON must have a list here, not null"),
        ({"nodes": [{"node": 9}]}, 'network JSON must be well-formed in nodes[0], not {"node": 9}'),
        (
            {"nodes": [TOO_LARGE]},
            f"network JSON must be well-formed in nodes[0], not {json.dumps(TOO_LARGE)}",
        ),
        ({"outputs": ["y"]}, 'network JSON must be well-formed in outputs[0], not "y"'),
    ],
)
def test_malformed_json_is_refused(change, message):
    with pytest.raises(DbhwError) as wrong:
        read(json.dumps({**json.loads(write(network(1))), **change}))
    assert str(wrong.value) == message


@pytest.mark.parametrize("content", ["", "[]", "{", "1", "null"])
def test_what_is_no_network_is_refused(content):
    with pytest.raises(DbhwError, match="network JSON must be an object with a format, but it is not"):
        read(content)
