"""The zoo: its files are those of its figures, its figures are right, and a name works wherever a model file does."""

import argparse
import hashlib
import json
import re
import shutil

import numpy as np
import pytest
from sklearn import datasets

from bench import zoo as bench
from dbhw import DbhwError, commands, zoo
from dbhw.data.tables.split import split
from dbhw.fpga.synth import synthesise
from dbhw.rtl.verilog.emit import emit
from tests.kit.command_line import run

MOST_BYTES = 100 * 1024
OF_SCIKIT = {"iris", "wine", "breast-cancer", "digits"}
# What a command wants besides a model; a new command is tried without anything.
WANTED = {
    "build": ["--board", "icestick", "-o", "out"],
    "emit": ["-o", "out"],
    "eval": ["--data", "iris"],
    "load": ["--port", "none"],
    "run": ["--data", "iris", "--port", "none"],
    "verify": ["--implies", "a -> b"],
    "weights": ["-o", "out"],
    "wrap": ["--for", "wishbone", "-o", "out"],
}


def takes_a_model(name):
    parser = argparse.ArgumentParser()
    commands.PLUGINS.module(name).arguments(parser)
    return any(action.dest == "model" for action in parser._actions)


def test_every_file_has_its_digest_and_every_entry_its_file():
    files = {path.stem: path.read_bytes() for path in zoo.FOLDER.glob("*.dbnet")}
    assert sorted(files) == sorted(zoo.names()) == sorted(bench.ENTRIES)
    for name, raw in files.items():
        assert zoo.find(name).bytes == len(raw) <= MOST_BYTES
        made, kept = bench.ENTRIES[name], zoo.find(name)
        assert (kept.data, kept.made_by, kept.seed) == (made.data, made.made_by, made.seed)
        assert kept.sha256 == hashlib.sha256(raw).hexdigest()
        assert zoo.load(name).provenance["data_sha256"]


@pytest.mark.parametrize("name", [name for name, entry in zoo.entries().items() if entry.data in OF_SCIKIT])
def test_the_accuracy_is_that_of_the_test_rows(name):
    """From scikit-learn's own numbers, without the code that prepares tables."""
    entry, model = zoo.find(name), zoo.load(name)
    table = getattr(datasets, f"load_{entry.data.replace('-', '_')}")()
    rows = split(table.target, seed=0, validation=0.0).test
    features = [re.sub(r"\W+", "_", feature.split(" (")[0]) for feature in table.feature_names]
    x = table.data[rows][:, [features.index(column.name) for column in model.columns]]
    found = [model.classes[label] for label in model.predict(x)]
    right = np.mean([a == str(table.target_names[b]) for a, b in zip(found, table.target[rows], strict=True)])
    assert (len(rows), right) == (entry.test_examples, pytest.approx(entry.test_accuracy))


@pytest.mark.parametrize(("target", "lut_inputs"), [("xilinx", 6), ("ice40", 4)])
def test_the_size_is_that_after_synthesis(target, lut_inputs):
    emitted = emit(zoo.load("iris-small"), lut_inputs=lut_inputs)
    area = synthesise(emitted.verilog, target, emitted.module)
    kept = zoo.find("iris-small").sizes[target]
    assert (kept.luts, kept.depth) == (area.luts, area.depth)


def test_a_swapped_or_damaged_file_is_refused(tmp_path):
    for name in ("iris-small.dbnet", "zoo.json"):
        shutil.copy(zoo.FOLDER / name, tmp_path)
    path = tmp_path / "iris-small.dbnet"
    assert zoo.load("iris-small", tmp_path).classes == ("setosa", "versicolor", "virginica")
    refused = "model iris-small of the zoo must match its digest, but .*iris-small.dbnet does not: install dbhw again"
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[-1] ^= 1
    for other in (bytes(changed), whole[:-1], b"", (zoo.FOLDER / "wine-small.dbnet").read_bytes()):
        path.write_bytes(other)
        with pytest.raises(DbhwError, match=refused):
            zoo.load("iris-small", tmp_path)
    path.unlink()
    with pytest.raises(DbhwError, match=r"file .*iris-small.dbnet must be readable: No such file"):
        zoo.load("iris-small", tmp_path)


@pytest.mark.parametrize("command", [name for name in commands.PLUGINS.names() if takes_a_model(name)])
def test_every_command_knows_the_zoo(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    error = f"dbhw: model of the zoo must be one of {', '.join(zoo.names())}, not 'iris-huge'\n"
    assert run(capsys, command, "zoo:iris-huge", *WANTED.get(command, [])) == (2, "", error)
    assert list(tmp_path.iterdir()) == []


def test_a_model_of_the_zoo_is_evaluated_on_its_data(capsys):
    code, out, _ = run(capsys, "eval", "zoo:iris-small", "--data", "iris", "--json")
    found, kept = json.loads(out), zoo.find("iris-small")
    assert (code, found["examples"], found["mismatches"]) == (0, kept.test_examples, 0)
    assert found["hard_accuracy"] == pytest.approx(kept.test_accuracy)
    code, out, _ = run(capsys, "explain", "zoo:iris-small")
    assert code == 0
    assert "petal_width" in out


def test_data_with_other_integers_is_refused(capsys, tmp_path):
    """As many bits, but other ones: another split has other ranges."""
    from dataclasses import replace

    model = zoo.load("iris-small")
    first, *others = model.columns
    replace(model, columns=(replace(first, scale=0.2), *others)).save(tmp_path / "a.dbnet")
    error = "dbhw: data iris must have the model's columns and their integers, but it has others\n"
    assert run(capsys, "eval", tmp_path / "a.dbnet", "--data", "iris") == (2, "", error)


def test_the_list(capsys):
    code, out, _ = run(capsys, "zoo")
    assert (code, len(out.splitlines())) == (0, len(zoo.names()) + 2)
    code, out, _ = run(capsys, "zoo", "--json")
    first = json.loads(out)["models"][0]
    assert (code, first["name"], first["sha256"]) == (0, zoo.names()[0], zoo.find(zoo.names()[0]).sha256)
    assert set(first["sizes"]) == {"ecp5", "gowin", "ice40", "xilinx"}


def test_the_bench_makes_a_model_that_loads_and_measures_it_again(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(bench.ENTRIES, "toy", bench.OfRecipe("toy-1", "toy-1"))
    monkeypatch.setattr(zoo, "FOLDER", tmp_path)
    assert bench.main(["--only", "toy", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["models"]["toy"]
    assert (made["data"], made["made_by"], made["test_accuracy"], made["test_examples"]) == (
        "toy-1",
        "recipe toy-1",
        1,
        2,
    )
    model = zoo.load("toy", tmp_path)
    assert model.predict(np.array([[0], [1]])).tolist() == [0, 1]
    kept = (tmp_path / "zoo.json").read_text()
    (tmp_path / "zoo.json").write_text(kept.replace('"test_accuracy": 1.0', '"test_accuracy": 0.5'))
    assert bench.main(["--only", "toy", "--measure"]) == 0
    assert (tmp_path / "zoo.json").read_text() == kept
    with pytest.raises(DbhwError, match=r"model of the zoo must be one of .*, not 'lion'"):
        bench.main(["--only", "lion"])


def test_a_file_that_is_too_large_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setitem(bench.ENTRIES, "toy", bench.OfRecipe("toy-1", "toy-1"))
    monkeypatch.setattr(bench, "MOST_BYTES", 100)
    with pytest.raises(DbhwError, match=r"file of toy must have at most 100 bytes, not \d+"):
        bench.make(["toy"], tmp_path, train=True, placed=[])
    assert list(tmp_path.iterdir()) == []
