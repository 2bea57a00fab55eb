"""Other toolkits' nets: files of their published layout, held to their published rule, written down once more here."""

import json

import numpy as np
import pytest
import safetensors.numpy

from dbhw import importers
from dbhw.importers import Options
from tests.kit.command_line import run

VECTORS = 10_000
# The gates of difflogic and torchlogix in their order, as polynomials of a and b.
GATES = [
    lambda a, b: 0 * a,
    lambda a, b: a * b,
    lambda a, b: a - a * b,
    lambda a, b: a,
    lambda a, b: b - a * b,
    lambda a, b: b,
    lambda a, b: a + b - 2 * a * b,
    lambda a, b: a + b - a * b,
    lambda a, b: 1 - (a + b - a * b),
    lambda a, b: 1 - (a + b - 2 * a * b),
    lambda a, b: 1 - b,
    lambda a, b: 1 - b + a * b,
    lambda a, b: 1 - a,
    lambda a, b: 1 - a + a * b,
    lambda a, b: 1 - a * b,
    lambda a, b: 0 * a + 1,
]


def gate_net(random, weights, indices, layers=((12, 40), (40, 30))):
    """Logits and connections of two layers, under the names of a toolkit."""
    tensors = {}
    for number, (inputs, outputs) in enumerate(layers):
        tensors[f"{number}.{weights}"] = random.normal(size=(outputs, 16)).astype(np.float32)
        tensors[f"{number}.{indices}"] = random.integers(0, inputs, (2, outputs))
    return tensors


def by_the_gates(tensors, weights, indices, x, classes):
    """The rule of difflogic in evaluation: the likeliest gate of each neuron, sums of groups, the first largest."""
    x = x.astype(int)
    for number in range(2):
        a, b = (x[:, places] for places in tensors[f"{number}.{indices}"])
        chosen = tensors[f"{number}.{weights}"].argmax(1)
        x = np.stack([GATES[gate](a[:, i], b[:, i]) for i, gate in enumerate(chosen)], axis=1)
    sums = x.reshape(len(x), classes, -1).sum(2)
    return sums, sums.argmax(1)


def saved(path, tensors, **said):
    if path.suffix == ".json":
        plain = {name: tensor.tolist() for name, tensor in tensors.items()}
        path.write_text(json.dumps({**said, "tensors": plain}))
    else:
        path.write_bytes(safetensors.numpy.save(tensors, {key: str(value) for key, value in said.items()}))
    return path


@pytest.mark.parametrize("suffix", ["safetensors", "json"])
@pytest.mark.parametrize(
    ("name", "weights", "indices"),
    [("difflogic", "weights", "indices"), ("torchlogix", "weight", "connections.indices")],
)
def test_gates_of_two_inputs(tmp_path, name, suffix, weights, indices):
    random = np.random.default_rng(0)
    tensors = gate_net(random, weights, indices)
    model = importers.read([saved(tmp_path / f"net.{suffix}", tensors, classes=5, inputs=12)])
    assert model.provenance["imported"]["format"] == name
    x = random.random((VECTORS, 12)) < 0.5
    sums, labels = by_the_gates(tensors, weights, indices, x, 5)
    np.testing.assert_array_equal(model.scores(x, engine="numpy"), sums)
    np.testing.assert_array_equal(model.predict(x, engine="numpy"), labels)
    assert (np.sort(sums, 1)[:, -1] == np.sort(sums, 1)[:, -2]).any(), "some ties must be among the vectors"


def test_gates_by_their_numbers_and_every_gate(tmp_path):
    """One neuron of each gate."""
    indices = np.stack([np.zeros(16, int), np.ones(16, int)])
    path = saved(tmp_path / "net.json", {"0.gates": np.arange(16), "0.indices": indices})
    model = importers.read([path], options=Options(classes=16))
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    np.testing.assert_array_equal(model.scores(x), np.stack([gate(*x.T) for gate in GATES], axis=1))


def test_tables_of_torchlogix_have_their_first_input_highest(tmp_path):
    random = np.random.default_rng(1)
    tables, places = random.random((20, 16)) < 0.5, random.integers(0, 10, (4, 20))
    path = saved(tmp_path / "n.json", {"0.tables": tables.astype(int), "0.connections.indices": places}, classes=4)
    x = random.random((VECTORS, 10)) < 0.5
    address = sum(x[:, row].astype(int) << 3 - i for i, row in enumerate(places))
    sums = tables[np.arange(20), address].reshape(VECTORS, 4, 5).sum(2)
    np.testing.assert_array_equal(importers.read([path]).scores(x), sums)


def by_the_tables(tensors, bits, classes):
    """The rule of DWN in evaluation: tables of numbers above 0, groups filled up with zeros, the first largest."""
    for number in range(2):
        luts = tensors[f"{number}.luts"]
        if f"{number}.mapping.weights" in tensors:
            mapping = tensors[f"{number}.mapping.weights"].argmax(0).reshape(len(luts), -1)
        else:
            mapping = tensors[f"{number}.mapping"]
        address = sum(bits[:, mapping[:, place]].astype(int) << place for place in range(mapping.shape[1]))
        bits = luts[np.arange(len(luts)), address] > 0
    bits = np.pad(bits, [(0, 0), (0, -bits.shape[1] % classes)])
    sums = bits.reshape(len(bits), classes, -1).sum(2)
    return sums, sums.argmax(1)


