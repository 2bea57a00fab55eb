"""Nets from elsewhere, one file for each format: netlists, and the checkpoints of other toolkits, read as models.

An importer is a module with `SUFFIXES`, the endings of its files, and `read`, which makes a model of the files. Files
of tensors look alike; their importers have `PATTERN`, which the names of their tensors match.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dbhw.base import terminal
from dbhw.base.errors import DbhwError
from dbhw.base.registry import Plugins
from dbhw.importers._options import Options as Options

if TYPE_CHECKING:
    from dbhw.model.model import Model

PLUGINS = Plugins("importer", __name__)


@terminal.working("importing")
def read(paths: Sequence[str | Path], name: str | None = None, options: Options | None = None) -> Model:
    """The model of files, by an importer's name, or by what the files are.

    >>> read(["net.txt"])
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file net.txt must end in one of .aag, .aig, .blif, .json, .safetensors, .sv, .v
    """
    name = recognise(paths[0]) if name is None else name
    if len(paths) > 1 and name != "verilog":
        raise DbhwError(f"import of {name} must have one file, not {len(paths)}")
    return PLUGINS.member(name, "read")([Path(path) for path in paths], options or Options())


def recognise(path: str | Path) -> str:
    """The importer of a file: by its ending, and by the names of its tensors where several take that ending.

    >>> recognise("a/adder.blif")
    'blif'
    """
    from dbhw.importers import _tensors

    suffix = Path(path).suffix.lower()
    endings = {name: PLUGINS.member(name, "SUFFIXES") for name in PLUGINS.names()}
    found = [name for name, own in endings.items() if suffix in own]
    if not found:
        known = sorted({ending for own in endings.values() for ending in own})
        raise DbhwError(f"file {path} must end in one of {', '.join(known)}")
    if not hasattr(PLUGINS.module(found[0]), "PATTERN"):
        return found[0]
    held = _tensors.load(path)
    for name in found:
        if held.format == name or (not held.format and held.has(PLUGINS.member(name, "PATTERN"))):
            return name
    raise DbhwError(f"file {path} must be of one of {', '.join(found)}, but its tensors are none of theirs")
