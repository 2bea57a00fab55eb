"""Both engines, the network and the naive reference agree: on all nets and inputs, any batch size and threads."""

import numpy as np
import pytest
from hypothesis import given, settings

from bench.inference_nets import tables_net
from dbhw.base.errors import DbhwError
from dbhw.logic.evaluate import on_booleans
from dbhw.logic.network import EQ, GE, Network
from dbhw.model.engines import Hard
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.parity import Parity
from dbhw.nn.layers.with_negation import WithNegation
from dbhw.nn.net import Net
from dbhw.software import calls, compiler, native
from dbhw.software.packed import Packed
from tests.kit import naive, samples
from tests.kit.nets import NETS

SIZES = [0, 1, 63, 64, 65, 511]


def reference(model, x):
    """What the naive reference says to booleans: the classes, and the outputs."""
    net = model.net.to_json()
    weights = [None if w is None else w.astype(int).tolist() for w in model.weights]
    outputs = [naive.run(net["layers"], weights, row) for row in x.astype(int).tolist()]
    labels = [naive.label(out, model.net.integer_scores) for out in outputs]
    return np.array(labels, int), np.array(outputs, int).reshape(len(x), -1)


def compiled(model, monkeypatch, interpreted=False):
    monkeypatch.setattr(native, "MOST_OPERATIONS", 0 if interpreted else 10**6)
    hard = Hard(model.net, model.weights)
    digest = f"{hard.digest} {'interpreted' if interpreted else 'compiled'}"
    return native.build(digest, hard.network, model.net.inputs, int(np.prod(model.net.output_shape)))


@settings(max_examples=8, deadline=None)
@given(samples.models())
def test_engines_network_and_reference_agree_on_random_nets(model):
    x = np.random.default_rng(0).random((130, model.net.inputs)) < 0.5
    labels, outputs = reference(model, x)
    network = on_booleans(model.to_network(), x)
    assert (network["label"][:, 0] == labels).all()
    found = model.answers(x, engine="numpy")
    assert (found.labels == labels).all()
    assert (found.outputs == outputs).all()
    for interpreted in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            found = compiled(model, patch, interpreted).run(x)
        assert (found[0] == labels).all()
        assert (found[1] == outputs).all()


WIDE = [
    Net(70, [Lookup(fan_in=7), WithNegation(), BucketSum(buckets=4)]),
    Net(200, [Parity(width=30), Negation(width=6), BucketSum(buckets=3)]),
]


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("net", [*NETS, *WIDE], ids=range(6))
def test_engines_agree_on_every_batch_size(net, interpreted, monkeypatch):
    model = samples.random_model(net, np.random.default_rng(5))
    x = np.random.default_rng(1).random((max(SIZES), net.inputs)) < 0.5
    labels, outputs = reference(model, x)
    engine = compiled(model, monkeypatch, interpreted)
    for size in SIZES:
        for given_x in (x[:size], Packed.of(x[:size])):
            found = engine.run(given_x)
            assert found[0].tolist() == labels[:size].tolist()
            assert found[1].tolist() == outputs[:size].tolist()
            numpy = model.answers(given_x, engine="numpy")
            assert numpy.labels.tolist() == labels[:size].tolist()
            assert numpy.outputs.tolist() == outputs[:size].tolist()
    assert engine.run(x, outputs=False)[1].size == 0
    assert engine.run(x, labels=False)[0].size == 0


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("width", [16, 64])
def test_vectors_of_other_processors(width, interpreted, monkeypatch):
    """A compiler makes vectors of any width out of those that the processor has."""
    monkeypatch.setattr(compiler, "vectors", lambda: (width, []))
    model = tables_net(60)
    x = np.random.default_rng(0).random((1300, model.net.inputs)) < 0.5
    engine = compiled(model, monkeypatch, interpreted)
    expected = model.answers(x, engine="numpy")
    for rows in (x, Packed.of(x)):
        labels, outputs = engine.run(rows)
        assert (labels == expected.labels).all()
        assert (outputs == expected.outputs).all()