def a_dwn(random, inputs):
    """A learnable mapping, then a fixed one; 28 tables do not divide into five groups."""
    return {
        "0.luts": random.uniform(-1, 1, (60, 64)).astype(np.float32),
        "0.mapping.weights": random.random((inputs, 360)).astype(np.float32),
        "0._LUTLayer__dummy_mapping": np.arange(360, dtype=np.int32).reshape(60, 6),
        "1.luts": random.uniform(-1, 1, (28, 16)).astype(np.float32),
        "1.mapping": random.integers(0, 60, (28, 4)).astype(np.int32),
    }


def test_dwn_on_bits(tmp_path):
    random = np.random.default_rng(2)
    tensors = a_dwn(random, 24)
    model = importers.read([saved(tmp_path / "net.safetensors", tensors, classes=5)], options=Options(inputs=24))
    x = random.random((VECTORS, 24)) < 0.5
    sums, labels = by_the_tables(tensors, x, 5)
    np.testing.assert_array_equal(model.scores(x, engine="numpy"), sums)
    np.testing.assert_array_equal(model.predict(x, engine="numpy"), labels)


def test_dwn_with_a_thermometer_on_pixels(tmp_path):
    """Thresholds on pixels from 0 to 1, some of them equal to a pixel's value: more than, not at least."""
    random = np.random.default_rng(3)
    pixels = random.integers(0, 256, (VECTORS, 6))
    features = (pixels / 255).astype(np.float32)
    thresholds = np.sort(random.choice(features[:, 0], (6, 4)), axis=1)
    tensors = {**a_dwn(random, 24), "thresholds": thresholds}
    path = saved(tmp_path / "net.safetensors", tensors, classes=5)
    model = importers.read([path], options=Options(bits=8, scale=1 / 255))
    bits = (features[:, :, None] > thresholds).reshape(VECTORS, -1)
    sums, labels = by_the_tables(tensors, bits, 5)
    np.testing.assert_array_equal(model.scores(features.astype(np.float64), engine="numpy"), sums)
    np.testing.assert_array_equal(model.predict(features.astype(np.float64), engine="numpy"), labels)
    assert [(c.name, c.width) for c in model.columns] == [(f"x{i}", 8) for i in range(6)]


def damaged():
    """Files that are none, with what is said of them."""
    good = gate_net(np.random.default_rng(0), "weights", "indices")
    yield {"tensors": 3}, "must hold tensors, as safetensors or as JSON, but it does not"
    yield {"tensors": {"a": [1]}}, "must be of one of difflogic, dwn, torchlogix, but its tensors are none of theirs"
    yield good, "must say how many classes there are: save it as `classes`, or give --classes"
    yield {**good, "1.indices": good["1.indices"][:1]}, "must have 2 x 30 numbers in 1.indices, not 1 x 30"
    yield {**good, "0.indices": -good["0.indices"]}, "must have whole numbers from 0 on in 0.indices, but some are not"
    yield {**good, "0.weights": good["0.weights"][:, :9]}, "must have logits of 16 gates in 0.weights, not of 9"
    yield {**good, "0.weights": good["0.weights"] * np.nan}, "must have finite numbers in 0.weights, but some are not"
    yield {"0.weights": good["0.weights"]}, "must have a tensor 0.indices, but it has only 0.weights"


@pytest.mark.parametrize(("tensors", "error"), list(damaged()))
def test_what_is_no_net_is_refused_in_one_line(capsys, tmp_path, tensors, error):
    path = tmp_path / "net.json"
    plain = {name: t.tolist() if isinstance(t, np.ndarray) else t for name, t in tensors.items()}
    path.write_text(json.dumps(plain if "tensors" in plain else {"tensors": plain}))
    code, out, err = run(capsys, "import", path, "-o", tmp_path / "net.dbnet")
    assert (code, out) == (2, "")
    assert err == f"dbhw: file {path} {error}\n"
    assert not (tmp_path / "net.dbnet").exists()


def test_pickles_are_not_read(capsys, tmp_path):
    (tmp_path / "net.pt").write_bytes(b"\x80\x04.")
    (tmp_path / "net.safetensors").write_bytes(b"\x80\x04.")
    err = run(capsys, "import", tmp_path / "net.pt", "-o", tmp_path / "net.dbnet")[2]
    assert err.startswith(f"dbhw: file {tmp_path}/net.pt must end in one of ")
    err = run(capsys, "import", tmp_path / "net.safetensors", "-o", tmp_path / "net.dbnet")[2]
    assert err.endswith("must hold tensors, as safetensors or as JSON, but it does not\n")


def test_thresholds_need_the_width_of_the_inputs(capsys, tmp_path):
    tensors = {**a_dwn(np.random.default_rng(0), 24), "thresholds": np.zeros((6, 4), np.float32)}
    path = saved(tmp_path / "net.safetensors", tensors, classes=5)
    err = run(capsys, "import", path, "-o", tmp_path / "net.dbnet")[2]
    assert err == "dbhw: bits of the inputs must be given for thresholds, 1 to 16, not none: --bits 8\n"
