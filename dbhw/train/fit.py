"""Training the soft net: whole epochs compiled by XLA, repeatable from a seed, resumable to the same bits.

Everything random is drawn from (seed, epoch, step), so a run that resumes at an epoch shuffles and drops out as the
uninterrupted run would. Shapes are static, floats are 32 bits wide, and nothing calls back to the host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from math import prod
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from dbhw.base import files
from dbhw.base.names import default_names
from dbhw.data.dataset import Data
from dbhw.model.model import Model
from dbhw.nn import margins
from dbhw.nn.layers.dropout import Dropout
from dbhw.nn.net import Net
from dbhw.train import checkpoint, devices
from dbhw.train.loss import loss_and_accuracy, merged_votes, stacked
from dbhw.train.settings import Progress, Settings

_OPTIMISERS: dict[str, Callable[..., optax.GradientTransformation]] = {
    "adam": optax.adam,
    "radam": optax.radam,
    "sgd": optax.sgd,
}
_STEPS_AT_ONCE = 32
_CACHE = 2**19  # floats that a core has at hand
_UNTIED_BY = 1e-6


def fit(
    net: Net,
    data: Data,
    settings: Settings,
    *,
    checkpoint_path: str | Path | None = None,
    checkpoint_every: int = 100,
    on_epoch: Callable[[Progress], None] | None = None,
) -> Model:
    """Trains a net on data and returns the model. Every batch is shared out over all devices that JAX sees.

    With `checkpoint_path` the state is saved every `checkpoint_every` epochs, and a run that finds the file goes on
    from it to the result it would have had.

    >>> from dbhw.nn.layers.negation import Negation
    >>> data = Data.of([[0], [1]], [0, 1], name="toy")
    >>> model = fit(Net(1, [Negation(width=2)]), data, Settings(epochs=20))
    >>> model.predict(data.x).tolist()
    [0, 1]
    """
    net.check_data(data)
    optimiser = _optimiser(settings, len(data.y))
    x, votes = _votes(net, data, settings)
    epochs, at_once = _epochs(net, settings, optimiser, len(x), devices.batch_spread())
    run_epochs = devices.compiled(epochs)
    state = _trained(
        lambda state, done, upto: run_epochs(state, x, votes, settings.seed, done, upto),
        _starter(net, optimiser, settings)(settings.seed, x, votes),
        _Run(settings.epochs, at_once, files.sha256(repr((net.to_json(), asdict(settings), data.digest())))),
        checkpoint_path,
        checkpoint_every,
        on_epoch,
    )
    return _model(net, data, settings, state[0])


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
    """Trains one net per seed, all at once, each on its own data; the same as `fit` one by one, to rounding.

    >>> from dbhw.nn.layers.negation import Negation
    >>> data = Data.of([[0], [1]], [0, 1], name="toy")
    >>> models = fit_many(Net(1, [Negation(width=2)]), [data, data], Settings(epochs=20), [0, 1])
    >>> [model.predict(data.x).tolist() for model in models]
    [[0, 1], [0, 1]]
    """
    for part in data:
        net.check_data(part)
    optimiser = _optimiser(settings, len(data[0].y))
    x, votes = stacked([_votes(net, part, settings) for part in data])
    start = _starter(net, optimiser, settings)
    states = [start(*each) for each in zip(seeds, x, votes, strict=True)]
    epochs, at_once = _epochs(net, settings, optimiser, x.shape[1])
    many = _one_by_one if _fills_cache(net, min(settings.batch_size or x.shape[1], x.shape[1])) else jax.vmap
    run_epochs = jax.jit(lambda *nets, done, upto: many(lambda *net: epochs(*net, done, upto))(*nets), donate_argnums=0)
    digests = [part.digest() for part in data]
    state = _trained(
        lambda state, done, upto: run_epochs(state, x, votes, jnp.array(seeds), done=done, upto=upto),
        jax.tree.map(lambda *leaves: jnp.stack(leaves), *states),
        _Run(settings.epochs, at_once, files.sha256(repr((net.to_json(), asdict(settings), digests, list(seeds))))),
        checkpoint_path,
        checkpoint_every,
        on_epoch,
    )
    return [
        _model(net, part, replace(settings, seed=seed), jax.tree.map(lambda leaf, i=i: leaf[i], state[0]))
        for i, (part, seed) in enumerate(zip(data, seeds, strict=True))
    ]


@dataclass(frozen=True)
class _Run:
    epochs: int
    at_once: int
    digest: str  # of all that decides the result


def _trained(
    run_epochs: Callable[..., Any],
    state: Any,
    run: _Run,
    checkpoint_path: str | Path | None,
    checkpoint_every: int,
    on_epoch: Callable[[Progress], None] | None,
) -> Any:
    """The state after the last epoch, from the first or from where the checkpoint left off."""
    done = 0
    if checkpoint_path is not None and Path(checkpoint_path).exists():
        done, state = checkpoint.load(checkpoint_path, state, run.digest)
    while done < run.epochs:
        upto = min(done + run.at_once, run.epochs, (done // checkpoint_every + 1) * checkpoint_every)
        state, losses, accuracies = run_epochs(state, done, upto)
        if on_epoch is not None:
            for i in range(upto - done):
                # Of several runs the bar shows the mean.
                loss, accuracy = float(losses[..., i].mean()), float(accuracies[..., i].mean())
                on_epoch(Progress(done + i + 1, run.epochs, loss, accuracy))
        done = upto
        if checkpoint_path is not None and (done % checkpoint_every == 0 or done == run.epochs):
            checkpoint.save(checkpoint_path, done, state, run.digest)
    return state


def _fills_cache(net: Net, batch: int) -> bool:
    """Whether the widest layer of one net fills a core's cache: such nets train faster one by one than together."""
    shapes = (*net.input_shapes(), *net.weight_shapes())
    return batch * max((prod(shape) for shape in shapes if shape is not None), default=0) > _CACHE


