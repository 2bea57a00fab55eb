"""The bench of learned tables: what it compares with is the same function."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from bench import lookup
from dbhw.nn.layers.lookup import Lookup


@pytest.mark.parametrize("table", [lookup.summed, lookup.folded])
def test_tables_and_their_gradients_are_those_of_the_multilinear_sum(table):
    random = np.random.default_rng(0)
    x = jnp.asarray(random.integers(0, 2, (50, 4 * 3)), jnp.float32)
    entries, cotangent = (jnp.asarray(random.uniform(-0.5, 0.5, s), jnp.float32) for s in [(4, 8), (50, 4)])

    @jax.jit
    def both(entries, x, cotangent):
        wanted, back_plain = jax.vjp(lambda w, x: table(w, x.reshape(50, 4, 3)), entries, x)
        found, back = jax.vjp(lambda w, x: Lookup(fan_in=3).soft(w, x - 0.5), entries, x)
        return (found, *back(cotangent)), (wanted, *back_plain(cotangent))

    for a, b in zip(*both(entries, x, cotangent), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_the_bench_measures(capsys):
    lookup.main(["--json", "--quick", "--tables", "10"])
    found = json.loads(capsys.readouterr().out)
    assert max(found["loss_differences"].values()) < 1e-5
    assert min(found["cpu_seconds"].values()) > 0


def test_a_missed_goal_is_told(capsys, monkeypatch):
    seconds = {"sum": 19.0, "fold": 3.0, "wires every 1": 1.0, "wires every 4": 0.5}
    monkeypatch.setattr(lookup, "measure", lambda *_, **__: {"cpu_seconds": seconds, "loss_differences": {}})
    assert lookup.main([]) == 1
    assert "goal, 20: missed" in capsys.readouterr().out
