"""Boards, one file each: the file's name is the board's name, and being here is all the registration there is.

Files that start with an underscore are no boards: they build, program, simulate and talk to one.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

from dbhw.boards._board import Board
from dbhw.errors import one_of

if TYPE_CHECKING:
    from dbhw.boards._device import Device

__all__ = ["Board", "Device", "find", "names"]


def names() -> list[str]:
    """The names of all boards.

    >>> "icebreaker" in names()
    True
    """
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


def find(name: str) -> Board:
    """The board of that name.

    >>> find("icebreaker").part
    'iCE40UP5K-SG48'
    """
    if name not in names():
        raise one_of("board", name, names())
    return importlib.import_module(f"{__name__}.{name}").board


def __getattr__(name: str) -> Any:
    # The host's side is imported when it is asked for: listing boards needs no serial port.
    if name == "Device":
        return importlib.import_module(f"{__name__}._device").Device
    raise AttributeError(f"module 'dbhw.boards' has no attribute {name!r}")