@pytest.fixture(scope="module")
def million():
    """A net of eight inputs, a million inputs and three, and its answers."""
    model = samples.random_model(NETS[2], np.random.default_rng(5))
    every = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(bool)
    which = np.random.default_rng(2).integers(0, 256, 1_000_003)
    labels, outputs = reference(model, every)
    return model, every[which], labels[which], outputs[which]


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_a_million_examples_on_several_threads(million, threads):
    model, x, labels, outputs = million
    for given_x in (x, Packed.of(x)):
        found = model.answers(given_x, engine="c", threads=threads)
        assert found.engine.startswith("c, compiled")
        assert (found.labels == labels).all()
        assert (found.outputs == outputs).all()


def test_numpy_takes_a_million_examples_in_parts(million):
    model, x, labels, outputs = million
    found = model.answers(x, engine="numpy")
    assert (found.labels == labels).all()
    assert (found.outputs == outputs).all()


@pytest.mark.parametrize("engine", ["auto", "numpy", "c"])
def test_all_kinds_of_input(million, engine, tmp_path):
    model, x, labels, outputs = million
    x, labels, outputs = x[:777], labels[:777], outputs[:777]
    stored = np.lib.format.open_memmap(tmp_path / "x.npy", mode="w+", dtype=bool, shape=x.shape)
    stored[:] = x
    wide = np.zeros((2 * 777, 24), np.uint8)
    wide[::2, 3:19:2] = x
    read_only = x.copy()
    read_only.flags.writeable = False
    kinds = [
        *(x, x.astype(np.uint8), x.astype(np.int8), x.astype(np.int64), x.astype(float), x.astype(object), x.tolist()),
        *(np.asfortranarray(x), np.lib.format.open_memmap(tmp_path / "x.npy", mode="r"), read_only),
        *(wide[::2, 3:19:2], x[::-1][::-1], np.ascontiguousarray(x[::-1])[::-1], Packed.of(x)),
        Packed(np.asfortranarray(Packed.of(x).rows)),
    ]
    for kind in kinds:
        assert (model.predict(kind, engine=engine) == labels).all()
        assert (model.scores(kind, engine=engine) == outputs).all()


def test_numbers_of_columns(tmp_path):
    from dbhw.data.tables.column import Column, pins

    columns = tuple(Column(name, "integer", 8) for name in "abc")
    encoders = tuple(Thermometer(8, False, (3, 100, 200)) for _ in columns)
    net = Net(24, [Encode(encoders), Parity(width=6), BucketSum(buckets=3)])
    from dataclasses import replace

    model = replace(samples.random_model(net, np.random.default_rng(0)), features=pins(columns), columns=columns)
    numbers = np.random.default_rng(1).integers(0, 256, (300, 3))
    bits = np.unpackbits(numbers.astype(np.uint8), axis=1, bitorder="little").astype(bool)
    labels, outputs = reference(model, bits)
    for engine in ("numpy", "c"):
        for given_x in (numbers, numbers.astype(np.uint8), numbers.astype(float), bits, Packed.of(bits)):
            found = model.answers(given_x, engine=engine)
            assert (found.labels == labels).all()
            assert (found.outputs == outputs).all()


@pytest.mark.parametrize("engine", ["numpy", "c"])
@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.full((3, 8), 2, np.uint8), "data values must be bits 0 or 1, not 2"),
        (np.full((3, 8), -1, np.int8), "data values must be bits 0 or 1, not -1"),
        (np.full((3, 8), 0.5), "data values must be bits 0 or 1, not 0.5"),
        (np.full((3, 8), "a", "S1"), "data values must be bits 0 or 1, not b'a'"),
        (np.zeros((3, 7), bool), "data must have 8 columns of bits, not shape [3, 7]"),
        (np.zeros(8, bool), "data must have 8 columns of bits, not shape [8]"),
        (Packed(np.zeros((3, 2), np.uint8)), "packed rows must have 1 bytes for 8 inputs, not 2"),
    ],
)
def test_wrong_inputs_are_told(million, engine, x, message):
    with pytest.raises(DbhwError) as wrong:
        million[0].predict(x, engine=engine)
    assert str(wrong.value) == message


def test_wrong_options_are_told(million):
    model, x, *_ = million
    with pytest.raises(DbhwError, match="engine must be one of auto, numpy, c, not 'gpu'"):
        model.predict(x, engine="gpu")
    with pytest.raises(DbhwError, match="threads must be a whole number of at least 1, not 0"):
        model.predict(x, threads=0)
    with pytest.raises(DbhwError, match="packed rows must be an array of bytes"):
        Packed(x)


