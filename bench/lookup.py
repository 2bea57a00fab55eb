"""A training step of learned tables with learned wires, against the same layers in plain differentiable operations.

    python -m bench.lookup [--quick] [--json]

Written plainly, a wire is a row of a matrix, the input with the highest score, whose gradient is that of a softmax; and
a table is the sum over its entries, each times the probability that the inputs address it. In `sum` the probabilities
are written out, a product of n factors for each entry. In `fold` each input in turn halves the table, which is the
least work for plain operations. Both give the toolkit's outputs. The toolkit's step is measured with wires that
learn in every step, and with wires that learn in every fourth. CPU time of all cores, side by side in one run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import Array

from bench.train import compiled_steps, cpu_seconds, loss_as_written, loss_of_toolkit, random_bits
from dbhw.base import terminal
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.net import Net
from dbhw.train.loss import Weights
from dbhw.train.settings import Settings
from dbhw.train.step import Epochs

GOAL = 20
Run = Callable[[], object]
_INPUTS, _FAN_IN, _CLASSES, _RATE = 784, 6, 10, 0.005
_PLAIN_STEPS, _OWN_STEPS = 2, 24  # per call: enough that a step outweighs what a call costs


def net(tables: int) -> Net:
    """Tables of six inputs, each wired to one of 784 candidates; their votes are summed for ten classes."""
    return Net(_INPUTS, [Connect(tables * _FAN_IN), Lookup(_FAN_IN), BucketSum(_CLASSES)])


def _straight_through(hard: Array, soft: Array) -> Array:
    return soft + jax.lax.stop_gradient(hard - soft)


def wired(scores: Array, x: Array) -> Array:
    """Soft-bits (examples, outputs) of soft-bits (examples, inputs), by scores (outputs, inputs)."""
    chosen = jax.nn.one_hot(scores.argmax(-1), scores.shape[-1])
    return x @ _straight_through(chosen, jax.nn.softmax(scores)).T


def summed(entries: Array, x: Array) -> Array:
    """Entries (tables, 2^n) summed by the probabilities that soft-bits (examples, tables, n) address them."""
    high = jnp.arange(entries.shape[1])[:, None] >> jnp.arange(x.shape[-1]) & 1
    chances = jnp.where(high == 1, x[:, :, None], 1 - x[:, :, None]).prod(-1)
    return (entries * chances).sum(-1)


def folded(entries: Array, x: Array) -> Array:
    """The same sum, with the factors of one input after the other taken out."""
    found = jnp.broadcast_to(entries, (len(x), *entries.shape))
    for j in reversed(range(x.shape[-1])):
        half, bit = found.shape[-1] // 2, x[:, :, j, None]
        found = found[..., :half] * (1 - bit) + found[..., half:] * bit
    return found[..., 0]


def plain(table: Callable[[Array, Array], Array], weights: Sequence[Array], margins: Array) -> Array:
    """The logits of the net, from margins."""
    bits = wired(weights[0], margins + 0.5)
    found = table(weights[1], bits.reshape(len(bits), -1, _FAN_IN))
    votes = _straight_through(jnp.where(found > 0, 1.0, 0.0), found)
    return votes.reshape(len(bits), _CLASSES, -1).sum(-1)


FORMS = {"sum": partial(plain, summed), "fold": partial(plain, folded)}


def measure(tables: int, batch: int, rounds: int) -> dict[str, Any]:
    """The CPU seconds of a step of each kind, and how far the losses are from the toolkit's at the start."""
    made = net(tables)
    examples = random_bits(batch * _OWN_STEPS, made.inputs, _CLASSES)
    x, y = (part[:batch] for part in examples)
    weights = made.init(jax.random.key(0))
    own = float(loss_of_toolkit(made, weights, x, y))
    written = {name: _plain_steps(form, weights, x, y) for name, form in FORMS.items()}
    runs = {name: (_PLAIN_STEPS, run) for name, (_, run) in written.items()}
    runs |= {f"wires every {n}": (_OWN_STEPS, _own_steps(made, *examples, batch, n)) for n in (1, 4)}
    # In turns, so that a busy machine slows all; the least of the rounds is the least disturbed.
    rows = [[cpu_seconds(run) / steps for steps, run in runs.values()] for _ in range(rounds)]
    seconds = {name: min(column) for name, column in zip(runs, zip(*rows, strict=True), strict=True)}
    return {"cpu_seconds": seconds, "loss_differences": {name: abs(loss - own) for name, (loss, _) in written.items()}}


def _plain_steps(form: Callable[..., Array], weights: Weights, x: Array, y: Array) -> tuple[float, Run]:
    """The loss at the start, and what runs the steps."""
    adam = optax.adam(_RATE)
    state = (weights, adam.init(weights))
    program = compiled_steps(partial(loss_as_written, form), state, x, y, adam)
    return float(program(state, x, y, 1)[1]), lambda: program(state, x, y, _PLAIN_STEPS)


def _own_steps(made: Net, x: Array, y: Array, batch: int, wire_every: int) -> Run:
    settings = Settings(1, batch_size=batch, learning_rate=_RATE, optimiser="adam", wire_every=wire_every)
    epochs = Epochs(made, settings, len(x), len(x))
    votes = jax.nn.one_hot(y, _CLASSES)
    program, state = jax.jit(epochs.run), epochs.start(0, x, votes)
    jax.block_until_ready(program(state, x, votes, 0, 0, 1))
    return lambda: program(state, x, votes, 0, 0, 1)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="end within a minute: two rounds")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--tables", type=int, default=2000, help="how many tables; %(default)s without it")
    options = parser.parse_args(arguments)
    found = measure(options.tables, 128, rounds=2 if options.quick else 4)
    seconds = found["cpu_seconds"]
    ratios = {plain: {own: seconds[plain] / seconds[own] for own in seconds if own not in FORMS} for plain in FORMS}
    reached = ratios["sum"]["wires every 1"] >= GOAL
    if options.json:
        json.dump({"tables": options.tables, **found, "ratios": ratios, "goal": GOAL, "reached": reached}, sys.stdout)
        print()
        return 0 if reached else 1
    print(terminal.table([("step", "CPU seconds"), *((name, f"{value:.4f}") for name, value in seconds.items())]))
    for form, own in ratios.items():
        print(f"{form} over the toolkit's: " + ", ".join(f"{name} {ratio:.1f}" for name, ratio in own.items()))
    print(f"losses differ by {found['loss_differences']}; goal, {GOAL}: {'reached' if reached else 'missed'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
