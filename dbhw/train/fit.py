"""Training the soft net: one net, or many at once, repeatable from a seed and resumable to the same bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import prod
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from dbhw.base import files
from dbhw.base.names import default_names
from dbhw.data.dataset import Data
from dbhw.model.model import Model
from dbhw.nn import margins
from dbhw.nn.bits import WordBits
from dbhw.nn.net import Net
from dbhw.train import checkpoint, devices
from dbhw.train.loss import Weights, balanced, merged_votes, stacked
from dbhw.train.settings import Curve, Progress, Settings
from dbhw.train.step import Epochs, State, Trained

_CACHE = 2**19  # the floats that fit into a core's cache


def fit(
    net: Net,
    data: Data,
    settings: Settings,
    *,
    checkpoint_path: str | Path | None = None,
    checkpoint_every: int = 100,
    on_epoch: Callable[[Progress], None] | None = None,
) -> Model:
    """Trains a net on data and returns the model. Every batch is split over all devices that JAX sees.

    With `checkpoint_path` the state is saved every `checkpoint_every` epochs. A run that finds the file resumes from
    it, and ends with the result of an uninterrupted run.

    >>> from dbhw.nn.layers.negation import Negation
    >>> data = Data.of([[0], [1]], [0, 1], name="toy")
    >>> model = fit(Net(1, [Negation(width=2)]), data, Settings(epochs=20))
    >>> model.predict(data.x).tolist()
    [0, 1]
    """
    net.check_data(data)
    core, x, votes = _prepared(net, data, settings)
    epochs = Epochs(core, _of_a_step(settings), len(x), len(data.y), devices.batch_spread())
    compiled = _compiled(epochs)
    digest = files.sha256(repr((net.to_json(), asdict(settings), data.digest())))
    curve = Curve.of(settings.epochs, nets=1)
    state = _Run(curve, settings.epochs, epochs.at_once, digest, checkpoint_path, checkpoint_every, on_epoch).train(
        epochs.start(settings.seed, x, votes),
        lambda state, done, upto: compiled(state, x, votes, settings.seed, done, upto),
    )
    return _model(net, data, settings, state[0], curve.record(0))


def fit_many(
    net: Net,
    data: Sequence[Data],
    settings: Settings,
    seeds: Sequence[int],
    *,
    checkpoint_path: str | Path | None = None,
    checkpoint_every: int = 100,
    on_epoch: Callable[[Progress], None] | None = None,
) -> list[Model]:
    """Trains one net per seed, all at once, each on its own data; up to rounding the same as `fit` one by one.

    >>> from dbhw.nn.layers.negation import Negation
    >>> data = Data.of([[0], [1]], [0, 1], name="toy")
    >>> models = fit_many(Net(1, [Negation(width=2)]), [data, data], Settings(epochs=20), [0, 1])
    >>> [model.predict(data.x).tolist() for model in models]
    [[0, 1], [0, 1]]
    """
    for part in data:
        net.check_data(part)
    prepared = [_prepared(net, part, settings) for part in data]
    x, votes = stacked([part[1:] for part in prepared])
    epochs = Epochs(prepared[0][0], _of_a_step(settings), x.shape[1], len(data[0].y))
    states = [epochs.start(*each) for each in zip(seeds, x, votes, strict=True)]
    compiled = _compiled_for_many(epochs, _widest(epochs) > _CACHE)
    digest = files.sha256(repr((net.to_json(), asdict(settings), [part.digest() for part in data], list(seeds))))
    curve = Curve.of(settings.epochs, len(seeds))
    state = _Run(curve, settings.epochs, epochs.at_once, digest, checkpoint_path, checkpoint_every, on_epoch).train(
        jax.tree.map(lambda *leaves: jnp.stack(leaves), *states),
        lambda state, done, upto: compiled(state, x, votes, jnp.array(seeds), done, upto),
    )
    return [
        _model(
            net, part, replace(settings, seed=seed), jax.tree.map(lambda leaf, i=i: leaf[i], state[0]), curve.record(i)
        )
        for i, (part, seed) in enumerate(zip(data, seeds, strict=True))
    ]


@dataclass(frozen=True)
class _Run:
    curve: Curve  # filled on the way
    epochs: int
    at_once: int
    digest: str  # of all that decides the result
    checkpoint_path: str | Path | None
    checkpoint_every: int
    on_epoch: Callable[[Progress], None] | None

    def train(self, state: State, run: Callable[[State, int, int], Trained]) -> State:
        """The state after the last epoch, from the first epoch on or from that of the checkpoint."""
        done, path = 0, self.checkpoint_path
        if path is not None and Path(path).exists():
            done, (state, values) = checkpoint.load(path, (state, self.curve.values), self.digest)
            self.curve.values[:] = np.asarray(values)
        while done < self.epochs:
            upto = min(done + self.at_once, self.epochs, (done // self.checkpoint_every + 1) * self.checkpoint_every)
            state, losses, accuracies = run(state, done, upto)
            self._report(done, upto, losses, accuracies)
            done = upto
            if path is not None and (done % self.checkpoint_every == 0 or done == self.epochs):
                checkpoint.save(path, done, (state, self.curve.values), self.digest)
        return state

    def _report(self, done: int, upto: int, losses: Array, accuracies: Array) -> None:
        # NumPy, since JAX takes a millisecond for each number.
        by_net = [np.asarray(each).reshape(-1, each.shape[-1]) for each in (losses, accuracies)]
        self.curve.add(done, upto, *by_net)
        if self.on_epoch is None:
            return
        found = [each.mean(axis=0) for each in by_net]  # for many nets at once these are means over the nets
        for i, (loss, accuracy) in enumerate(zip(*(each[: upto - done].tolist() for each in found), strict=True)):
            self.on_epoch(Progress(done + i + 1, self.epochs, loss, accuracy))


def _of_a_step(settings: Settings) -> Settings:
    """The settings that a step depends on: what is compiled for it serves other seeds and folds, and longer runs."""
    in_proportion = settings.schedule != "constant" or settings.sparsity > 0
    return replace(settings, seed=0, epochs=settings.epochs if in_proportion else 0)


@lru_cache(maxsize=8)
def _compiled(epochs: Epochs) -> Callable[..., Trained]:
    return devices.compiled(epochs.run)


def _widest(epochs: Epochs) -> int:
    """How many floats the widest layer of a net gives; nets that fill the cache train faster one by one."""
    shapes = (*epochs.net.input_shapes(), *epochs.net.weight_shapes())
    return epochs.batch * max((prod(shape) for shape in shapes if shape is not None), default=0)


@lru_cache(maxsize=8)
def _compiled_for_many(epochs: Epochs, one_by_one: bool) -> Callable[..., Trained]:
    """`Epochs.run` compiled for many nets, all of them together or one by one."""
    many = _one_by_one if one_by_one else jax.vmap

    def run(states: State, x: Array, votes: Array, seeds: Array, done: Array, upto: Array) -> Trained:
        return many(lambda *net: epochs.run(net[0], net[1], net[2], net[3], done, upto))(states, x, votes, seeds)

    return jax.jit(run, donate_argnums=0)


def _one_by_one(run: Callable[..., Trained]) -> Callable[..., Trained]:
    return lambda *nets: jax.lax.map(lambda net: run(*net), nets)


def _model(net: Net, data: Data, settings: Settings, weights: Weights, curve: dict[str, list]) -> Model:
    trained = [None if w is None else np.asarray(w) for w in weights]
    soft = (*[None] * (len(net.layers) - len(trained)), *trained)  # none for the layer that encodes integers
    provenance = {"data": data.name, "data_sha256": data.digest(), "settings": asdict(settings), "curve": curve}
    # Where data has fewer classes than the net, the net's last classes get default names.
    classes = (*data.classes, *default_names("class", net.classes)[len(data.classes) :])
    return Model(net, soft, data.features, classes, provenance, data.columns)


def _prepared(net: Net, data: Data, settings: Settings) -> tuple[Net, np.ndarray, np.ndarray]:
    """The net that is trained, its inputs, and for each of them how many examples of each class it stands for.

    Integers are encoded here once. Where a step takes all examples, equal inputs are computed once, with the votes of
    all of them.
    """
    encoder, net = net.encoded()
    if encoder is not None:
        encoded = encoder.hard([None], WordBits.pack(data.x))
        assert isinstance(encoded, WordBits)
        data = replace(data, x=encoded.unpack())
    all_at_once = settings.batch_size is None or settings.batch_size >= len(data.y)
    if all_at_once and not any(layer.random for layer in net.layers):
        x, votes = merged_votes(net, data)
    else:
        x, votes = data.x, np.eye(net.classes, dtype=np.float32)[data.y]
    return net, x, balanced(votes, settings.balance)


def soft_outputs(model: Model, x: np.ndarray, batch: int = 1024) -> np.ndarray:
    """The outputs of the soft net for bits (examples, inputs), hardened: booleans, or integers where it counts.

    >>> from dbhw.nn.layers.negation import Negation
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> soft_outputs(model, np.array([[False], [True]])).tolist()
    [[True, False], [False, True]]
    """
    weights = [None if w is None else jnp.asarray(w) for w in model.soft_weights]
    # As an argument: XLA would spend a minute on folding large constant weights.
    run = jax.jit(lambda weights, part: _hardened(model.net, weights, part))
    # The last batch is filled up with zeros to the same shape, so XLA compiles once.
    padded = np.zeros((-(-len(x) // batch) * batch, x.shape[1]), bool)
    padded[: len(x)] = x
    parts = [np.asarray(run(weights, padded[i : i + batch])) for i in range(0, len(padded), batch)]
    return np.concatenate(parts)[: len(x)]


def _hardened(net: Net, weights: Weights, x: Array) -> Array:
    out = net.soft(weights, margins.from_bits(x))
    return out.astype(jnp.int32) if net.integer_scores else margins.harden(out)
