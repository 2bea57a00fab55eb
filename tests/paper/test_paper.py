"""The experiments of the paper: run, gone on with, told in a table, and refused when they have changed."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dbhw import recipes
from dbhw.base import terminal
from dbhw.base.errors import DbhwError
from dbhw.data.dataset import Data
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.conjunction import Conjunction
from dbhw.nn.layers.disjunction import Disjunction
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.with_negation import WithNegation
from dbhw.nn.net import Net
from dbhw.paper.results import Results
from dbhw.train import fit as fitting
from dbhw.train.fit import fit, fit_many
from dbhw.train.policy import fit_recipe, restart_seeds
from dbhw.train.settings import Settings
from dbhw.train.teaching import taught
from tests.kit import samples
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
    monkeypatch.setattr(fitting, "_CACHE", cache)
    settings, seeds = Settings(epochs=30, learning_rate=0.02), [3, 4, 5]
    data = [some_data(seed) for seed in seeds]  # of different lengths
    together = fit_many(NET, data, settings, seeds)
    for model, part, seed in zip(together, data, seeds, strict=True):
        alone = fit(NET, part, Settings(epochs=30, learning_rate=0.02, seed=seed))
        for found, wanted in zip(model.soft_weights, alone.soft_weights, strict=True):
            if wanted is not None:
                np.testing.assert_allclose(found, wanted, atol=1e-4)


def xor_starts(epochs):
    """A net that not every start gets right, its data, settings and four starts; and which of them is best by far."""
    x = some_data(1).x
    net, data = (
        Net(4, [WithNegation(), Conjunction(6), Negation(4), Harden(), BucketSum(2)]),
        Data.of(x, x[:, 0] ^ x[:, 1]),
    )
    settings, seeds = Settings(epochs=epochs, learning_rate=0.05), restart_seeds(0, 4)
    models = [fit(net, data, replace(settings, seed=seed)) for seed in seeds]
    right = [(model.predict(data.x) == data.y).mean() for model in models]
    best = int(np.argmax(right))
    assert best != 0  # or keeping it would show nothing
    assert right.count(right[best]) == 1
    return net, data, settings, seeds, best


def same_model(found, wanted):
    assert found.provenance == wanted.provenance
    for one, other in zip(found.weights, wanted.weights, strict=True):
        np.testing.assert_array_equal(one, other)


def test_of_several_starts_the_best_is_kept():
    net, data, settings, seeds, best = xor_starts(epochs=80)
    [kept] = fit_recipe(recipes.Recipe(net, None, settings, restarts=4), [data], [0], "test")
    same_model(kept, fit(net, data, replace(settings, seed=seeds[best])))


def test_only_the_start_that_is_ahead_after_the_trial_is_trained_to_the_end():
    net, data, settings, seeds, ahead = xor_starts(epochs=80)
    settings = replace(settings, epochs=160)
    [kept] = fit_recipe(recipes.Recipe(net, None, settings, restarts=4, trial=80), [data], [0], "test")
    same_model(kept, fit(net, data, replace(settings, seed=seeds[ahead])))


def test_a_lesson_is_the_examples_and_what_the_teacher_says_beside_them():
    random = np.random.default_rng(3)
    data = Data.of(random.integers(0, 2, (6, 5)), random.integers(0, 2, 6))
    teacher = samples.random_model(Net(5, [WithNegation(), Conjunction(2)]), random)
    examples = {tuple(row) for row in data.x.tolist()}
    beside = {tuple(bit ^ (i == k) for i, bit in enumerate(row)) for row in examples for k in range(5)} - examples
    wanted = [(*row, label) for row, label in zip(data.x.tolist(), data.y.tolist(), strict=True)] * 20
    wanted += [(*row, int(teacher.predict(np.array([row]))[0])) for row in beside]
    lesson = taught(data, teacher)
    assert sorted((*row, label) for row, label in zip(lesson.x.tolist(), lesson.y.tolist(), strict=True)) == sorted(
        wanted
    )


def test_the_teacher_is_trained_on_the_data_and_the_student_on_its_lesson(monkeypatch):
    net, data, settings, _, _ = xor_starts(epochs=80)
    teacher = recipes.Recipe(NET, None, Settings(epochs=40, learning_rate=0.05))
    monkeypatch.setattr(recipes, "find", {"rule": teacher}.get)
    [kept] = fit_recipe(recipes.Recipe(net, None, settings, teacher="rule"), [data], [0], "test")
    alone = fit(net, taught(data, fit(NET, data, teacher.settings)), settings)
    assert kept.provenance == {**alone.provenance, "data_sha256": data.digest(), "teacher": "rule"}
    for one, other in zip(kept.weights, alone.weights, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_run_that_was_interrupted_in_its_trial_goes_on_there(monkeypatch, tmp_path):
    net, data, settings, _, _ = xor_starts(epochs=80)
    teacher = recipes.Recipe(NET, None, Settings(epochs=40, learning_rate=0.05))
    monkeypatch.setattr(recipes, "find", {"rule": teacher}.get)
    recipe = recipes.Recipe(net, None, replace(settings, epochs=100), restarts=2, trial=80, teacher="rule")
    run = [recipe, [data], [0], "test", tmp_path / "state", 20]
    [wanted] = fit_recipe(*run[:4])
    seen = []

    class Bar:
        n = 0

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def set_postfix(self, **_):
            seen.append(None)
            if len(seen) == 90:
                raise KeyboardInterrupt

        def update(self, _):
            pass

    monkeypatch.setattr(terminal, "progress", lambda *_: Bar())
    with pytest.raises(KeyboardInterrupt):  # in epoch 50 of the trial, after the 40 of the teacher
        fit_recipe(*run)
    [resumed] = fit_recipe(*run)
    assert len(seen) == 90 + 40 + 100  # not again: the teacher, and what the trial had saved
    same_model(resumed, wanted)


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
