"""How XLA compiles: with few optimisations in most tests (see conftest.py), or as it does for users."""

from contextlib import contextmanager

import jax


@contextmanager
def as_usual(usual=True):
    before = jax.config.read("jax_disable_most_optimizations")
    jax.config.update("jax_disable_most_optimizations", not usual)
    try:
        yield
    finally:
        jax.config.update("jax_disable_most_optimizations", before)
