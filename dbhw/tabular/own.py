"""A user's own recipe for a table: a Python file that makes the net and its settings from the training rows.

from dbhw.tabular.thresholds import encoder
...
def recipe(data, seed):
    layers = [encoder(data.columns, data, most=7, way="information"), ...]
    return Recipe(Net(data.x.shape[1], layers), Split(data, data), Settings(epochs=100, seed=seed))
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from dbhw.base.errors import DbhwError
from dbhw.data.dataset import Data
from dbhw.train.recipe import Recipe


def load(path: str | Path, data: Data, seed: int) -> Recipe:
    """What the function `recipe(data, seed)` of a Python file makes for some training rows.

    >>> load("no_such_recipe.py", None, 0)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: recipe no_such_recipe.py must be a Python file, but there is none
    """
    if not Path(path).is_file():
        raise DbhwError(f"recipe {path} must be a Python file, but there is none")
    spec = importlib.util.spec_from_file_location("own_recipe", path)
    if spec is None or spec.loader is None:
        raise DbhwError(f"recipe {path} must be a Python file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        made = module.recipe(data, seed)
    except DbhwError:
        raise
    except Exception as wrong:  # the user's code may raise anything
        reason = " ".join(str(wrong).split()) or type(wrong).__name__
        raise DbhwError(f"recipe {path} must define recipe(data, seed), but it fails: {reason}") from wrong
    if not isinstance(made, Recipe):
        raise DbhwError(f"recipe {path} must return a dbhw.train.recipe.Recipe, not {type(made).__name__}")
    made.net.check_data(data)
    return made
