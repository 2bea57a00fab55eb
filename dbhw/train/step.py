"""The epochs of a training run as functions that XLA compiles whole.

Everything random is drawn from (seed, epoch, step), so a run that resumes at an epoch shuffles and drops out as the
uninterrupted run would. Shapes are static, floats are 32 bits wide, and nothing calls back to the host.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

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

State = tuple[Weights, tuple[optax.OptState, optax.OptState]]  # with those of two optimisers
Learning = tuple[Weights, optax.OptState]
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
    def group(self) -> int:
        """How many steps there are from one in which all weights learn to the next one."""
        return min(self.settings.wire_every, self.examples // self.batch)

    @property
    def steps(self) -> int:
        """The steps of one epoch."""
        return self.examples // self.batch // self.group * self.group

    @property
    def at_once(self) -> int:
        """How many epochs one call may take."""
        # Every call gets fresh memory from the system, page by page; a call of many steps pays for that once.
        return max(1, _STEPS_AT_ONCE // self.steps)

    @cached_property
    def optimisers(self) -> tuple[optax.GradientTransformation, optax.GradientTransformation]:
        """Those of the weights that learn in every step, and of wires if they learn seldom or have their own."""
        return self._optimiser(1), self._optimiser(self.group, self.settings.wires_by_row)

    def _optimiser(self, every: int, by_row: bool = False) -> optax.GradientTransformation:
        settings, rate = self.settings, self.settings.learning_rate * every
        if settings.schedule == "cosine":
            steps = self.schedule_examples // min(settings.batch_size or self.schedule_examples, self.schedule_examples)
            rate = optax.cosine_decay_schedule(rate, max(1, settings.epochs * steps // every))
        if by_row:
            return optax.chain(_scaled_by_row(), optax.scale_by_learning_rate(rate))
        return _OPTIMISERS[settings.optimiser](rate)

    def start(self, seed: int, x: Examples, votes: Examples) -> State:
        """The initial weights and the initial state of the optimiser."""
        weights = self.net.init(jax.random.fold_in(jax.random.key(seed), 0))
        if self.settings.untie:
            first = slice(self.settings.batch_size)
            key = jax.random.fold_in(jax.random.key(seed), 2)
            weights = jax.tree.map(_untied, weights, self._first_gradient(weights, x[first], votes[first], key))
        often, seldom = self._parted(weights)
        return weights, (self.optimisers[0].init(often), self.optimisers[1].init(seldom))

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
        order = order[: self.steps * self.batch].reshape(-1, self.group, self.batch)

        def one(state: State, orders_and_keys: tuple[Array, Array]) -> tuple[State, Array]:
            return self._group(state, x, votes, *orders_and_keys, number)

        keys = jax.random.split(step_key, self.steps).reshape(-1, self.group)
        state, found = jax.lax.scan(one, state, (order, keys))
        return state, *found.mean((0, 1))

    def _group(
        self, state: State, x: Examples, votes: Examples, orders: Array, keys: Array, epoch: Array
    ) -> tuple[State, Array]:
        """A step in which all weights learn, and the steps up to the next one; the loss and the accuracy of each."""
        state, first = self._step(state, (x[orders[0]], votes[orders[0]]), keys[0], epoch)
        if self.group == 1:
            return state, first[None]
        weights, (optimiser_state, resting_state) = state
        learning, resting = self._parted(weights)
        layers = zip(self.net.layers, resting, strict=True)
        at_rest = [None if w is None else layer.at_rest(w) for layer, w in layers]

        def one(learning: Learning, order_and_key: tuple[Array, Array]) -> tuple[Learning, Array]:
            order, key = order_and_key
            return self._light_step(learning, at_rest, (x[order], votes[order]), key, epoch)

        (learning, optimiser_state), others = jax.lax.scan(one, (learning, optimiser_state), (orders[1:], keys[1:]))
        return (_joined(learning, resting), (optimiser_state, resting_state)), jnp.concatenate([first[None], others])

    def _step(self, state: State, batch: Batch, key: Array, epoch: Array) -> tuple[State, Array]:
        weights, states = state
        parts = self._parted(weights)
        slope = jax.value_and_grad(partial(self._loss, self.spread(batch), key, epoch), argnums=(0, 1), has_aux=True)
        found, gradients = slope(*parts)
        each = zip(self.optimisers, gradients, parts, states, strict=True)
        moved, states = zip(*(self._moved(*part) for part in each), strict=True)
        return (_joined(*moved), states), jnp.stack(found)

    def _light_step(
        self, learning: Learning, at_rest: Weights, batch: Batch, key: Array, epoch: Array
    ) -> tuple[Learning, Array]:
        """A step in which only a part of the weights learns."""
        weights, state = learning
        slope = jax.value_and_grad(partial(self._loss, self.spread(batch), key, epoch), has_aux=True)
        found, gradient = slope(weights, at_rest)
        return self._moved(self.optimisers[0], gradient, weights, state), jnp.stack(found)

    def _loss(self, batch: Batch, key: Array, epoch: Array, often: Weights, seldom: Weights) -> tuple[Array, Array]:
        weights = _joined(often, seldom)
        loss, accuracy = loss_and_accuracy(self.net, weights, *batch, self.settings.temperature, key)
        if self.settings.sparsity:
            loss = loss + _charge(self.settings, epoch) * _selected(self.net, weights)
        return loss, accuracy

    def _moved(
        self, optimiser: optax.GradientTransformation, gradient: Weights, weights: Weights, state: optax.OptState
    ) -> Learning:
        updates, state = optimiser.update(gradient, state, weights)
        return self._bounded(optax.apply_updates(weights, updates)), state

    def _parted(self, weights: Weights) -> tuple[Weights, Weights]:
        """The weights of the first optimiser, and the wires of the second; None for the others."""
        second = self.group > 1 or self.settings.wires_by_row
        parted = [
            (None, w) if second and layer.costly else (w, None)
            for layer, w in zip(self.net.layers, weights, strict=True)
        ]
        return [first for first, _ in parted], [wires for _, wires in parted]

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


def _scaled_by_row(decay: float = 0.999) -> optax.GradientTransformation:
    """Each row of a gradient is divided by its root mean square, a moving average over the steps.

    All weights of a row of wires have gradients of about the same size, the inputs being ±1: so one mean square for
    each row does what Adam does with two numbers for each weight.
    """

    def init(weights: Weights) -> tuple[Array, Weights]:
        return jnp.zeros((), jnp.int32), jax.tree.map(lambda w: jnp.zeros(w.shape[:-1], w.dtype), weights)

    def update(gradient: Weights, state: tuple[Array, Weights], _: Weights | None = None) -> tuple[Weights, Any]:
        steps, squares = state[0] + 1, state[1]
        squares = jax.tree.map(lambda s, g: decay * s + (1 - decay) * (g * g).mean(-1), squares, gradient)
        seen = 1 - decay ** steps.astype(jnp.float32)  # the share of the average that steps have filled
        scaled = jax.tree.map(
            lambda s, g: g / jnp.maximum(jnp.sqrt(s / seen), margins.TINY)[..., None], squares, gradient
        )
        return scaled, (steps, squares)

    return optax.GradientTransformation(init, update)


def _charge(settings: Settings, epoch: Array) -> Array:
    rising = max(1, settings.epochs - settings.dense_epochs)
    return settings.sparsity * jnp.clip((epoch - settings.dense_epochs) / rising, 0, 1)


def _selected(net: Net, weights: Weights) -> Array | int:
    """How many inputs the layers select, in soft-bits."""
    selecting = [w for layer, w in zip(net.layers, weights, strict=True) if layer.selects and w is not None]
    return sum(margins.to_soft_bits(w).sum() for w in selecting)


def _joined(some: Weights, others: Weights) -> Weights:
    return [b if a is None else a for a, b in zip(some, others, strict=True)]
