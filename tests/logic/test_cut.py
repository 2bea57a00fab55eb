"""A network cut at its layers: each part computes what the whole has at its boundary."""

import numpy as np
import pytest

from dbhw.logic import evaluate
from dbhw.logic.cut import cut
from dbhw.logic.network import ARGMAX, COUNT, Output
from dbhw.logic.passes import simplify
from dbhw.model.lower import lower
from tests.kit import samples
from tests.kit.nets import NETS


def value_of(network, node, x):
    kind = "integers" if network.kinds[node] in (COUNT, ARGMAX) else "bits"
    probe = network.with_outputs([Output("probe", kind, (node if kind == "integers" else node * 2,), 64)])
    return evaluate.on_booleans(probe, x)["probe"][:, 0].astype(np.int64)


@pytest.mark.parametrize("number", range(len(NETS)))
def test_each_layer_computes_what_the_whole_has(number):
    random = np.random.default_rng(10 + number)
    model = samples.random_model(NETS[number], random)
    x = random.random((64, model.net.inputs)) < 0.5
    for network in (lower(model.net, model.weights, model.features), simplify(model.to_network())):
        parts = cut(network)
        assert parts
        seen = 0
        for layer in parts.values():
            columns = []
            for name in layer.input_names:
                node, _, digit = name[1:].partition("_")
                columns.append(value_of(network, int(node), x) >> int(digit or 0) & 1)
            found = evaluate.on_booleans(layer, np.array(columns, bool).T)
            for output in layer.outputs:
                if output.kind == "integers":
                    np.testing.assert_array_equal(found[output.name][:, 0], value_of(network, int(output.name[1:]), x))
                    seen += 1
            if "y" in found:
                boundary = _boundary(network, layer.layer_names[1])
                expected = np.stack([value_of(network, node, x) for node in boundary], axis=1)
                np.testing.assert_array_equal(found["y"], expected)
                seen += len(boundary)
        assert seen


def _boundary(network, layer_name):
    """The bits of a layer that others read, found the slow way."""
    layer = network.layer_names.index(layer_name)
    readers = network.reader_counts()
    read = set(network.output_nodes())
    for node in range(len(network)):
        for source in network.sources(node) if readers[node] else []:
            if network.layers[source] != network.layers[node]:
                # A comparison looks through a count of another layer.
                read.update(network.sources(source) if network.kinds[source] == COUNT else [])
                read.add(source)
    members = [n for n in range(len(network)) if network.layers[n] == layer and readers[n] and n in read]
    return [n for n in members if network.kinds[n] not in (COUNT, ARGMAX)]
