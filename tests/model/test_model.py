"""Model files: they come back as they were, and anything else is an error of one line."""

import numpy as np
import pytest
import safetensors.numpy

from dbhw.base.errors import DbhwError
from dbhw.model.model import load
from dbhw.nn.net import Net
from tests.kit import samples
from tests.kit.model_files import rewritten, set_version
from tests.kit.nets import NETS


@pytest.fixture
def saved(tmp_path):
    model = samples.random_model(NETS[0], np.random.default_rng(0))
    path = tmp_path / "a.dbnet"
    model.save(path)
    return model, path


def test_a_file_comes_back_as_it_was(saved):
    model, path = saved
    again = load(path)
    assert again.net == model.net
    assert (again.features, again.classes, again.provenance) == (model.features, model.classes, model.provenance)
    for a, b in zip(again.soft_weights, model.soft_weights, strict=True):
        assert (a is None and b is None) or np.array_equal(a, b)
    assert again.to_bytes() == path.read_bytes()
    assert again.digest() == model.digest()


def test_weight_bits_are_stored_one_bit_each(saved):
    model, path = saved
    tensors = safetensors.numpy.load_file(path)
    packed = sum(t.size for name, t in tensors.items() if name.endswith(".bits"))
    assert packed == sum(-(-w.size // 8) for w in model.weights if w is not None)


def test_every_bit_flip_is_noticed(saved):
    _, path = saved
    whole = path.read_bytes()
    for place in np.random.default_rng(0).permutation(len(whole) * 8)[:2000]:
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        with pytest.raises(DbhwError, match=f"^model file {path}"):
            load(path)


def test_every_cut_is_noticed(saved):
    _, path = saved
    whole = path.read_bytes()
    for length in [0, 1, 7, 8, 9, 100, len(whole) // 2, len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(DbhwError, match=f"^model file {path} must be a whole safetensors file"):
            load(path)


def set_layer(entry, content, tensors):
    content["net"]["layers"][0]["layer"] = "os.system"


def set_layers_within_layers(entry, content, tensors):
    layer = content["net"]["layers"][0]
    for _ in range(400):
        layer = {"layer": "skip", "of": layer}
    content["net"]["layers"][0] = layer


def set_no_layer_within_a_layer(entry, content, tensors):
    content["net"]["layers"][0] = {"layer": "skip", "of": "os.system"}


def set_width(entry, content, tensors):
    content["net"]["layers"][1]["width"] = 10**12


def set_weights(entry, content, tensors):
    tensors["layer1.bits"] = tensors["layer1.bits"] ^ 1


def set_names(entry, content, tensors):
    content["features"] = []


def set_nothing_like_a_net(entry, content, tensors):
    content["net"] = [1, 2]


def without_classes(entry, content, tensors):
    del content["classes"]


def without_provenance(entry, content, tensors):
    del content["provenance"]


def set_provenance(entry, content, tensors):
    content["provenance"] = [1, 2]


@pytest.mark.parametrize("change", [without_classes, without_provenance, set_provenance])
def test_files_that_lack_an_entry_are_refused(saved, change):
    _, path = saved
    rewritten(path, change)
    with pytest.raises(DbhwError, match=f"^model file {path} must be a whole safetensors file"):
        load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_version, "must be of format 3 or older, not 99: update dbhw"),
        (set_layer, "layer must be one of beside, bucket_any, .*, not 'os.system'"),
        (set_layers_within_layers, "must be a whole safetensors file|must"),
        (set_no_layer_within_a_layer, "must be a whole safetensors file, but it is damaged or cut short"),
        (set_width, "must be a whole safetensors file|must get 27 bits"),
        (set_weights, "must be a whole safetensors file, but it is damaged or cut short"),
        (set_names, "must be a whole safetensors file, but it is damaged or cut short"),
        (set_nothing_like_a_net, "must be a whole safetensors file, but it is damaged or cut short"),
    ],
)
def test_hostile_files_are_refused(saved, change, message):
    _, path = saved
    rewritten(path, change)
    with pytest.raises(DbhwError, match=f"^model file {path}:? .*({message})"):
        load(path)


def test_another_safetensors_file_is_refused(tmp_path):
    path = tmp_path / "other.safetensors"
    path.write_bytes(safetensors.numpy.save({"a": np.zeros(3)}))
    with pytest.raises(DbhwError, match="must be a dbhw model, not another safetensors file"):
        load(path)


def test_an_interrupted_write_leaves_the_old_file(saved, monkeypatch):
    model, path = saved
    before = path.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(DbhwError, match="must be a place that can be written: No space left on device"):
        model.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([[0, 1]], r"data must have 8 columns of bits, not shape \[1, 2\]"),
        ([[0, 1, 0, 1, 0, 1, 0, 3]], "data values must be bits 0 or 1, not 3"),
        ([[0, 1, 0, 1, 0, 1, 0, np.nan]], "data values must be bits 0 or 1, not nan"),
    ],
)
def test_wrong_inputs_are_refused(saved, x, message):
    with pytest.raises(DbhwError, match=message):
        saved[0].predict(np.array(x))


def test_nets_that_cannot_be_are_refused():
    from dbhw.nn.layers.bucket_sum import BucketSum
    from dbhw.nn.layers.conjunction import Conjunction
    from dbhw.nn.layers.count import Count
    from dbhw.nn.layers.negation import Negation
    from dbhw.nn.layers.patches import Patches
    from dbhw.nn.layers.reshape import Reshape

    for message, make in {
        "net inputs must be a whole number of at least 1, not 0": lambda: Net(0, []),
        "conjunction width must be a whole number of at least 1, not 0": lambda: Net(3, [Conjunction(width=0)]),
        r"conjunction must get a vector, not shape \[2, 3\]; put a reshape before it": lambda: Net(
            3, [Negation(width=2), Conjunction(width=1)]
        ),
        r"reshape to \[2, 2\] must get 4 bits, not 3": lambda: Net(3, [Reshape(shape=(2, 2))]),
        "count k must be at most the 3 inputs, not 4": lambda: Net(3, [Count(k=4)]),
        "patches of 2 by 3 must get 6 bits, not 5": lambda: Net(5, [Patches(rows=2, columns=3, size=2, stride=1)]),
        "patches size must be at most 2, not 3": lambda: Net(6, [Patches(rows=2, columns=3, size=3, stride=1)]),
        "patches stride must be a whole number of at least 1, not 0": lambda: Net(
            6, [Patches(rows=2, columns=3, size=2, stride=0)]
        ),
        "bucket_sum must be the last layer: the others take bits, not integers": lambda: Net(
            4, [BucketSum(buckets=2), Conjunction(width=1)]
        ),
    }.items():
        with pytest.raises(DbhwError, match=f"^{message}$"):
            make()
