"""Training a recipe: several starts of which the best is kept, a trial that drops those that lag, a teacher, polish.

All of it is judged by the training data alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dbhw.base import terminal
from dbhw.data.dataset import Data
from dbhw.model.model import Model
from dbhw.train.fit import fit, fit_many
from dbhw.train.polish import polish
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Progress
from dbhw.train.teaching import taught


def fit_recipe(
    recipe: Recipe,
    data: Sequence[Data],
    seeds: Sequence[int],
    label: str,
    checkpoint: str | Path | None = None,
    checkpoint_every: int = 100,
) -> list[Model]:
    """Trains a recipe's net once for each seed, with a progress bar that shows loss and hard accuracy.

    >>> from dbhw import recipes
    >>> toy = recipes.find("toy-1")
    >>> fit_recipe(toy, [toy.data.train], [0], "training")[0].predict(toy.data.test.x).tolist()
    [0, 1]
    """
    if recipe.teacher:
        return _taught(recipe, data, seeds, label, checkpoint, checkpoint_every)
    if recipe.trial:
        short = replace(recipe.settings, epochs=min(recipe.trial, recipe.settings.epochs))
        stage = _stage(checkpoint, "trial")
        ahead = _best_starts(replace(recipe, settings=short), data, seeds, f"{label}, trial", stage, checkpoint_every)
        recipe, seeds = replace(recipe, restarts=1), [model.provenance["settings"]["seed"] for model in ahead]
    best = _best_starts(recipe, data, seeds, label, checkpoint, checkpoint_every)
    return polish(best, data, seeds, recipe.polish) if recipe.polish else best


def _taught(
    recipe: Recipe,
    data: Sequence[Data],
    seeds: Sequence[int],
    label: str,
    checkpoint: str | Path | None,
    checkpoint_every: int,
) -> list[Model]:
    """Trains the teacher, then the recipe's net on the data and what the teacher adds to it."""
    stage = _stage(checkpoint, "teacher")
    assert recipe.teacher is not None
    teachers = fit_recipe(recipe.teacher, data, seeds, f"{label}, teacher", stage, checkpoint_every)
    lessons = [taught(part, teacher) for part, teacher in zip(data, teachers, strict=True)]
    students = fit_recipe(replace(recipe, teacher=None), lessons, seeds, label, checkpoint, checkpoint_every)
    own = [{"data_sha256": part.digest(), "teacher": recipe.teacher.name} for part in data]
    return [replace(m, provenance={**m.provenance, **of}) for m, of in zip(students, own, strict=True)]


def _stage(checkpoint: str | Path | None, name: str) -> str | None:
    """The checkpoint of what comes before the run itself, beside its own."""
    return None if checkpoint is None else f"{checkpoint}.{name}"


def _best_starts(
    recipe: Recipe,
    data: Sequence[Data],
    seeds: Sequence[int],
    label: str,
    checkpoint: str | Path | None,
    checkpoint_every: int,
) -> list[Model]:
    """For each seed, the best of the recipe's restarts."""
    with terminal.progress(recipe.settings.epochs, label) as bar:

        def on_epoch(p: Progress) -> None:
            bar.set_postfix(loss=f"{p.loss:.4f}", hard_accuracy=f"{p.accuracy:.3f}", refresh=False)
            bar.update(p.epoch - bar.n)

        options: dict[str, Any] = {
            "checkpoint_path": checkpoint,
            "checkpoint_every": checkpoint_every,
            "on_epoch": on_epoch,
        }
        if len(seeds) == recipe.restarts == 1:
            models = [fit(recipe.net, data[0], replace(recipe.settings, seed=seeds[0]), **options)]
        else:
            all_seeds = [s for seed in seeds for s in restart_seeds(seed, recipe.restarts)]
            all_data = [part for part in data for _ in range(recipe.restarts)]
            models = fit_many(recipe.net, all_data, recipe.settings, all_seeds, **options)
    tries = [models[i : i + recipe.restarts] for i in range(0, len(models), recipe.restarts)]
    return [best_of(models, part, recipe.tolerance) for models, part in zip(tries, data, strict=True)]


def restart_seeds(seed: int, restarts: int) -> list[int]:
    """The seeds of a run that starts several times and keeps the best.

    >>> restart_seeds(7, 3)
    [7, 1000010, 2000013]
    """
    return [seed + 1_000_003 * i for i in range(restarts)]


def best_of(models: Sequence[Model], data: Data, tolerance: float = 0.0) -> Model:
    """The model that selects the fewest inputs of those that are right on most of the training data.

    `tolerance` is how much less than the most right one they may be, as a part of the examples.

    >>> import numpy as np
    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> data = Data.of([[0], [1]], [0, 1], name="toy")
    >>> net, weights = Net(1, [Negation(width=2)]), np.array([[-0.5], [0.5]], np.float32)
    >>> models = [Model(net, (w,), data.features, data.classes) for w in (-weights, weights)]
    >>> best_of(models, data) is models[1]
    True
    """
    right = [float((model.predict(data.x) == data.y).mean()) for model in models]
    good = [model for model, found in zip(models, right, strict=True) if found >= max(right) - tolerance]
    return min(good, key=_selected_bits)


def _selected_bits(model: Model) -> int:
    layers = zip(model.net.layers, model.weights, strict=True)
    return sum(int(w.sum()) for layer, w in layers if layer.selects and w is not None)
