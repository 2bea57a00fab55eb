"""The command line as users and programs see it: JSON keys, exit codes, and errors of one line."""

import json
import subprocess
import sys

import numpy as np
import pytest

from dbhw import load
from dbhw.logic import passes
from dbhw.nn.layers.majority import Majority
from dbhw.nn.net import Net
from dbhw.rtl.verilog.manifest import Manifest
from dbhw.tools import yosys
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.nets import NETS


def as_json(capsys, *arguments):
    code, out, err = run(capsys, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def test_train_and_eval(capsys, tmp_path):
    path = tmp_path / "xor.dbnet"
    trained = as_json(capsys, "train", "noisy-xor", "-o", path, "--seed", 0, "--epochs", 3)
    assert list(trained) == ["recipe", "seed", "epochs", "seconds", "train_accuracy", "test_accuracy"]
    evaluated = as_json(capsys, "eval", path, "--data", "noisy-xor")
    assert list(evaluated) == ["examples", "soft_accuracy", "hard_accuracy", "mismatches", "engine"]
    assert evaluated["examples"] == 5000
    assert evaluated["mismatches"] == 0
    assert evaluated["hard_accuracy"] == trained["test_accuracy"] == evaluated["soft_accuracy"]


def test_emit(capsys, model_file, tmp_path):
    as_json(capsys, "emit", model_file, "-o", tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["manifest.json", "net.il", "net.v", "vectors.json"]
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    timing = ["pipeline", "latency", "interval", "fold", "clock", "stream"]
    assert list(manifest) == ["module", "inputs", "outputs", *timing, "model_sha256", "verilog_sha256"]
    assert [manifest[name] for name in timing] == ["comb", 0, 1, 1, None, None]
    assert [(p["name"], p["width"]) for p in manifest["inputs"]] == [("x", 8)]
    assert [p["name"] for p in manifest["outputs"]] == ["label", "scores"]
    vectors = json.loads((tmp_path / "out/vectors.json").read_text())
    assert vectors["verilog_sha256"] == manifest["verilog_sha256"]
    assert len(vectors["inputs"]["x"]) == 256


def test_loadable_weights(capsys, model_file, tmp_path):
    """Emitting hardware for a shape, and the bytes that put another model of that shape into it."""
    shown = as_json(capsys, "emit", model_file, "-o", tmp_path / "out", "--weights", "loadable")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        *("manifest.json", "net.il", "net.v", "vectors.json", "weights.bin")
    ]
    entry = json.loads((tmp_path / "out/manifest.json").read_text())["weights"]
    assert shown["weights"] == entry
    assert list(entry) == ["bits", "bytes", "shape", "digest_at_reset", "layers", "reset", "inputs", "outputs"]
    sizes = [(e["layer"], e["first"], e["shape"]) for e in entry["layers"]]
    assert sizes == [("disjunction 8 -> 6", 0, [6, 8]), ("negation 6 -> 4x6", 48, [4, 6])]
    assert (tmp_path / "out/weights.bin").stat().st_size == entry["bytes"] == 36 + 9 + 4
    other = tmp_path / "other.dbnet"
    samples.random_model(NETS[2], np.random.default_rng(1)).save(other)
    made = as_json(capsys, "weights", other, "-o", tmp_path / "b.bin", "--emitted", tmp_path / "out")
    assert list(made) == ["output", "bytes", "bits", "shape", "digest", "model_sha256"]
    assert (made["bytes"], made["shape"]) == (entry["bytes"], entry["shape"])
    assert made["digest"] != entry["digest_at_reset"]
    assert int(made["digest"], 16) == int.from_bytes((tmp_path / "b.bin").read_bytes()[-4:], "little")
    area = as_json(capsys, "synth", model_file, "--target", "ice40", "--weights", "loadable")
    # A weight has a register in use and one in the chain; then the CRCs, and what the load port counts with.
    assert 2 * entry["bits"] + 2 * 32 < area["ffs"] < 2 * entry["bits"] + 160
    assert area["depth"] < 40
    assert as_json(capsys, "prove", model_file, "--target", "ice40", "--weights", "loadable")["proved"]


def test_weights_of_another_shape_are_told(capsys, model_file, tmp_path):
    other = tmp_path / "other.dbnet"
    samples.random_model(NETS[1], np.random.default_rng(1)).save(other)
    bare = tmp_path / "bare.dbnet"
    samples.random_model(Net(8, [Majority()]), np.random.default_rng(1)).save(bare)
    assert run(capsys, "emit", bare, "-o", tmp_path / "out", "--weights", "loadable") == (
        *(2, ""),
        "dbhw: net must have weights to be loadable, but it has none\n",
    )
    assert not (tmp_path / "out").exists()
    run(capsys, "emit", model_file, "-o", tmp_path / "out")
    code, out, err = run(capsys, "weights", other, "-o", tmp_path / "b.bin", "--emitted", tmp_path / "out")
    message = f"dbhw: hardware in {tmp_path}/out must have loadable weights: emit it with --weights loadable\n"
    assert (code, out, err) == (2, "", message)
    run(capsys, "emit", model_file, "-o", tmp_path / "out", "--weights", "loadable")
    shape = Manifest.read(tmp_path / "out/manifest.json").weights.shape
    code, out, err = run(capsys, "weights", other, "-o", tmp_path / "b.bin", "--emitted", tmp_path / "out")
    assert (code, out) == (2, "")
    assert err.startswith(f"dbhw: model must have the shape {shape} of {tmp_path}/out, not ")
    (tmp_path / "out/manifest.json").write_text("{}")
    code, out, err = run(capsys, "weights", other, "-o", tmp_path / "b.bin", "--emitted", tmp_path / "out")
    damaged = f"dbhw: file {tmp_path}/out/manifest.json must be a manifest: manifest must have module\n"
    assert (code, out, err) == (2, "", damaged)
    assert not (tmp_path / "b.bin").exists()


def test_sim_prove_synth_explain(capsys, model_file):
    seen = as_json(capsys, "sim", model_file, "--simulator", "verilator", "--vectors", "all")
    assert list(seen) == ["simulator", "vectors", "mismatches", "build_seconds", "vectors_per_second"]
    assert (seen["vectors"], seen["mismatches"]) == (256, 0)
    proof = as_json(capsys, "prove", model_file, "--target", "ice40")
    assert proof["proved"] is True
    assert [list(step) for step in proof["steps"]] == [["name", "proved", "seconds", "differs_in", "undecided"]] * 3
    area = as_json(capsys, "synth", model_file, "--target", "ice40", "--passes")
    assert list(area) == ["target", "luts", "ffs", "carries", "depth", "rams", "layers", "passes"]
    assert area["luts"] > 0
    assert [area["layers"][i]["layer"] for i in (0, -1)] == ["encoder", "argmax"]
    assert sum(row["luts"] for row in area["layers"]) > 0
    assert [row["pass"] for row in area["passes"]] == ["lowered", *passes.DEFAULT]
    assert area["passes"][-1]["luts"] == area["luts"]
    assert as_json(capsys, "explain", model_file)["program"].startswith("def net(x0, ")
    assert as_json(capsys, "explain", model_file, "--symbolic")["program"].startswith("def net(x0, ")
    assert len(as_json(capsys, "layers")["layers"]) >= 15


@pytest.mark.parametrize("target", ["ecp5", "gowin", "ice40", "xilinx"])
def test_every_target_is_proved(capsys, model_file, target):
    assert as_json(capsys, "prove", model_file, "--target", target)["proved"]


def test_a_failed_check_exits_with_1(capsys, model_file, monkeypatch, tmp_path):
    """A core whose Verilog is broken: the bench names input, expected and found, and the proof refuses."""
    from dbhw.rtl.verilog import emit as emitter

    def broken(*arguments):
        verilog = original(*arguments)
        changed = verilog.replace(" > ", " < ", 1)
        assert changed != verilog
        return changed

    original = emitter.write
    monkeypatch.setattr(emitter, "write", broken)
    monkeypatch.chdir(tmp_path)  # the waves of a mismatch are written there
    code, out, err = run(capsys, "sim", model_file, "--vectors", "all", "--json")
    assert code == 1
    assert json.loads(out)["mismatches"] > 0
    first = json.loads(err.removeprefix("first mismatch: "))
    assert {"vector", "input", "expected", "found"} < set(first)
    assert (tmp_path / first["waves"]).read_text().startswith("$")
    assert first["expected"] != first["found"]
    code, out, _ = run(capsys, "prove", model_file, "--target", "ice40", "--json")
    assert code == 1
    assert json.loads(out)["proved"] is False


def test_a_file_broken_by_hand_is_caught(capsys, model_file, tmp_path, monkeypatch):
    """Flip one operator in the emitted Verilog: the bench and the proof both say so."""
    monkeypatch.chdir(tmp_path)  # the waves of a mismatch are written there
    run(capsys, "emit", model_file, "-o", tmp_path)
    net = tmp_path / "net.v"
    whole = net.read_text()
    assert run(capsys, "prove", model_file, "--verilog", net)[0] == 0
    net.write_text(whole.replace(" | ", " & ", 1))
    assert net.read_text() != whole
    assert run(capsys, "prove", model_file, "--verilog", net)[0] == 1
    code, out, err = run(capsys, "sim", model_file, "--verilog", net, "--vectors", "all", "--json")
    assert code == 1
    assert json.loads(out)["mismatches"] > 0
    assert err.startswith("first mismatch: ")
    net.write_text("no Verilog")
    code, _, err = run(capsys, "prove", model_file, "--verilog", net)
    assert code == 2
    assert err.startswith(f"dbhw: file {net} must be Verilog with this net's module and ports: yosys failed: ")


def csv(folder, text):
    path = folder / "data.csv"
    path.write_text(text)
    return path


ROW = "0,1,0,1,0,1,0,1"
NUMBERS = "a net of bits was asked for; dbhw train data.csv makes one for numbers and words"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "data file {path} must have at least one row of values, but it is empty"),
        ("a,b,y\n", "data file {path} must have at least one row of values, but it has none"),
        ("0,1,1\n", "data {path} must have 8 features for this net, not 2"),
        (
            f"{ROW},0\n0,1,1\n",
            "row 2 of {path} must have 9 cells like the first row, not 3; "
            "put cells that have the separator in them into quotes, or say --separator",
        ),
        ("0,1,0,1,0,1,0,2,0\n", f"column x7 of {{path}} must be bits 0 or 1, but row 1 has 2: {NUMBERS}"),
        ("0,1,0,1,0,1,0,nan,0\n", f"column x7 of {{path}} must be bits 0 or 1, but row 1 has an empty cell: {NUMBERS}"),
        (f"{ROW},nan\n", "label x8 of {path} must be a class in row 1, but the cell is empty"),
        (f"{ROW},-1\n", "labels of {path} must be whole numbers from 0 to 65535, not -1.0"),
        (
            f"{ROW},inf\n",
            "column x8 of {path} must have finite numbers, but row 1 has 'inf': "
            "correct it, or leave the column out with --drop x8",
        ),
        (f"{ROW},1700000000000\n", "labels of {path} must be whole numbers from 0 to 65535, not 1700000000000.0"),
        (f"{ROW},4\n", "data {path} must have at most the net's 4 classes, not 5"),
        (
            f"{ROW},0\n0,1,0,1,0,1,x,1,0\n",
            "column x6 of {path} must have numbers, but row 2 has 'x': correct it, or say --types x6=category for "
            "words, or --empty for a word that means an empty cell",
        ),
    ],
)
def test_bad_csv(capsys, model_file, tmp_path, text, message):
    path = csv(tmp_path, text)
    code, out, err = run(capsys, "eval", model_file, "--data", path)
    assert (code, out, err) == (2, "", f"dbhw: {message.format(path=path)}\n")


