"""Verilog without registers, as Yosys reads it; several files are read together, such as a netlist and its cells.

Yosys flattens the design and turns words into gates, and what it writes as BLIF is read. Undefined bits become 0.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.importers._network import model_of
from dbhw.importers._options import Options
from dbhw.logic.formats import blif
from dbhw.model.model import Model
from dbhw.tools import yosys
from dbhw.tools.process import ToolError

SUFFIXES = (".v", ".sv")


def read(paths: Sequence[Path], options: Options) -> Model:
    """The model of a Verilog module: that of the options, or else the one that no other uses.

    >>> read([Path("no.v")], Options())
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file no.v must be readable: No such file or directory
    """
    if options.top is not None and not re.fullmatch(r"[A-Za-z_][\w$]*", options.top, re.ASCII):
        raise DbhwError(f"top must be the name of a module, not {options.top!r}")
    shown = ", ".join(map(str, paths))
    with tempfile.TemporaryDirectory() as folder:
        for i, path in enumerate(paths):
            (Path(folder) / f"{i}.v").write_bytes(files.read(path))
        try:
            yosys.run(_script(len(paths), options.top), folder)
        except ToolError as wrong:
            raise DbhwError(f"file {shown} must be Verilog that Yosys reads: {_reason(wrong, folder)}") from wrong
        text = (Path(folder) / "net.blif").read_text()
    try:
        return model_of(blif.read(text), paths, "verilog")
    except DbhwError as wrong:
        # The lines are those of the BLIF, which the user has not seen.
        raise DbhwError(f"file {shown}: {re.sub(r' in line [0-9]+$', '', str(wrong))}") from wrong


def _script(count: int, top: str | None) -> list[str]:
    return [
        *(f"read_verilog -sv {i}.v" for i in range(count)),
        f"hierarchy -check {f'-top {top}' if top else '-auto-top'}",
        *("proc", *yosys.FLATTEN, "opt_expr", "opt_clean", "memory_map", "techmap", "simplemap"),
        *("setundef -zero", "opt_clean", "write_blif net.blif"),
    ]


def _reason(wrong: ToolError, folder: str) -> str:
    """The line in which Yosys says what is wrong, without the name of our folder."""
    lines = [line for line in wrong.output.splitlines() if "ERROR" in line]
    return (lines[-1] if lines else str(wrong)).replace(f"{folder}/", "").strip()
