"""The state of a training run in a safetensors file, to resume from: weights, optimiser state and the epoch."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import jax
import numpy as np
import safetensors
import safetensors.numpy

from dbhw.base import files
from dbhw.base.errors import DbhwError

Tree = TypeVar("Tree")  # a structure of arrays, as JAX knows them


def save(path: str | Path, epoch: int, state: object, run: str) -> None:
    """Writes the state after `epoch` epochs; `run` is a digest of the net, the data and the settings.

    >>> import tempfile
    >>> path, state = Path(tempfile.mkdtemp()) / "state", [np.array([0.25], np.float32)]
    >>> save(path, 7, state, "ab")
    >>> load(path, state, "ab")[0]
    7
    """
    if jax.process_index() != 0:
        return  # every process holds the same state; the first one writes it
    leaves = {_name(i): np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(state))}
    files.write(path, safetensors.numpy.save({**leaves, "epoch": np.array([epoch]), "run": _run_tensor(run)}))


def load(path: str | Path, like: Tree, run: str) -> tuple[int, Tree]:
    """The epoch and the state of a checkpoint, in the structure of `like`.

    >>> load("no.state", [], "ab")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file no.state must be readable: No such file or directory
    """
    try:
        tensors = safetensors.numpy.load(files.read(path))
        stored = tensors["run"]
        leaves, structure = jax.tree.flatten(like)
        found = [tensors[_name(i)] for i in range(len(leaves))]
        epoch = int(tensors["epoch"][0])
    except (safetensors.SafetensorError, KeyError, IndexError) as wrong:
        raise DbhwError(f"checkpoint {path} must be complete, but it is damaged; remove it") from wrong
    if not np.array_equal(stored, _run_tensor(run)):
        raise DbhwError(f"checkpoint {path} must come from the same net, data and settings; remove it to start again")
    return epoch, jax.tree.unflatten(structure, [jax.numpy.asarray(f) for f in found])


def _name(index: int) -> str:
    return f"leaf{index:04}"


def _run_tensor(run: str) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(run), np.uint8)