def _one_by_one(of_one: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *nets: jax.lax.map(lambda net: of_one(*net), nets)


def _starter(net: Net, optimiser: optax.GradientTransformation, settings: Settings) -> Callable[..., Any]:
    """A function of a seed, inputs and votes that gives the first weights and the first state of the optimiser."""

    def loss(weights: Any, x: Any, votes: Any, key: Any) -> Any:
        return loss_and_accuracy(net, weights, x, votes, settings.temperature, key)[0]

    gradient = jax.jit(jax.grad(loss))

    def start(seed: int, x: Any, votes: Any) -> Any:
        weights = net.init(jax.random.fold_in(jax.random.key(seed), 0))
        if settings.untie:
            first = slice(settings.batch_size)
            slopes = gradient(weights, x[first], votes[first], jax.random.fold_in(jax.random.key(seed), 2))
            weights = jax.tree.map(_untied, weights, slopes)
        return weights, optimiser.init(weights)

    return start


def _untied(weights: Any, slopes: Any) -> Any:
    """The weights a hair further down their gradients.

    The gradient of a minimum is shared among all inputs that are equal to it. Where weights start equal, the first
    steps, which are too small for float32 and would not be for float64, leave them so; this gives them the order of the
    first of those steps. What float64 does after it, this does not follow.
    """
    return weights - _UNTIED_BY * slopes / jnp.maximum(jnp.abs(slopes).max(), margins.TINY)


def _model(net: Net, data: Data, settings: Settings, weights: Any) -> Model:
    soft = tuple(None if w is None else np.asarray(w) for w in weights)
    provenance = {"data": data.name, "data_sha256": data.digest(), "settings": asdict(settings)}
    # Data that lacks the last classes of a net has no names for them.
    classes = (*data.classes, *default_names("class", net.classes)[len(data.classes) :])
    return Model(net, soft, data.features, classes, provenance)


def _optimiser(settings: Settings, examples: int) -> optax.GradientTransformation:
    rate: Any = settings.learning_rate
    if settings.schedule == "cosine":
        steps = examples // min(settings.batch_size or examples, examples)
        rate = optax.cosine_decay_schedule(rate, max(1, settings.epochs * steps))
    return _OPTIMISERS[settings.optimiser](rate)


def _votes(net: Net, data: Data, settings: Settings) -> tuple[np.ndarray, np.ndarray]:
    """The inputs, and for each how many examples of each class it stands for.

    Where a step takes all examples, equal inputs are computed once, with the votes of all of them.
    """
    all_at_once = settings.batch_size is None or settings.batch_size >= len(data.y)
    if all_at_once and not any(isinstance(layer, Dropout) for layer in net.layers):
        return merged_votes(net, data)
    return data.x, np.eye(net.classes, dtype=np.float32)[data.y]


def _charge(settings: Settings, epoch: Any) -> Any:
    rising = max(1, settings.epochs - settings.dense_epochs)
    return settings.sparsity * jnp.clip((epoch - settings.dense_epochs) / rising, 0, 1)


def _selected(net: Net, weights: Any) -> Any:
    """How many inputs the layers select, in soft-bits."""
    return sum(margins.to_soft_bits(w).sum() for layer, w in zip(net.layers, weights, strict=True) if layer.selects)


def _epochs(
    net: Net,
    settings: Settings,
    optimiser: Any,
    examples: int,
    spread: Callable[[Any], Any] = lambda batch: batch,
) -> tuple[Callable[..., Any], int]:
    """A function that trains from one epoch up to another, and how many epochs it may take at once."""
    batch = min(settings.batch_size or examples, examples)
    steps = examples // batch
    # Every call gets fresh memory from the system, page by page; a call of many steps pays for that once.
    at_once = max(1, _STEPS_AT_ONCE // steps)

    def step(state: Any, x: Any, votes: Any, key: Any, number: Any) -> Any:
        weights, optimiser_state = state
        x, votes = spread((x, votes))

        def value(weights: Any) -> Any:
            loss, accuracy = loss_and_accuracy(net, weights, x, votes, settings.temperature, key)
            if settings.sparsity:
                loss = loss + _charge(settings, number) * _selected(net, weights)
            return loss, accuracy

        (loss, accuracy), gradient = jax.value_and_grad(value, has_aux=True)(weights)
        updates, optimiser_state = optimiser.update(gradient, optimiser_state, weights)
        weights = jax.tree.map(lambda w: jnp.clip(w, -0.5, 0.5), optax.apply_updates(weights, updates))
        return (weights, optimiser_state), (loss, accuracy)

    def epoch(state: Any, x: Any, votes: Any, seed: Any, number: Any) -> Any:
        key = jax.random.fold_in(jax.random.fold_in(jax.random.key(seed), 1), number)
        shuffle_key, step_key = jax.random.split(key)
        # One step that takes all examples sees the same sum in any order.
        order = (
            jnp.arange(examples)
            if steps * batch == batch == examples
            else jax.random.permutation(shuffle_key, examples)
        )
        order = order[: steps * batch].reshape(steps, batch)
        keys = jax.random.split(step_key, steps)

        def one(state: Any, index_and_key: Any) -> Any:
            index, step_key = index_and_key
            return step(state, x[index], votes[index], step_key, number)

        state, (losses, accuracies) = jax.lax.scan(one, state, (order, keys))
        return state, losses.mean(), accuracies.mean()

    def epochs(state: Any, x: Any, votes: Any, seed: Any, first: Any, upto: Any) -> Any:
        def one(number: Any, carried: Any) -> Any:
            state, losses, accuracies = carried
            state, loss, accuracy = epoch(state, x, votes, seed, number)
            at = number - first
            return state, losses.at[at].set(loss), accuracies.at[at].set(accuracy)

        none = jnp.zeros(at_once, jnp.float32)
        return jax.lax.fori_loop(first, upto, one, (state, none, none))

    return epochs, at_once


def soft_outputs(model: Model, x: np.ndarray, batch: int = 1024) -> np.ndarray:
    """What the soft net gives for bits (examples, inputs), hardened: booleans, or integers where it counts.

    >>> from dbhw.nn.layers.negation import Negation
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> soft_outputs(model, np.array([[False], [True]])).tolist()
    [[True, False], [False, True]]
    """
    weights = [None if w is None else jnp.asarray(w) for w in model.soft_weights]
    run = jax.jit(lambda part: _hardened(model.net, weights, part))
    # A last batch filled up with zeros keeps the shape, so XLA compiles once.
    padded = np.zeros((-(-len(x) // batch) * batch, x.shape[1]), bool)
    padded[: len(x)] = x
    parts = [np.asarray(run(padded[i : i + batch])) for i in range(0, len(padded), batch)]
    return np.concatenate(parts)[: len(x)]


def _hardened(net: Net, weights: Any, x: Any) -> Any:
    out = net.soft(weights, margins.from_bits(x))
    return out.astype(jnp.int32) if net.integer_scores else margins.harden(out)
