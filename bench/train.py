"""A training step against the paper's formula as written: CPU time and peak memory, side by side in one run.

The formula here, on margins, shares no code with the toolkit: a sort for the majority, broadcast ∂¬ and masks, no
shortcuts.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import jax
import jax.numpy as jnp
import optax
from jax import Array

from dbhw import recipes
from dbhw.base import terminal
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.mask_true import MaskTrue
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.net import Net
from dbhw.train.loss import Weights, loss_and_accuracy

State = tuple[Weights, optax.OptState]
_OPTIMISER = optax.radam(0.01)


def mnist(masks: int) -> Net:
    """The paper's MNIST net; it has 60 masks."""
    cut = Reshape((masks * 49, 16))
    return Net(784, [MaskTrue(masks), cut, Majority(), Negation(20), Harden(), BucketSum(10)])


def _packed(m: Array, mean: Array) -> Array:
    return jnp.where(m > 0, m * (0.5 + mean), m * (0.5 - mean))


def _and(w: Array, x: Array) -> Array:
    return _packed(jnp.minimum(w, x), (w + x) / 2)


def _implies(w: Array, x: Array) -> Array:
    return _packed(jnp.maximum(x, -w), (x - w) / 2)


def _not(w: Array, x: Array) -> Array:
    return 2 * w * x


