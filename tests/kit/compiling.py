"""How XLA compiles: with few optimisations in most tests (see conftest.py), or as it does for users."""

from contextlib import contextmanager

import jax

# For `jax.jit`: the means that conftest.py switches off for the whole process. Its optimisations are those of the time.
OPTIONS_AS_USUAL = {"xla_cpu_use_fusion_emitters": True}


@contextmanager
def as_usual(usual=True):
    """XLA optimises as it does for users."""
    before = jax.config.read("jax_disable_most_optimizations")
    jax.config.update("jax_disable_most_optimizations", not usual)
    try:
        yield
    finally:
        jax.config.update("jax_disable_most_optimizations", before)


def compiled_as_usual(function):
    """A function as a program, compiled as it is for users when it is first called within `as_usual`."""
    return jax.jit(function, compiler_options=OPTIONS_AS_USUAL)
