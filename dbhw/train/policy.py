"""Training a recipe: restarts, a trial that drops all but the best of them, a teacher, polish, and a compact model.

All of it is judged by the training data alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from dbhw.base import terminal
from dbhw.data.dataset import Data
from dbhw.model.freeze import freeze
from dbhw.model.model import Model
from dbhw.train.fit import fit, fit_many
from dbhw.train.polish import polish
from dbhw.train.prune import prune
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Progress

_EXAMPLE_WEIGHT = 20  # an example counts that many times as much as an answer of the teacher


@dataclass(frozen=True)
class Watch:
    """How a run is shown and saved: the label of its progress bar, its checkpoint, and how often that is written.

    >>> Watch("training", checkpoint="run.state").stage("trial")
    Watch(label='training, trial', checkpoint='run.state.trial', checkpoint_every=100)
    """

    label: str = "training"
    checkpoint: str | Path | None = None
    checkpoint_every: int = 100

    def stage(self, name: str) -> Watch:
        """The same for a stage before the run itself; its checkpoint is a file beside the run's own."""
        checkpoint = None if self.checkpoint is None else f"{self.checkpoint}.{name}"
        return Watch(f"{self.label}, {name}", checkpoint, self.checkpoint_every)


_DEFAULT = Watch()


def fit_recipe(recipe: Recipe, watch: Watch = _DEFAULT) -> Model:
    """Trains a recipe's net on its data, with the seed of its settings.

    >>> from dbhw import recipes
    >>> toy = recipes.find("toy-1")
    >>> fit_recipe(toy).predict(toy.data.test.x).tolist()
    [0, 1]
    """
    return fit_recipe_many(recipe, [recipe.settings.seed], watch=watch)[0]


def fit_recipe_many(
    recipe: Recipe, seeds: Sequence[int], data: Sequence[Data] | None = None, watch: Watch = _DEFAULT
) -> list[Model]:
    """Trains a recipe's net once for each seed, each on its own data, or all on the recipe's.

    >>> from dbhw import recipes
    >>> toy = recipes.find("toy-1")
    >>> [model.predict(toy.data.test.x).tolist() for model in fit_recipe_many(toy, seeds=[0, 1])]
    [[0, 1], [0, 1]]
    """
    data = [recipe.data.train] * len(seeds) if data is None else data
    if recipe.teacher:
        return _taught(recipe, recipe.teacher, data, seeds, watch)
    if recipe.trial:
        short = replace(recipe.settings, epochs=min(recipe.trial, recipe.settings.epochs))
        ahead = _best_starts(replace(recipe, settings=short), data, seeds, watch.stage("trial"))
        recipe, seeds = replace(recipe, restarts=1), [model.provenance["settings"]["seed"] for model in ahead]
    best = _best_starts(recipe, data, seeds, watch)
    if recipe.polish:
        best = polish(best, data, seeds, recipe.polish)
    return [prune(freeze(m), part) for m, part in zip(best, data, strict=True)] if recipe.compact else best


def _taught(recipe: Recipe, teacher: Recipe, data: Sequence[Data], seeds: Sequence[int], watch: Watch) -> list[Model]:
    """Trains the teacher, then the recipe's net on the data and the teacher's answers."""
    teachers = fit_recipe_many(teacher, seeds, data, watch.stage("teacher"))
    lessons = [lesson(part, model) for part, model in zip(data, teachers, strict=True)]
    students = fit_recipe_many(replace(recipe, teacher=None), seeds, lessons, watch)
    own = [{"data_sha256": part.digest(), "teacher": teacher.name} for part in data]
    return [replace(m, provenance={**m.provenance, **of}) for m, of in zip(students, own, strict=True)]


def lesson(data: Data, teacher: Model) -> Data:
    """The examples, repeated, and the teacher's answers to all inputs that differ from an example in one bit.

    Where few examples leave many nets equally right, a simple net that is right nearly as often may know best what lies
    between them. Examples are repeated so that the student keeps to them and follows the teacher elsewhere. There are
    as many new inputs as bits in the examples, so this is for small data.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> teacher = Model(Net(2, [Negation(width=1)]), (np.array([[0.5, 0.5]], np.float32),), ("a", "b"), ("x", "y"))
    >>> found = lesson(Data.of([[0, 0], [0, 1]], [1, 1], classes=("x", "y")), teacher)
    >>> found.x[-2:].astype(int).tolist(), found.y[-2:].tolist(), int(found.y[:-2].sum())
    ([[1, 0], [1, 1]], [0, 0], 40)
    """
    width = data.x.shape[1]
    examples = np.unique(data.x, axis=0)
    beside = (examples[:, None, :] ^ np.eye(width, dtype=bool)).reshape(-1, width)
    known = {row.tobytes() for row in examples}
    new = np.array([row for row in np.unique(beside, axis=0) if row.tobytes() not in known]).reshape(-1, width)
    x = np.concatenate([np.repeat(data.x, _EXAMPLE_WEIGHT, axis=0), new])
    y = np.concatenate([np.repeat(data.y, _EXAMPLE_WEIGHT), teacher.predict(new)])
    return Data.of(x, y, name=data.name, features=data.features, classes=data.classes)


def _best_starts(recipe: Recipe, data: Sequence[Data], seeds: Sequence[int], watch: Watch) -> list[Model]:
    """For each seed, the best of the recipe's restarts; a progress bar shows loss and hard accuracy."""
    net, settings, restarts = recipe.net, recipe.settings, recipe.restarts
    saved, every = watch.checkpoint, watch.checkpoint_every
    with terminal.progress(settings.epochs, watch.label) as bar:

        def on_epoch(p: Progress) -> None:
            bar.set_postfix(loss=f"{p.loss:.4f}", hard_accuracy=f"{p.accuracy:.3f}", refresh=False)
            bar.update(p.epoch - bar.n)

        if len(seeds) == restarts == 1:
            one = replace(settings, seed=seeds[0])
            return [fit(net, data[0], one, checkpoint_path=saved, checkpoint_every=every, on_epoch=on_epoch)]
        starts = [start for seed in seeds for start in restart_seeds(seed, restarts)]
        repeated = [part for part in data for _ in range(restarts)]
        models = fit_many(
            net, repeated, settings, starts, checkpoint_path=saved, checkpoint_every=every, on_epoch=on_epoch
        )
    tries = [models[i : i + restarts] for i in range(0, len(models), restarts)]
    return [best_of(models, part, recipe.tolerance) for models, part in zip(tries, data, strict=True)]


def restart_seeds(seed: int, restarts: int) -> list[int]:
    """The seeds of a run's restarts, the run's own first.

    >>> restart_seeds(7, 3)
    [7, 1000010, 2000013]
    """
    return [seed + 1_000_003 * i for i in range(restarts)]


def best_of(models: Sequence[Model], data: Data, tolerance: float = 0.0) -> Model:
    """Of the models with the best accuracy on the data, or at most `tolerance` below it, the one with fewest inputs.

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