def _majority(x: Array) -> Array:
    return _packed(jnp.sort(x, -1)[..., (x.shape[-1] + 1) // 2 - 1], x.mean(-1))


def _hardened(x: Array) -> Array:
    return x + jax.lax.stop_gradient(jnp.where(x > 0, 1.0, 0.0) - x)


def noisy_xor_as_written(weights: Sequence[Array], x: Array) -> Array:
    """The logits of the paper's noisy-XOR net, from margins."""
    x = jnp.concatenate([x, -x], 1)[:, None, :]
    x = _implies(weights[1], x).min(-1)[:, None, :]
    x = _and(weights[2], x).max(-1)[:, None, :]
    y = _majority(_not(weights[3], x).reshape(len(x), -1))[:, None]
    return jnp.concatenate([0.5 + y, 0.5 - y], 1)


def mnist_as_written(weights: Sequence[Array], x: Array) -> Array:
    """The logits of the paper's MNIST net, from margins."""
    x = _majority(_implies(weights[0], x[:, None, :]).reshape(len(x), 2940, 16))
    return _hardened(_not(weights[3], x[:, None, :])).reshape(len(x), 10, -1).sum(-1)


def loss_as_written(logits: Callable[..., Array], weights: Weights, x: Array, y: Array) -> Array:
    found = logits(weights, x.astype(jnp.float32) - 0.5)
    return optax.softmax_cross_entropy_with_integer_labels(found, y).mean()


def loss_of_toolkit(net: Net, weights: Weights, x: Array, y: Array) -> Array:
    return loss_and_accuracy(net, weights, x, jax.nn.one_hot(y, net.classes), 1.0)[0]


def compiled_steps(
    loss: Callable[..., Array],
    state: State,
    x: Array,
    y: Array,
    optimiser: optax.GradientTransformation = _OPTIMISER,
) -> jax.stages.Compiled:
    """A compiled function of (state, x, y, steps) that trains and gives the state and the last loss."""

    def steps(state: State, x: Array, y: Array, count: Array) -> tuple[State, Array]:
        def step(_: Array, carried: tuple[State, Array]) -> tuple[State, Array]:
            weights, optimiser_state = carried[0]
            value, gradient = jax.value_and_grad(loss)(weights, x, y)
            updates, optimiser_state = optimiser.update(gradient, optimiser_state, weights)
            weights = jax.tree.map(lambda w: jnp.clip(w, -0.5, 0.5), optax.apply_updates(weights, updates))
            return (weights, optimiser_state), value

        return jax.lax.fori_loop(0, count, step, (state, jnp.float32(0)))

    return jax.jit(steps).lower(state, x, y, 1).compile()


def cpu_seconds(run: Callable[[], object]) -> float:
    """The CPU time of a call, on all cores together."""
    start = time.process_time()
    jax.block_until_ready(run())
    return time.process_time() - start


def peak_memory(program: jax.stages.Compiled) -> int:
    """The bytes that XLA sets aside for intermediate values."""
    found = program.memory_analysis()
    assert found is not None
    return found.temp_size_in_bytes


def compare(net: Net, logits: Callable[..., Array], x: Array, y: Array, steps: int, rounds: int) -> dict[str, float]:
    """The CPU time and memory of the formula as written, over the toolkit's, and the difference of their losses."""
    weights = net.init(jax.random.key(0))
    state = (weights, _OPTIMISER.init(weights))
    losses = (partial(loss_as_written, logits), partial(loss_of_toolkit, net))
    programs = [compiled_steps(loss, state, x, y) for loss in losses]
    first = [float(program(state, x, y, 1)[1]) for program in programs]
    # In turns, so that a busy machine slows both; the least of the rounds is the least disturbed.
    rows = [[cpu_seconds(partial(p, state, x, y, steps)) for p in programs] for _ in range(rounds)]
    written, toolkit = (min(column) for column in zip(*rows, strict=True))
    memory = [peak_memory(program) for program in programs]
    return {
        "batch": len(x),
        "cpu_time_ratio": written / toolkit,
        "peak_memory_ratio": memory[0] / memory[1],
        "loss_difference": abs(first[0] - first[1]),
    }


def growth(nets: dict[str, Net], batches: list[int], steps: int) -> list[dict[str, str | float]]:
    """CPU time of a step and its peak memory, per example, for each net and batch."""
    rows: list[dict[str, str | float]] = []
    for name, net in nets.items():
        weights = net.init(jax.random.key(0))
        state = (weights, _OPTIMISER.init(weights))
        for batch in batches:
            x, y = random_bits(batch, net.inputs, net.classes)
            program = compiled_steps(partial(loss_of_toolkit, net), state, x, y)
            program(state, x, y, 1)
            seconds = min(cpu_seconds(partial(program, state, x, y, steps)) for _ in range(3)) / steps
            memory = peak_memory(program)
            row: dict[str, str | float] = {
                "net": name,
                "batch": batch,
                "cpu_microseconds_per_example": seconds / batch * 1e6,
            }
            rows.append({**row, "kilobytes_per_example": memory / batch / 1e3})
    return rows


def random_bits(examples: int, inputs: int, classes: int) -> tuple[Array, Array]:
    bits, labels = jax.random.split(jax.random.key(1))
    x = jax.random.bernoulli(bits, 0.5, (examples, inputs))
    return x, jax.random.randint(labels, (examples,), 0, classes)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="end within a minute: smaller batches, fewer steps")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    shrink, steps, rounds = (5, 2, 2) if options.quick else (1, 5, 3)
    noisy_xor = recipes.find("noisy-xor").net
    result = {
        "noisy-xor": compare(noisy_xor, noisy_xor_as_written, *random_bits(5000 // shrink, 12, 2), steps, rounds),
        "mnist": compare(mnist(60), mnist_as_written, *random_bits(200 // shrink, 784, 10), steps, rounds),
    }
    batches = [40, 80] if options.quick else [50, 100, 200, 400]
    grown = growth({f"mnist, {width} masks": mnist(width) for width in (30, 60)}, batches, steps)
    if options.json:
        json.dump({**result, "growth": grown}, sys.stdout)
        print()
        return
    for name, row in result.items():
        print(
            f"{name}, batch {row['batch']}: the formula as written takes {row['cpu_time_ratio']:.1f} times the CPU "
            f"time and {row['peak_memory_ratio']:.1f} times the memory; losses differ by {row['loss_difference']:.1e}"
        )
    print("\n" + terminal.table([tuple(n.replace("_", " ") for n in grown[0]), *map(_cells, grown)]))


def _cells(row: dict[str, str | float]) -> tuple[str, ...]:
    return tuple(f"{value:.0f}" if isinstance(value, float) else str(value) for value in row.values())


if __name__ == "__main__":
    main()
