"""The epochs of a training run as functions that XLA compiles whole.

Everything random is drawn from (seed, epoch, step), so a run that resumes at an epoch shuffles and drops out as the
uninterrupted run would. Shapes are static, floats are 32 bits wide, and nothing calls back to the host.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from dbhw.nn import margins
from dbhw.nn.net import Net
from dbhw.train.devices import Batch
from dbhw.train.loss import Weights, loss_and_accuracy
from dbhw.train.settings import Settings

State = tuple[Weights, optax.OptState]
Examples = Array | np.ndarray
Number = Array | int
Trained = tuple[State, Array, Array]  # with the losses and the accuracies on the way

_OPTIMISERS: dict[str, Callable[..., optax.GradientTransformation]] = {
    "adam": optax.adam,
    "radam": optax.radam,
    "sgd": optax.sgd,
}
_STEPS_AT_ONCE = 32
_UNTIED_BY = 1e-6


@dataclass(frozen=True)
class Epochs:
    """The epochs of a net on a number of inputs; the learning rate's schedule counts examples, equal ones too.

    >>> from dbhw.nn.layers.negation import Negation
    >>> epochs = Epochs(Net(1, [Negation(width=2)]), Settings(epochs=9), examples=2, schedule_examples=2)
    >>> x, votes = jnp.array([[False], [True]]), jnp.eye(2)
    >>> state, losses, accuracies = epochs.run(epochs.start(0, x, votes), x, votes, 0, 0, 9)
    >>> float(accuracies[8])
    1.0
    """

    net: Net
    settings: Settings
    examples: int
    schedule_examples: int
    spread: Callable[[Batch], Batch] = lambda batch: batch

    @property
    def batch(self) -> int:
        """The inputs of one step."""
        return min(self.settings.batch_size or self.examples, self.examples)

    @property
    def steps(self) -> int:
        """The steps of one epoch."""
        return self.examples // self.batch

    @property
    def at_once(self) -> int:
        """How many epochs one call may take."""
        # Every call gets fresh memory from the system, page by page; a call of many steps pays for that once.
        return max(1, _STEPS_AT_ONCE // self.steps)

    @cached_property
    def optimiser(self) -> optax.GradientTransformation:
        settings, rate = self.settings, self.settings.learning_rate
        if settings.schedule == "cosine":
            steps = self.schedule_examples // min(settings.batch_size or self.schedule_examples, self.schedule_examples)
            rate = optax.cosine_decay_schedule(rate, max(1, settings.epochs * steps))
        return _OPTIMISERS[settings.optimiser](rate)

    def start(self, seed: int, x: Examples, votes: Examples) -> State:
        """The initial weights and the initial state of the optimiser."""
        weights = self.net.init(jax.random.fold_in(jax.random.key(seed), 0))
        if self.settings.untie:
            first = slice(self.settings.batch_size)
            key = jax.random.fold_in(jax.random.key(seed), 2)
            weights = jax.tree.map(_untied, weights, self._first_gradient(weights, x[first], votes[first], key))
        return weights, self.optimiser.init(weights)

    def run(self, state: State, x: Examples, votes: Examples, seed: Number, first: Number, upto: Number) -> Trained:
        """The state after the epochs from `first` up to `upto`, and the loss and the accuracy of each."""

        def one(number: Array, carried: Trained) -> Trained:
            state, losses, accuracies = carried
            state, loss, accuracy = self._epoch(state, x, votes, seed, number)
            at = number - first
            return state, losses.at[at].set(loss), accuracies.at[at].set(accuracy)

        none = jnp.zeros(self.at_once, jnp.float32)
        return jax.lax.fori_loop(first, upto, one, (state, none, none))

    def _epoch(self, state: State, x: Examples, votes: Examples, seed: Number, number: Array) -> Trained:
        key = jax.random.fold_in(jax.random.fold_in(jax.random.key(seed), 1), number)
        shuffle_key, step_key = jax.random.split(key)
        # A step that takes all examples gets the same sum in any order.
        all_at_once = self.steps * self.batch == self.batch == self.examples
        order = jnp.arange(self.examples) if all_at_once else jax.random.permutation(shuffle_key, self.examples)
        order = order[: self.steps * self.batch].reshape(self.steps, self.batch)

        def one(state: State, index_and_key: tuple[Array, Array]) -> tuple[State, tuple[Array, Array]]:
            index, key = index_and_key
            return self._step(state, x[index], votes[index], key, number)

        keys = jax.random.split(step_key, self.steps)
        state, (losses, accuracies) = jax.lax.scan(one, state, (order, keys))
        return state, losses.mean(), accuracies.mean()

    def _step(
        self, state: State, x: Array, votes: Array, key: Array, epoch: Array
    ) -> tuple[State, tuple[Array, Array]]:
        weights, optimiser_state = state
        x, votes = self.spread((x, votes))

        def value(weights: Weights) -> tuple[Array, Array]:
            loss, accuracy = loss_and_accuracy(self.net, weights, x, votes, self.settings.temperature, key)
            if self.settings.sparsity:
                loss = loss + _charge(self.settings, epoch) * _selected(self.net, weights)
            return loss, accuracy

        found, gradient = jax.value_and_grad(value, has_aux=True)(weights)
        updates, optimiser_state = self.optimiser.update(gradient, optimiser_state, weights)
        weights = self._bounded(optax.apply_updates(weights, updates))
        return (weights, optimiser_state), found

    def _bounded(self, weights: Weights) -> Weights:
        layers = zip(self.net.layers, weights, strict=True)
        return [w if w is None or not layer.bounded else jnp.clip(w, -0.5, 0.5) for layer, w in layers]

    @cached_property
    def _first_gradient(self) -> Callable[[Weights, Examples, Examples, Array], Weights]:
        def loss(weights: Weights, x: Array, votes: Array, key: Array) -> Array:
            return loss_and_accuracy(self.net, weights, x, votes, self.settings.temperature, key)[0]

        return jax.jit(jax.grad(loss))


def _untied(weights: Array, gradient: Array) -> Array:
    """The weights moved by a millionth at most against their gradient.

    The gradient of a minimum is shared among all inputs that are equal to it. Where weights start equal, the first
    steps are too small to move them apart in float32, though not in float64. This gives them the order that the first
    of those steps would give; it does not follow what float64 does after it.
    """
    return weights - _UNTIED_BY * gradient / jnp.maximum(jnp.abs(gradient).max(), margins.TINY)


def _charge(settings: Settings, epoch: Array) -> Array:
    rising = max(1, settings.epochs - settings.dense_epochs)
    return settings.sparsity * jnp.clip((epoch - settings.dense_epochs) / rising, 0, 1)


def _selected(net: Net, weights: Weights) -> Array | int:
    """How many inputs the layers select, in soft-bits."""
    selecting = [w for layer, w in zip(net.layers, weights, strict=True) if layer.selects and w is not None]
    return sum(margins.to_soft_bits(w).sum() for w in selecting)
