"""Running an experiment: seeds in groups, each trained at once and saved before the next."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from dbhw import recipes
from dbhw.base import files, terminal
from dbhw.data.dataset import Data, Split
from dbhw.model.model import Model
from dbhw.nn.net import labels
from dbhw.paper.baselines import NAMES, accuracy
from dbhw.paper.experiments import Experiment
from dbhw.paper.results import Results, Run


def train_recipe(experiment: Experiment, name: str, seeds: int, folder: Path, results: Results) -> None:
    """Trains a recipe with the seeds that are missing in the results.

    >>> import tempfile
    >>> from dbhw.paper import experiments
    >>> folder = Path(tempfile.mkdtemp())
    >>> train_recipe(experiments.find("toy-1"), "toy-1", 1, folder, Results(folder / "toy-1.json"))
    >>> Results(folder / "toy-1.json").rows["toy-1"]["seeds"]
    {'0': {'accuracy': 1.0, 'mismatches': 0}}
    """
    from dbhw.train.policy import Watch, fit_recipe_many  # imports JAX, which listing experiments does not need

    first = experiment.starts(recipes.find(name))
    teacher = first.teacher.name if first.teacher else ""
    how = (asdict(first.settings), first.restarts, first.tolerance, first.trial, teacher, first.polish)
    of = files.sha256(repr((first.net.to_json(), *how, _digests(experiment.data(0)))))
    missing = [seed for seed in range(seeds) if seed not in results.seeds(name, of)]
    groups = [missing[i : i + experiment.at_once] for i in range(0, len(missing), experiment.at_once)]
    for number, group in enumerate(groups):
        splits = [experiment.data(seed) for seed in group]
        state = folder / f"{name}.state"
        watch = Watch(f"{name}, group {number + 1} of {len(groups)}", state, checkpoint_every=10)
        models = fit_recipe_many(first, group, [s.train for s in splits], watch)
        for left in folder.glob(f"{state.name}*"):
            left.unlink()
        results.add(
            name, of, {s: _look(*found) for s, found in zip(group, zip(models, splits, strict=True), strict=True)}
        )


def train_baselines(experiment: Experiment, results: Results) -> None:
    """Trains the baselines that are missing in the results.

    >>> import tempfile
    >>> from dbhw.paper import experiments
    >>> results = Results(Path(tempfile.mkdtemp()) / "toy-2.json")
    >>> train_baselines(experiments.find("toy-2"), results)
    >>> results.rows["decision tree"]["seeds"]
    {'0': {'accuracy': 1.0}}
    """
    for name in NAMES:
        of = files.sha256(_digests(experiment.data(0)))
        missing = [seed for seed in range(experiment.baselines) if seed not in results.seeds(name, of)]
        with terminal.progress(len(missing), name) as bar:
            for seed in missing:
                results.add(name, of, {seed: {"accuracy": accuracy(name, experiment.data(seed), seed)}})
                bar.update(1)


def _look(model: Model, split: Split) -> Run:
    """The accuracy of the hard net on the test part, and on how many examples of both parts the soft net differs."""
    hard = model.outputs(split.test.x)
    mismatches = _mismatches(model, split.train) + _mismatches(model, split.test)
    return {"accuracy": float((labels(hard) == split.test.y).mean()), "mismatches": mismatches}


def _mismatches(model: Model, data: Data) -> int:
    from dbhw.train.fit import soft_outputs

    return int((soft_outputs(model, data.x) != model.outputs(data.x)).any(axis=1).sum())


def _digests(split: Split) -> str:
    return split.train.digest() + split.test.digest()
