"""Manifests and test vectors as files: the keys of the last version, older and damaged files."""

import json

import numpy as np
import pytest

from dbhw.base.errors import DbhwError
from dbhw.data.stimuli import choose
from dbhw.rtl.loadable import emit_as
from dbhw.rtl.verilog.manifest import Manifest
from dbhw.rtl.verilog.vectors import Vectors
from tests.kit import samples
from tests.kit.nets import NETS

MODEL = samples.random_model(NETS[2], np.random.default_rng(0))
SIDES = ["inputs", "outputs"]
PORTS = [{"name": "label", "width": 2, "classes": list(MODEL.classes)}]
PORTS += [{"name": "scores", "width": 12, "fields": 4, "field_width": 3}]


@pytest.mark.parametrize(
    ("weights", "pipeline", "stream"),
    [("baked", "comb", False), ("baked", "stages=2", True), ("loadable", "comb", False)],
)
def test_files_keep_their_keys_and_read_back(tmp_path, weights, pipeline, stream):
    emitted = emit_as(weights, MODEL, pipeline=pipeline, stream=stream)
    vectors = Vectors.of(MODEL, emitted.manifest, choose(8, "8"))
    emitted.save(tmp_path, vectors)
    manifest, found = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("manifest", "vectors"))
    wires = {"input": {"valid": "x_valid", "ready": "x_ready"}, "output": {"valid": "y_valid", "ready": "y_ready"}}
    timing = {
        "latency": 2 if stream else 0,
        "clock": None if (weights, stream) == ("baked", False) else "clk",
        "stream": {"reset": "rst", **wires} if stream else None,
    }
    digests = {"model_sha256": MODEL.digest(), "verilog_sha256": emitted.manifest.verilog_sha256}
    load_port = manifest.pop("weights", None)
    assert manifest == {
        "module": "net",
        "inputs": [{"name": "x", "width": 8, "features": list(MODEL.features)}],
        "outputs": PORTS,
        "pipeline": pipeline,
        "interval": 1,
        "fold": 1,
        **timing,
        **digests,
    }
    assert (load_port is not None) == (weights == "loadable")
    assert list(found) == [*("model_sha256", "verilog_sha256", "latency", "clock", "stream"), *SIDES, "widths"]
    assert found["widths"] == {"x": 8, "label": 2, "scores": 12}
    assert {name: found[name] for name in (*timing, *digests)} == {**timing, **digests}
    scores = [sum(int(s) << 3 * i for i, s in enumerate(row)) for row in MODEL.scores(choose(8, "8"))]
    assert found["outputs"]["scores"] == [f"{s:x}" for s in scores]
    assert Manifest.read(tmp_path / "manifest.json") == emitted.manifest
    assert Vectors.read(tmp_path / "vectors.json") == vectors


def test_an_older_manifest_has_defaults_for_newer_keys(tmp_path):
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps({"module": "net", "inputs": [], "outputs": PORTS, "colour": "red"}))
    manifest = Manifest.read(path)
    timing = (manifest.pipeline, manifest.latency, manifest.clock, manifest.stream, manifest.weights)
    assert timing == ("comb", 0, None, None, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no JSON", "must be a manifest, but it is not JSON: emit again"),
        ("3", "must be a manifest: manifest must be an object, not 3"),
        ('{"module": "net"}', "must be a manifest: manifest must have inputs"),
        ('{"module": "net", "inputs": [3]}', "must be a manifest: inputs must be an object, not 3"),
        (
            '{"module": "net", "inputs": [{"name": "x", "width": true}]}',
            "must be a manifest: width must be a whole number, not True",
        ),
        (
            '{"module": "net", "inputs": [], "outputs": [], "weights": {"shape": "0"}}',
            "must be a manifest: weights must have bits",
        ),
    ],
)
def test_a_damaged_manifest_is_refused_in_one_line(tmp_path, text, message):
    path = tmp_path / "manifest.json"
    path.write_text(text)
    with pytest.raises(DbhwError) as refused:
        Manifest.read(path)
    assert str(refused.value) == f"file {path} {message}"
