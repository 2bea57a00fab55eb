"""Programming a board with the tool that its file names."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from dbhw import boards
from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.boards.flow.build import SUMMARY
from dbhw.fpga import families
from dbhw.tools import process


def command(folder: str | Path) -> list[str]:
    """The command that puts the bitstream of a folder on its board; a `DbhwError` if the folder has none.

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
    project = families.find(board.family).project
    if bitstream is None and project:
        bitstream = project.bitstream
        if not (Path(folder) / bitstream).exists():
            raise DbhwError(
                f"folder {folder} must hold a bitstream, not a project:"
                f" run build_top.sh with {project.tool} there first"
            )
    place = Path(folder) / Path(bitstream).name
    files.read(place)
    return [word.format(bitstream=place) for word in board.program]


def program(folder: str | Path) -> int:
    """Runs that command; the exit code is 1 if it fails.

    >>> program("/no/such/folder")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file /no/such/folder/build.json must be readable: No such file or directory
    """
    words = command(folder)
    tool = process.find(words[0], "to program this board")
    return 1 if subprocess.run([tool, *words[1:]], check=False).returncode else 0
