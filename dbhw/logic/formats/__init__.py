"""The formats a logic network is written in, one file each; where it makes sense, `read` reads it back."""

from __future__ import annotations

from types import ModuleType

from dbhw.base.registry import Plugins

PLUGINS = Plugins("format", __name__)


def names() -> list[str]:
    """The names of all formats.

    >>> "blif" in names()
    True
    """
    return PLUGINS.names()


def find(name: str) -> ModuleType:
    """The module of a format, whose `write` makes a text of a network, or bytes.

    >>> find("text").__name__
    'dbhw.logic.formats.text'
    """
    return PLUGINS.module(name)
