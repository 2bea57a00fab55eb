"""The experiments of the paper: run, gone on with, told in a table, and refused when they have changed."""

import json

import numpy as np
import pytest

from dbhw import recipes, train
from dbhw.commands.train import fit_with_progress
from dbhw.data import Data
from dbhw.errors import DbhwError
from dbhw.layers.conjunction import Conjunction
from dbhw.layers.disjunction import Disjunction
from dbhw.layers.with_negation import WithNegation
from dbhw.net import Net
from dbhw.paper._results import Results
from dbhw.train import Settings, fit, fit_many
from tests.command_line import run


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
    with pytest.raises(DbhwError, match="must be as this command wrote them; remove the file"):
        Results(tmp_path / "a.json")


def test_a_soft_net_that_differs_fails_the_experiment(tmp_path, capsys):
    assert run(capsys, "paper", "toy-1", "-o", tmp_path, "--seeds", 1, "--only", "toy-1")[0] == 0
    path = tmp_path / "toy-1.json"
    stored = json.loads(path.read_text())
    stored["toy-1"]["seeds"]["0"]["mismatches"] = 1
    path.write_text(json.dumps(stored))
    assert run(capsys, "paper", "toy-1", "-o", tmp_path, "--seeds", 1, "--only", "toy-1")[0] == 1


NET = Net(4, [WithNegation(), Conjunction(6), Disjunction(2)])


def some_data(seed):
    x = np.random.default_rng(seed).integers(0, 2, (20 + seed, 4))
    return Data.of(x, x[:, 0] & x[:, 1])


@pytest.mark.parametrize("cache", [0, 2**19])  # nothing fits: one after the other; everything does: all together
def test_many_seeds_at_once_are_the_same_as_one_by_one(monkeypatch, cache):
    monkeypatch.setattr(train, "_CACHE", cache)
    settings, seeds = Settings(epochs=30, learning_rate=0.02), [3, 4, 5]
    data = [some_data(seed) for seed in seeds]  # of different lengths
    together = fit_many(NET, data, settings, seeds)
    for model, part, seed in zip(together, data, seeds, strict=True):
        alone = fit(NET, part, Settings(epochs=30, learning_rate=0.02, seed=seed))
        for found, wanted in zip(model.soft_weights, alone.soft_weights, strict=True):
            if wanted is not None:
                np.testing.assert_allclose(found, wanted, atol=1e-4)


def test_of_several_starts_the_best_is_kept():
    data = some_data(1)
    recipe = recipes.Recipe(NET, None, Settings(epochs=60, learning_rate=0.02), restarts=4)
    [best] = fit_with_progress(recipe, [data], [0], "test")
    single = fit(NET, data, Settings(epochs=60, learning_rate=0.02))
    right = [(model.predict(data.x) == data.y).mean() for model in (best, single)]
    assert right[0] >= right[1]
    assert best.provenance["settings"]["seed"] % 1_000_003 == 0


def test_a_charge_drops_what_only_fits_the_noise():
    random = np.random.default_rng(0)
    x = random.integers(0, 2, (80, 8))
    data = Data.of(x, x[:, 0] ^ (random.random(80) < 0.2))
    net = Net(8, [WithNegation(), Conjunction(12), Disjunction(2)])
    selected, right = {}, {}
    for sparsity in (0.0, 0.02):
        model = fit(net, data, Settings(epochs=400, learning_rate=0.02, sparsity=sparsity, dense_epochs=100))
        selected[sparsity] = sum(int((w > 0).sum()) for w in model.soft_weights if w is not None)
        right[sparsity] = (model.predict(x) == x[:, 0]).mean()
    assert selected[0.02] < selected[0.0]
    assert right[0.02] >= right[0.0]