def test_a_net_that_takes_numpy_long_is_compiled(million, monkeypatch):
    from dbhw.model import engines

    model, x, labels, _ = million
    monkeypatch.setattr(engines, "_TOO_LONG", 0.0)
    monkeypatch.setattr(Hard, "_at_once", lambda self: 1024)
    found = model.answers(x)
    assert found.engine.startswith("c, ")
    assert (found.labels == labels).all()
    assert model.engine_for(10**9) == "c"


@pytest.mark.parametrize("most", [0, 10**6])
def test_tables_of_any_width_and_shared_sums(most, monkeypatch):
    """What no layer makes, but passes do: wide tables, sums of sums, negative coefficients, constants."""
    random = np.random.default_rng(4)
    network = Network()
    inputs = [network.input(f"x{i}") for i in range(11)]
    tables = [network.lut(int.from_bytes(random.bytes(2**n // 8 or 1)), inputs[:n]) for n in range(2, 12)]
    low = network.count([(bit, c) for bit, c in zip(tables, [3, -2, 5, 1, -7, 1, 1, 1, 2, -1], strict=True)], -4)
    high = network.count([(bit ^ 1, 1) for bit in tables], 2)
    both = network.sum_of([(low, -3), (high, 2)], 7)
    network.integer_output("label", [network.argmax([low, high, both])], 2)
    network.integer_output("sums", [low, high, both, network.count([], 5)], 8)
    network.output("bits", [*tables, network.compare(GE, both, 4), network.compare(EQ, high, 6), 0, 1, inputs[0] ^ 1])
    monkeypatch.setattr(native, "MOST_OPERATIONS", most)
    x = (np.arange(2**11)[:, None] >> np.arange(11) & 1).astype(bool)
    found = native.build(f"tables of any width {most}", lambda: network, 11, 4 + len(network.outputs[2].members)).run(x)
    expected = on_booleans(network, x)
    assert (found[0] == expected["label"][:, 0]).all()
    assert (found[1] == np.concatenate([expected["sums"], expected["bits"]], axis=1)).all()


@pytest.mark.parametrize("majorities", [0, 1, 150])
def test_wide_gates_and_counts_with_several_readers(majorities, monkeypatch):
    """What an interpreter has to divide into several calls, and counts that are compared, read, or both."""
    random = np.random.default_rng(6)
    network = Network()
    inputs = [network.input(f"x{i}") for i in range(90)]
    bits = [bit ^ int(random.integers(2)) for bit in inputs]
    counts = [network.count([(bit, 1) for bit in bits[:n]]) for n in (3, 9, 16, 17, 40, 90)]
    weighted = network.count([(bit, int(w)) for bit, w in zip(bits, random.integers(-9, 99, 90), strict=True)], 3)
    low, high = network.bounds(weighted)
    wide = [network.and_(bits[:2]), network.and_(bits[:40]) ^ 1, network.xor(bits[:20]), network.xor(bits)]
    compared = [network.compare(kind, count, k) for kind in (GE, EQ) for count in counts for k in (1, 2, 8, 9, 41)]
    compared += [network.compare(GE, weighted, k) for k in range(low + 1, high, 101)]
    network.integer_output("label", [network.argmax(counts[:4])], 2)
    network.integer_output("sums", [counts[1], counts[4], weighted], 16)
    network.output("bits", [*wide, *compared])
    monkeypatch.setattr(native, "MOST_OPERATIONS", 0)
    monkeypatch.setattr(calls, "_MOST_MAJORITIES", majorities)
    x = random.random((600, 90)) < np.array([0.02, 0.5, 0.98])[random.integers(0, 3, 600)][:, None]
    outputs = 3 + len(network.outputs[2].members)
    found = native.build(f"wide gates {majorities}", lambda: network, 90, outputs).run(x)
    expected = on_booleans(network, x)
    assert (found[0] == expected["label"][:, 0]).all()
    assert (found[1] == np.concatenate([expected["sums"], expected["bits"]], axis=1)).all()
