"""The bench of tables: what it measures on one fold, and when it says that the goal is missed."""

import json

import pytest

from bench import tables


def test_the_bench_measures(capsys):
    less = ["--budget", "small", "--targets", "xilinx", "--others", "random forest"]
    assert tables.main(["--quick", "--json", "--only", "iris", *less]) == 0
    found = json.loads(capsys.readouterr().out)
    [row] = found["rows"]
    assert row["table"] == "iris"
    assert row["accuracy"] > 0.9
    assert 20 < row["luts"]["xilinx"] < 200
    assert list(row["others"]) == ["random forest"]
    assert found["behind_random_forest"] == pytest.approx(row["others"]["random forest"] - row["accuracy"])


def test_the_goal_is_about_the_mean_over_the_sets():
    ahead = tables.Row("a", [0.9], 1.0, {}, {tables.FOREST: 0.8})
    behind = tables.Row("b", [0.7], 1.0, {}, {tables.FOREST: 0.84})
    assert tables.behind([ahead, behind]) == pytest.approx(0.02)
    assert tables.behind([ahead, tables.Row("c", [0.7], 1.0, {})]) is None
