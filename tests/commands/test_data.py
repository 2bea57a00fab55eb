"""`dbhw data`: what is understood of a table, for people and for programs."""

import json

import pytest

from tests.kit.command_line import run


@pytest.fixture
def beans(tmp_path):
    rows = "".join(f"{i + 1};{i % 7},5;{'red' if i % 3 else 'NA'};7;{'ab'[i % 2]}\n" for i in range(40))
    path = tmp_path / "beans.csv"
    path.write_text("id;weight;colour;lot;kind\n" + rows + "41;2,5;blue;7;a\n")
    return path


def test_people_see_columns_classes_split_and_notes(capsys, beans):
    code, out, err = run(capsys, "data", beans)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == f"{beans}: 41 rows, label kind"
    weight = next(line for line in lines if line.startswith("weight"))
    assert weight.split()[:8] == ["weight", "real", "0.5", "6.5", "7", "0.1", "0", "7"]
    assert "█" in weight
    assert next(line for line in lines if line.startswith("colour")).split()[:7] == [
        *("colour", "category", "blue", "red", "1", "14", "2")
    ]
    assert "split: train 27, validation 6, test 8 rows (stratified); 8 input bits" in lines
    assert [line for line in lines if line.startswith("note: ")] == [
        "note: label is column kind, the last one; --label says another",
        "note: column id is left out: it counts the rows",
        "note: column lot is left out: it is constant, 7",
        "note: 14 cells are empty: for training say --missing drop, most or own-bit",
    ]


def test_programs_see_the_same(capsys, beans):
    code, out, _ = run(capsys, "data", beans, "--missing", "own-bit", "--json")
    found = json.loads(out)
    assert code == 0
    assert list(found) == [
        *("file", "rows", "rows_kept", "label", "columns", "input_bits", "classes", "split", "notes")
    ]
    assert found["classes"] == [{"name": "a", "rows": 21}, {"name": "b", "rows": 20}]
    assert found["split"] == {"how": "stratified", "seed": 0, "rows": {"train": 27, "validation": 6, "test": 8}}
    assert found["input_bits"] == 9
    assert found["columns"][0]["left_out"] == "it counts the rows"
    assert {**found["columns"][1], "left_out": ""} == {
        "name": "weight",
        "kind": "real",
        "low": 0.5,
        "high": 6.5,
        "width": 7,
        "signed": False,
        "scale": 0.1,
        "offset": 0.0,
        "missing": 0,
        "distinct": 7,
        "left_out": "",
    }


def test_what_the_user_says(capsys, beans):
    options = ["--bits", "weight=s12", "--scale", "weight=0.25", "--drop", "id,lot", "--missing", "drop", "--groups"]
    code, out, err = run(capsys, "data", beans, *options, "weight", "--columns", "colour,weight", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [column["name"] for column in found["columns"]] == ["colour"]
    assert found["split"]["how"] == "groups of column weight"


def test_a_test_file_of_its_own(capsys, beans, tmp_path):
    (tmp_path / "test.csv").write_text("weight,colour,kind\n1.5,red,b\n2.5,blue,a\n")
    code, out, _ = run(capsys, "data", beans, "--test", tmp_path / "test.csv", "--missing", "drop", "--json")
    assert code == 0
    assert json.loads(out)["split"]["rows"]["test"] == 2
