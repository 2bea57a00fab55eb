"""A training step of learned tables with learned wires, against the same layers in plain differentiable operations.

    python -m bench.lookup [--quick] [--json]

Written plainly, a wire is a row of a matrix, the input with the highest score, whose gradient is that of a softmax; and
a table is the sum over its entries, each times the probability that the inputs address it. In `sum` the probabilities
are written out, a product of n factors for each entry. In `fold` each input in turn halves the table, which is the
least work for plain operations. All three give the same outputs. CPU time of all cores, side by side in one run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
from jax import Array

from bench.train import compare, random_bits
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.net import Net

GOAL = 20
_INPUTS, _FAN_IN, _CLASSES = 784, 6, 10


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


def measure(tables: int, batch: int, steps: int, rounds: int) -> dict[str, dict[str, float]]:
    """For each of the two forms what it takes over the toolkit's step."""
    examples = random_bits(batch, _INPUTS, _CLASSES)
    forms = {"sum": summed, "fold": folded}
    return {
        name: compare(net(tables), lambda w, x, form=form: plain(form, w, x), *examples, steps, rounds)
        for name, form in forms.items()
    }


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="end within a minute: 500 tables, fewer rounds")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    tables, steps, rounds = (500, 4, 2) if options.quick else (2000, 4, 3)
    rows = measure(tables, 128, steps, rounds)
    reached = rows["sum"]["cpu_time_ratio"] >= GOAL
    if options.json:
        json.dump({"tables": tables, "goal": GOAL, "reached": reached, **rows}, sys.stdout)
        print()
    else:
        for name, row in rows.items():
            print(
                f"{tables} tables, batch {row['batch']}, as a {name}: {row['cpu_seconds_as_written']:.3f} s of CPU time "
                f"a step against {row['cpu_seconds']:.3f} s, {row['cpu_time_ratio']:.1f} times as much; "
                f"{row['peak_memory_ratio']:.1f} times the memory; losses differ by {row['loss_difference']:.1e}"
            )
        print(f"goal, {GOAL} times as fast as the sum: {'reached' if reached else 'missed'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
