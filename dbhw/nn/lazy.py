"""JAX and the modules that need it, imported on first use.

The soft and the hard meaning of a layer are in one file, but from the model file on only the hard one is used. Layers
take JAX from here, so that emitting, simulating and proving do not wait for its import.
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
    from jax import Array

    from dbhw.nn import choices, margins, operators
else:
    jax = _Lazy("jax")
    jnp = _Lazy("jax.numpy")
    choices = _Lazy("dbhw.nn.choices")
    margins = _Lazy("dbhw.nn.margins")
    operators = _Lazy("dbhw.nn.operators")
    Array = object  # only annotations name it

__all__ = ["Array", "choices", "jax", "jnp", "margins", "operators"]