def test_good_csv_and_npz(capsys, model_file, tmp_path):
    path = csv(tmp_path, f"a,b,c,d,e,f,g,h,label\n{ROW},0\n{ROW},3\n")
    assert as_json(capsys, "eval", model_file, "--data", path)["examples"] == 2
    npz = tmp_path / "data.npz"
    np.savez(npz, x=np.eye(8), y=np.zeros(8, int))
    assert as_json(capsys, "eval", model_file, "--data", npz)["examples"] == 8


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"features": "a"}, "data file {path} must hold features as a list of names, not of shape []"),
        ({"features": ["a", "b"]}, "features of {path} must be 8 names, one for each column, not 2"),
        ({"classes": [["a"]]}, "data file {path} must hold classes as a list of names, not of shape [1, 1]"),
        ({"y": np.zeros(8, complex)}, "column y must have numbers or words, not complex128"),
    ],
)
def test_bad_npz(capsys, model_file, tmp_path, arrays, message):
    path = tmp_path / "data.npz"
    np.savez(path, **{"x": np.eye(8), "y": np.zeros(8, int), **arrays})
    code, out, err = run(capsys, "eval", model_file, "--data", path)
    assert (code, out, err) == (2, "", f"dbhw: {message.format(path=path)}\n")


def test_a_model_of_data_that_lacks_a_class_can_be_loaded(capsys, tmp_path):
    data = csv(tmp_path, "very_cold,cold,warm,very_warm,outside,coat\n0,0,1,0,0,0\n")
    assert run(capsys, "train", "toy-2", "-o", tmp_path / "a.dbnet", "--epochs", 1, "--data", data)[0] == 0
    assert load(tmp_path / "a.dbnet").classes == ("class0", "class1")


def test_a_tool_that_fails_is_told_in_one_line(capsys, model_file, monkeypatch):
    monkeypatch.setattr("dbhw.fpga.synth.synthesise", lambda *_: yosys.run(["no_such_command"], "."))
    code, out, err = run(capsys, "synth", model_file)
    assert (code, out) == (3, "")
    assert err.startswith("dbhw: yosys failed: ")
    assert err.count("\n") == 1


def test_nothing_after_the_model_file_imports_jax(model_file, tmp_path):
    """All in one process, since starting Python takes longer than most of them do."""
    options = {
        "emit": ["-o", str(tmp_path / "out")],
        "prove": ["--target", "ice40"],
        "synth": ["--target", "ice40"],
        "explain": [],
        "sim": ["--vectors", "8"],
        "verify": ["--implies", "x0 -> x0"],
    }
    commands = [[command, str(model_file), *chosen] for command, chosen in options.items()]
    code = (
        f"import sys; from dbhw.cli import main\nfor line in {commands!r}:\n"
        "    assert main(line) == 0, line\n    assert 'jax' not in sys.modules, line"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
