"""The JAX half of the toolkit, imported when it is first used.

A layer's soft and hard meaning stand in one file, and everything from the model file on uses only the hard one. So the
layers name JAX through this module, and emitting, simulating or proving never pays for importing it.
"""

import importlib
from typing import TYPE_CHECKING, Any


class _Lazy:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self._name), attribute)


if TYPE_CHECKING:
    import jax
    import jax.numpy as jnp

    from dbhw.nn import margins
else:
    jax = _Lazy("jax")
    jnp = _Lazy("jax.numpy")
    margins = _Lazy("dbhw.nn.margins")

__all__ = ["jax", "jnp", "margins"]
