"""BLIF: a combinational netlist of `.names`, as Yosys, ABC and others write it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.importers._network import model_of
from dbhw.importers._options import Options
from dbhw.logic.formats import blif
from dbhw.model.model import Model

SUFFIXES = (".blif",)


def read(paths: Sequence[Path], options: Options) -> Model:
    """The model of a BLIF file.

    >>> read([Path("no.blif")], Options())
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file no.blif must be readable: No such file or directory
    """
    text = files.read(paths[0]).decode(errors="replace")
    try:
        return model_of(blif.read(text), paths, "blif")
    except DbhwError as wrong:
        raise DbhwError(f"file {paths[0]}: {wrong}") from wrong
