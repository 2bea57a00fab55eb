"""`dbhw train FILE`, and what the other commands do with a model of integers."""

import json
import re
from types import SimpleNamespace

import pytest

from dbhw.cli import main
from dbhw.model.model import load
from tests.kit.command_line import run


def as_json(capsys, *arguments):
    code, out, _ = run(capsys, *arguments, "--json")
    assert code == 0
    return json.loads(out)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("beans")
    rows = [f"b{i},{i % 23 / 10},{['red', 'white'][i % 7 > 3]},{'old' if i % 23 > 9 else 'new'}" for i in range(200)]
    rows[5] = "b5,,red,new"
    (folder / "beans.csv").write_text("\n".join(["bean,weight (g),colour,age", *rows]) + "\n")
    arguments = ["--label", "age", "--missing", "most", "--budget", "small", "-o", str(folder / "beans.dbnet")]
    assert main(["train", str(folder / "beans.csv"), *arguments]) == 0
    return SimpleNamespace(folder=folder, table=folder / "beans.csv", model=folder / "beans.dbnet")


def test_the_accuracy_is_that_of_rows_never_trained_on(trained, capsys, tmp_path):
    arguments = ["--label", "age", "--missing", "most", "--budget", "small", "-o", tmp_path / "again.dbnet"]
    found = as_json(capsys, "train", trained.table, *arguments)
    assert found["rows"] == {"train": 130, "validation": 30, "test": 40}
    assert 0.85 < found["test_accuracy_from"] < found["test_accuracy"] <= found["test_accuracy_to"] <= 1
    assert 0.5 < found["largest_class"] < 0.6
    assert found["notes"] == ["column bean is left out: every row has another word"]
    assert load(tmp_path / "again.dbnet").digest() == load(trained.model).digest()


def test_the_same_test_rows_are_evaluated(trained, capsys):
    code, out, err = run(capsys, "eval", trained.model, "--data", trained.table, "--json")
    found = json.loads(out)
    assert (code, found["examples"], found["mismatches"]) == (0, 40, 0)
    assert "40 rows, the rows that were kept for testing" in err


def test_other_files_are_taken_whole_and_by_name(trained, capsys, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("age;colour;weight (g)\nold;red;2,2\nnew;white;0,1\n")
    code, out, err = run(capsys, "eval", trained.model, "--data", other, "--json")
    assert (code, json.loads(out)["examples"], json.loads(out)["hard_accuracy"]) == (0, 2, 1.0)
    assert "2 rows, all rows" in err


def test_it_is_explained_and_verified_in_the_users_terms(trained, capsys):
    code, out, _ = run(capsys, "explain", trained.model)
    assert code == 0
    assert out.startswith("def net(weight__g_, colour):")
    assert re.search(r"weight__g_ (>=|<) \d\.\d5", out)
    assert run(capsys, "verify", trained.model, "--implies", "'weight (g)' >= 0 or 'weight (g)' < 0")[0] == 0
    code, out, _ = run(capsys, "verify", trained.model, "--implies", "colour == red -> old")
    assert code == 1
    assert "FAILS on weight (g) = " in out


def test_hardware_has_the_users_ports_and_is_proved(trained, capsys, tmp_path):
    assert run(capsys, "emit", trained.model, "-o", tmp_path / "out")[0] == 0
    verilog = (tmp_path / "out" / "net.v").read_text()
    assert "input wire [4:0] weight_g,\n" in verilog
    assert "localparam CLASS_NEW = 1'd0;" in verilog
    assert as_json(capsys, "prove", trained.model)["proved"]
    broken = verilog.replace("weight_g[4]", "weight_g[3]", 1)
    assert broken != verilog
    (tmp_path / "broken.v").write_text(broken)
    assert run(capsys, "prove", trained.model, "--verilog", tmp_path / "broken.v")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--epochs", "3"], "--epochs must come with a recipe, not with the table"),
        (["--budget", "tiny"], "budget must be one of small, medium, large, not 'tiny'"),
        (["--target", "cpld"], "target must be one of ecp5, gowin, ice40, xilinx, not 'cpld'"),
        (["--try", "0"], "try must be a whole number of at least 1, not 0"),
        (["--label", "size"], "column of --label must be one of bean, weight (g), colour, age in"),
        (["--missing", "error"], "column weight (g) of {table} must have a value in row 7, but the cell is empty"),
        (["--recipe", "none.py"], "recipe none.py must be a Python file, but there is none"),
        (["--recipe", "none.py", "--max-luts", "9"], "max luts must come without a recipe of your own"),
    ],
)
def test_wrong_arguments_are_told_in_one_line(trained, capsys, tmp_path, arguments, message):
    chosen = ["--missing", "most", "--label", "age", *arguments]
    code, out, err = run(capsys, "train", trained.table, "-o", tmp_path / "a.dbnet", *chosen)
    line = [line for line in err.splitlines() if not line.startswith("note: ")]
    assert (code, out, len(line)) == (2, "", 1)
    assert message.format(table=trained.table) in line[0]
    assert not (tmp_path / "a.dbnet").exists()
