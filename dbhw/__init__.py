"""dbhw: learned boolean nets, from training to proved hardware."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from dbhw.data import Data, load_file
from dbhw.datasets import load_split
from dbhw.errors import DbhwError
from dbhw.model import Model, load
from dbhw.net import Net

if TYPE_CHECKING:
    from dbhw.train import Settings, fit

__version__ = "0.1.0"
__all__ = ["Data", "DbhwError", "Model", "Net", "Settings", "fit", "load", "load_file", "load_split"]


def __getattr__(name: str) -> Any:
    # Training imports JAX, which nothing after the model file needs.
    if name in ("Settings", "fit"):
        return getattr(importlib.import_module("dbhw.train"), name)
    raise AttributeError(f"module 'dbhw' has no attribute {name!r}")
