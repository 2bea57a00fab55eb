"""The rows of a table that a model was tested on, found again from what the model records of its training."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.data.dataset import Data
from dbhw.data.tables.examples import load_for, prepare
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.read import read
from dbhw.model.model import Model


def record(path: str | Path, options: TableOptions, seed: int) -> dict[str, Any]:
    """What a model keeps of the file that it was trained on: its digest, and what the user said of it.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "beans.csv"
    >>> _ = path.write_text("weight,kind\\n1,red\\n")
    >>> record(path, TableOptions(label="kind"), 0)["options"]["label"]
    'kind'
    """
    return {"sha256": files.digest(path), "seed": seed, "options": asdict(options)}


def examples(path: str | Path, model: Model) -> tuple[Data, str]:
    """The examples of a file for a model of integers, and which rows they are.

    Of the file that the model was trained on these are the rows for testing, of any other file all rows.

    >>> import tempfile
    >>> from dbhw.nn.net import Net
    >>> path = Path(tempfile.mkdtemp()) / "beans.csv"
    >>> _ = path.write_text("weight,kind\\n" + "1,red\\n6,white\\n" * 10)
    >>> ready = prepare(read(path))
    >>> net = Net(ready.train.x.shape[1], [])
    >>> model = Model(net, (), ready.train.features, ready.train.classes, columns=ready.columns)
    >>> len(examples(path, model)[0].y)
    20
    """
    kept: dict[str, Any] = model.provenance.get("file") or {}
    if kept and kept.get("sha256") == files.digest(path):
        options = _options(kept.get("options", {}))
        tested = prepare(read(path, options), options, kept.get("seed", 0)).test
        if len(tested.y):
            return tested, "the rows that were kept for testing"
    options = _options(kept.get("options", {})) if kept else TableOptions()
    return load_for(path, model.columns, model.classes, model.provenance.get("label"), _rows_only(options)), "all rows"


def _options(stored: dict[str, Any]) -> TableOptions:
    names = ("empty", "columns", "drop")
    try:
        fixed: dict[str, Any] = {**stored, **{name: tuple(stored[name]) for name in names}}
        return TableOptions(**{**fixed, "bits": {name: tuple(value) for name, value in stored["bits"].items()}})
    except (TypeError, KeyError, AttributeError) as wrong:
        raise DbhwError(
            f"model must record how its table was read, but its record lacks {wrong}: train again"
        ) from wrong


def _rows_only(options: TableOptions) -> TableOptions:
    """What of the options concerns rows of another file; the model knows its columns."""
    return TableOptions(empty=options.empty, missing=options.missing)
