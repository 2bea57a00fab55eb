"""Programming: the board's own tool, on a bitstream that is still the one that was built."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from dbhw import boards
from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.boards.flow.build import SUMMARY


def command(folder: str | Path) -> list[str]:
    """The command that programs what a folder holds; a `DbhwError` where it holds no bitstream.

    >>> command("/no/such/folder")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file /no/such/folder/build.json must be readable: No such file or directory
    """
    path = Path(folder) / SUMMARY
    content = files.read(path)
    try:
        built = json.loads(content)
        name, bitstream = built["board"], built["bitstream"]
    except (ValueError, KeyError, TypeError) as wrong:
        raise DbhwError(f"file {path} must be the summary of a build, but it is not: build again") from wrong
    board = boards.find(name)
    # A project has no bitstream yet; Vivado, run there, leaves it under the project's name.
    place = Path(folder) / ("top.bit" if bitstream is None else Path(bitstream).name)
    if bitstream is None and not place.exists():
        raise DbhwError(
            f"folder {folder} must hold a bitstream, not a project: run build_top.sh with Vivado there first"
        )
    files.read(place)
    return [word.format(bitstream=place) for word in board.program]


def program(folder: str | Path) -> int:
    """Runs that command; its exit code, 1 where it failed.

    >>> program("/no/such/folder")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file /no/such/folder/build.json must be readable: No such file or directory
    """
    words = command(folder)
    if shutil.which(words[0]) is None:
        raise DbhwError(f"{words[0]} must be installed to program this board, but it is not found")
    return 1 if subprocess.run(words, check=False).returncode else 0
