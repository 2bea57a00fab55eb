"""AIGER: a combinational and-inverter graph, binary (.aig) or text (.aag); its symbols name the ports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.importers._network import model_of
from dbhw.importers._options import Options
from dbhw.logic.formats import aiger
from dbhw.model.model import Model

SUFFIXES = (".aig", ".aag")


def read(paths: Sequence[Path], options: Options) -> Model:
    """The model of an AIGER file.

    >>> read([Path("no.aig")], Options())
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file no.aig must be readable: No such file or directory
    """
    data = files.read(paths[0])
    try:
        return model_of(aiger.read(data), paths, "aiger")
    except DbhwError as wrong:
        raise DbhwError(f"file {paths[0]}: {wrong}") from wrong
