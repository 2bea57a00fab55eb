"""Training a recipe: restarts, trial, teacher, and what a run that was interrupted does not do again."""

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from dbhw import recipes
from dbhw.base import terminal
from dbhw.data.dataset import Data, Split
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.conjunction import Conjunction
from dbhw.nn.layers.disjunction import Disjunction
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.with_negation import WithNegation
from dbhw.nn.net import Net
from dbhw.train import fit as fitting
from dbhw.train.fit import fit, fit_many
from dbhw.train.policy import Watch, fit_recipe, fit_recipe_many, lesson, restart_seeds
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Settings
from tests.kit import samples

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


@cache
def xor_starts():
    """A net that not every start gets right, its data, settings and four starts; and which of them is best by far."""
    x = some_data(1).x
    net, data = (
        Net(4, [WithNegation(), Conjunction(6), Negation(4), Harden(), BucketSum(2)]),
        Data.of(x, x[:, 0] ^ x[:, 1]),
    )
    settings, seeds = Settings(epochs=80, learning_rate=0.05), restart_seeds(0, 4)
    models = [fit(net, data, replace(settings, seed=seed)) for seed in seeds]
    right = [(model.predict(data.x) == data.y).mean() for model in models]
    best = int(np.argmax(right))
    assert best != 0  # or keeping it would show nothing
    assert right.count(right[best]) == 1
    return net, data, settings, seeds, best


def same_record(found, wanted):
    """Nets that are trained together differ from one trained alone by rounding, which their curves may show."""
    assert {**found, "curve": None} == {**wanted, "curve": None}
    for name, values in wanted["curve"].items():
        np.testing.assert_allclose(found["curve"][name], values, rtol=1e-3)


def same_model(found, wanted):
    same_record(found.provenance, wanted.provenance)
    for one, other in zip(found.weights, wanted.weights, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_recipe_is_trained_on_its_own_data_with_its_own_seed():
    toy = recipes.find("toy-2", seed=3)
    same_model(fit_recipe(toy), fit(toy.net, toy.data.train, replace(toy.settings, seed=3)))


def test_many_seeds_of_a_recipe_use_its_data_where_none_is_given():
    part = some_data(0)
    recipe = Recipe(NET, Split(part, part), Settings(epochs=5, learning_rate=0.02))
    for found, wanted in zip(
        fit_recipe_many(recipe, [4, 5]), fit_many(NET, [part, part], recipe.settings, [4, 5]), strict=True
    ):
        same_model(found, wanted)


def test_of_several_starts_the_best_is_kept():
    net, data, settings, seeds, best = xor_starts()
    [kept] = fit_recipe_many(Recipe(net, None, settings, restarts=4), [0], [data])
    same_model(kept, fit(net, data, replace(settings, seed=seeds[best])))


def test_only_the_start_that_is_ahead_after_the_trial_is_trained_to_the_end():
    net, data, settings, seeds, ahead = xor_starts()
    settings = replace(settings, epochs=160)
    [kept] = fit_recipe_many(Recipe(net, None, settings, restarts=4, trial=80), [0], [data])
    same_model(kept, fit(net, data, replace(settings, seed=seeds[ahead])))


def test_a_lesson_is_the_examples_and_what_the_teacher_says_beside_them():
    random = np.random.default_rng(3)
    data = Data.of(random.integers(0, 2, (6, 5)), random.integers(0, 2, 6))
    teacher = samples.random_model(Net(5, [WithNegation(), Conjunction(2)]), random)
    examples = {tuple(row) for row in data.x.tolist()}
    beside = {tuple(bit ^ (i == k) for i, bit in enumerate(row)) for row in examples for k in range(5)} - examples
    wanted = [(*row, label) for row, label in zip(data.x.tolist(), data.y.tolist(), strict=True)] * 20
    wanted += [(*row, int(teacher.predict(np.array([row]))[0])) for row in beside]
    found = lesson(data, teacher)
    assert sorted((*row, label) for row, label in zip(found.x.tolist(), found.y.tolist(), strict=True)) == sorted(
        wanted
    )


def test_the_teacher_is_trained_on_the_data_and_the_student_on_its_lesson():
    net, data, settings, _, _ = xor_starts()
    teacher = Recipe(NET, None, Settings(epochs=40, learning_rate=0.05), name="rule")
    [kept] = fit_recipe_many(Recipe(net, None, settings, teacher=teacher), [0], [data])
    alone = fit(net, lesson(data, fit(NET, data, teacher.settings)), settings)
    same_record(kept.provenance, {**alone.provenance, "data_sha256": data.digest(), "teacher": "rule"})
    for one, other in zip(kept.weights, alone.weights, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_run_that_was_interrupted_in_its_trial_goes_on_there(monkeypatch, tmp_path):
    net, data, settings, _, _ = xor_starts()
    teacher = Recipe(NET, None, Settings(epochs=40, learning_rate=0.05), name="rule")
    recipe = Recipe(net, None, replace(settings, epochs=100), restarts=2, trial=80, teacher=teacher)
    run = partial(fit_recipe_many, recipe, [0], [data], Watch("test", tmp_path / "state", checkpoint_every=20))
    [wanted] = fit_recipe_many(recipe, [0], [data])
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
        run()
    [resumed] = run()
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
