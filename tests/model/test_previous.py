"""Files of the last version: a model and its emitted folders, baked and loadable, are read and mean the same.

They were written by the commit before the rooms: `dbhw train toy-2`, then `dbhw emit --vectors 64`. Of the emitted
folders net.il is left out: nothing reads it.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from dbhw.base import files
from dbhw.data.sets import toy_2
from dbhw.model import message
from dbhw.model.model import load
from tests.kit.command_line import run

PREVIOUS = Path(__file__).parents[1] / "kit" / "previous"
DIGEST = "a2655f4bea0ba5977ed88b8192d3a98c16e31c78da7e9abb8ca8f29bfc985e0a"


@pytest.fixture(scope="module")
def model():
    return load(PREVIOUS / "toy-2.dbnet")


def read(kind, name):
    return json.loads((PREVIOUS / kind / name).read_text())


def test_the_model_is_what_it_was(model):
    data = toy_2.load().test
    assert model.digest() == DIGEST
    assert model.to_bytes() == (PREVIOUS / "toy-2.dbnet").read_bytes()
    assert model.predict(data.x).tolist() == data.y.tolist() == [1, 1, 0, 0, 1, 1, 0, 1]
    assert (model.features, model.classes) == (data.features, data.classes)
    assert model.provenance["settings"]["epochs"] == 300


@pytest.mark.parametrize("kind", message.KINDS)
def test_the_vectors_are_the_models(model, kind):
    vectors, manifest = read(kind, "vectors.json"), read(kind, "manifest.json")
    assert manifest["model_sha256"] == vectors["model_sha256"] == DIGEST
    digest = files.sha256((PREVIOUS / kind / "net.v").read_bytes())
    assert manifest["verilog_sha256"] == vectors["verilog_sha256"] == digest
    words = np.array([int(word, 16) for word in vectors["inputs"]["x"]])
    x = words[:, None] >> np.arange(5) & 1
    assert vectors["outputs"]["label"] == [f"{label:x}" for label in model.predict(x)]
    assert vectors["outputs"]["bits"] == [f"{int(low + 2 * high):x}" for low, high in model.scores(x)]


@pytest.mark.parametrize("kind", message.KINDS)
def test_the_verilog_is_still_proved(capsys, kind):
    verilog = PREVIOUS / kind / "net.v"
    code, out, _ = run(capsys, "prove", PREVIOUS / "toy-2.dbnet", "--verilog", verilog, "--weights", kind, "--json")
    assert (code, json.loads(out)["proved"]) == (0, True)


def test_the_weights_still_fit_the_hardware(model, capsys, tmp_path):
    sent = PREVIOUS / "loadable" / "weights.bin"
    assert message.encode(model) == sent.read_bytes()
    emitted, output = PREVIOUS / "loadable", tmp_path / "weights.bin"
    assert run(capsys, "weights", PREVIOUS / "toy-2.dbnet", "-o", output, "--emitted", emitted)[0] == 0
    assert output.read_bytes() == sent.read_bytes()
