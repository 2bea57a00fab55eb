"""The experiments of the paper: run, resumed, shown in a table, and refused when they have changed."""

import json

import pytest

from dbhw import recipes
from dbhw.base.errors import DbhwError
from dbhw.paper import experiments
from dbhw.paper.results import Results
from tests.kit.command_line import run


def test_a_table_beside_the_papers(tmp_path, capsys):
    code, out, _ = run(capsys, "paper", "toy-2", "-o", tmp_path, "--seeds", 3)
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["mean", "5", "%", "95", "%", "min", "max", "runs", "mismatches"]
    assert {line.split("  ")[0] for line in lines[2:]} >= {"toy-2", "decision tree", "neural network"}
    found = json.loads((tmp_path / "toy-2.json").read_text())["toy-2"]["seeds"]
    assert list(found) == ["0", "1", "2"]
    assert all(seed["mismatches"] == 0 for seed in found.values())
    assert (tmp_path / "toy-2.md").read_text().count("\n") == len(lines)


def test_seeds_that_are_known_are_not_trained_again(tmp_path, capsys):
    assert run(capsys, "paper", "toy-1", "-o", tmp_path, "--seeds", 2, "--only", "toy-1")[0] == 0
    path = tmp_path / "toy-1.json"
    stored = json.loads(path.read_text())
    stored["toy-1"]["seeds"]["1"]["accuracy"] = 0.125  # would be put right if it were trained again
    path.write_text(json.dumps(stored))
    assert run(capsys, "paper", "toy-1", "-o", tmp_path, "--seeds", 3, "--only", "toy-1")[0] == 0
    seeds = json.loads(path.read_text())["toy-1"]["seeds"]
    assert [seed["accuracy"] for seed in seeds.values()] == [1.0, 0.125, 1.0]


def test_results_of_something_else_are_refused(tmp_path):
    results = Results(tmp_path / "a.json")
    results.add("net", "ab", {0: {"accuracy": 1.0}})
    with pytest.raises(
        DbhwError, match="must come from the net, settings and data that 'net' has now; remove the file"
    ):
        Results(tmp_path / "a.json").seeds("net", "cd")
    (tmp_path / "a.json").write_text('{"net": 3}')
    with pytest.raises(DbhwError, match="must be a file of this command, but it cannot be read; remove it"):
        Results(tmp_path / "a.json")


def test_a_soft_net_that_differs_fails_the_experiment(tmp_path, capsys):
    assert run(capsys, "paper", "toy-1", "-o", tmp_path, "--seeds", 1, "--only", "toy-1")[0] == 0
    path = tmp_path / "toy-1.json"
    stored = json.loads(path.read_text())
    stored["toy-1"]["seeds"]["0"]["mismatches"] = 1
    path.write_text(json.dumps(stored))
    assert run(capsys, "paper", "toy-1", "-o", tmp_path, "--seeds", 1, "--only", "toy-1")[0] == 1


def test_single_starts_choose_among_no_nets_and_their_splits_are_independent():
    single, chosen = experiments.find("binary-iris-single"), experiments.find("binary-iris")
    recipe = recipes.find("noisy-xor")
    assert (single.starts(recipe).restarts, single.starts(recipe).trial) == (1, 0)
    assert chosen.starts(recipe) == recipe
    first_five = [[split.test.digest() for split in map(each.data, range(5))] for each in (single, chosen)]
    assert all(len(set(digests)) == 5 for digests in first_five)
    everyone = chosen.data(0).train.x.sum() + chosen.data(0).test.x.sum()
    dealt, drawn = (sum(each.data(seed).test.x.sum() for seed in range(5)) for each in (chosen, single))
    assert dealt == everyone != drawn
