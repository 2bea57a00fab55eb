"""A frozen model answers as before, and is small."""

import numpy as np
import pytest

from dbhw.base.errors import DbhwError
from dbhw.base.names import default_names
from dbhw.data.tables.column import Column, pins
from dbhw.model import file
from dbhw.model.freeze import freeze
from dbhw.model.model import Model, load
from dbhw.nn.encoders.one_hot import OneHot
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.net import Net


@pytest.fixture
def trained():
    random = np.random.default_rng(0)
    encode = Encode(
        (Thermometer(8, False, tuple(range(5, 250, 3))), OneHot(2, False, 3), Thermometer(4, True, (-8, 0)))
    )
    net = Net(14, [encode, Connect(width=36), Lookup(fan_in=6), BucketSum(buckets=3)])
    soft = tuple(None if s is None else random.uniform(-0.5, 0.5, s).astype(np.float32) for s in net.weight_shapes())
    columns = (
        Column("a", "integer", 8),
        Column("colour", "category", 2, categories=("blue", "green", "red")),
        Column("b", "integer", 4, signed=True),
    )
    return Model(net, soft, pins(columns), default_names("class", 3), {"seed": 3}, columns)


def test_a_frozen_model_answers_as_before(trained):
    x = (np.arange(1 << 14)[:, None] >> np.arange(14) & 1).astype(bool)
    np.testing.assert_array_equal(freeze(trained).outputs(x), trained.outputs(x))


def test_thresholds_that_nothing_reads_are_gone(trained):
    frozen = freeze(trained)
    (encode, wires, *_), places = frozen.net.layers, trained.weights[1].argmax(axis=1)
    conditions = [c for e in trained.net.layers[0].encoders for c in e.conditions()]
    left = [c for e in encode.encoders for c in e.conditions()]
    assert len(left) < len(conditions)
    assert [left[p] for p in wires.places] == [conditions[p] for p in places.tolist()]


def test_a_frozen_model_is_small_and_comes_back(trained, tmp_path):
    frozen = freeze(trained)
    frozen.save(tmp_path / "a.dbnet")
    assert (tmp_path / "a.dbnet").stat().st_size < 5000
    back = load(tmp_path / "a.dbnet")
    assert back.digest() == frozen.digest()
    assert back.columns == trained.columns
    assert back.provenance == {"seed": 3}


def test_freezing_twice_changes_nothing(trained):
    once = freeze(trained)
    assert freeze(once).to_bytes() == once.to_bytes()


def test_a_frozen_file_with_bits_of_the_wrong_length_is_refused(trained):
    tensors = {"layer2.bits": np.zeros(3, np.uint8)}
    with pytest.raises(DbhwError, match="damaged"):
        _reread(freeze(trained), tensors)


def _reread(model, tensors):
    import json

    import safetensors.numpy

    entry = {
        "format": file.FORMAT_VERSION,
        "content": {"net": model.net.to_json(), "features": [], "classes": [], "provenance": {}},
    }
    text = json.dumps({**entry, "sha256": file.checksum(entry, tensors)})
    return file.from_bytes("a.dbnet", safetensors.numpy.save(tensors, {"dbhw": text}))
