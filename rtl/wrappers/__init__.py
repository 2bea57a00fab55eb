"""Wrappers: an emitted stream as a folder that another tool takes, one file each.

A wrapper is a module with a function `folder(emitted, vectors)`: the texts of its files by their names. The Verilog of
the core is among them as it was emitted, so what was proved and simulated is what the other tool gets.
"""

from __future__ import annotations

from types import ModuleType

from dbhw.base.registry import Plugins

PLUGINS = Plugins("wrapper", __name__, dashes=True)


def names() -> list[str]:
    """The names of all wrappers.

    >>> "wishbone" in names()
    True
    """
    return PLUGINS.names()


def find(name: str) -> ModuleType:
    """The module of a wrapper, whose `folder` makes the files of an emitted stream.

    >>> find("tiny-tapeout").__name__
    'dbhw.rtl.wrappers.tiny_tapeout'
    """
    return PLUGINS.module(name)
