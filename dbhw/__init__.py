"""dbhw: learned boolean nets, from training to proved hardware."""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dbhw import zoo
    from dbhw.base.errors import DbhwError
    from dbhw.classifier import Classifier
    from dbhw.data.dataset import Data, Split
    from dbhw.data.load import load_file, load_split
    from dbhw.model.model import Model, load
    from dbhw.nn.net import Net
    from dbhw.rtl.verilog.emit import to_verilog
    from dbhw.software.packed import Packed
    from dbhw.train.fit import fit
    from dbhw.train.policy import fit_recipe
    from dbhw.train.recipe import Recipe
    from dbhw.train.settings import Settings

# Public names and their modules, imported on first use: training imports JAX, and hardware Amaranth.
_HOMES = {
    "Classifier": "classifier",
    "Data": "data.dataset",
    "DbhwError": "base.errors",
    "Model": "model.model",
    "Net": "nn.net",
    "Packed": "software.packed",
    "Recipe": "train.recipe",
    "Settings": "train.settings",
    "Split": "data.dataset",
    "fit": "train.fit",
    "fit_recipe": "train.policy",
    "load": "model.model",
    "load_file": "data.load",
    "load_split": "data.load",
    "to_verilog": "rtl.verilog.emit",
}
__all__ = [
    "Classifier",
    "Data",
    "DbhwError",
    "Model",
    "Net",
    "Packed",
    "Recipe",
    "Settings",
    "Split",
    "fit",
    "fit_recipe",
    "load",
    "load_file",
    "load_split",
    "to_verilog",
    "zoo",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return version("dbhw")
    if name == "zoo":
        return importlib.import_module("dbhw.zoo")
    if name not in _HOMES:
        raise AttributeError(f"module 'dbhw' has no attribute {name!r}")
    return getattr(importlib.import_module(f"dbhw.{_HOMES[name]}"), name)
