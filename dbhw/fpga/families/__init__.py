"""Families of FPGAs, one file each: its `family` says how to synthesise, place and route; its PLLs are for boards.

The file's name is the name of the target. Another package adds a family by an entry point in the group `dbhw.families`.
"""

from __future__ import annotations

from dbhw.base.registry import Plugins
from dbhw.fpga.family import Family

PLUGINS = Plugins("target", __name__)


def names() -> list[str]:
    """The names of all families.

    >>> names()
    ['ecp5', 'gowin', 'ice40', 'xilinx']
    """
    return PLUGINS.names()


def find(name: str) -> Family:
    """The family of that name.

    >>> find("xilinx").lut_inputs
    6
    >>> find("cpld")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: target must be one of ecp5, gowin, ice40, xilinx, not 'cpld'
    """
    return PLUGINS.module(name).family
