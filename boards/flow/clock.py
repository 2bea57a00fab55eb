"""The clock of a board's logic: the board's own, or one that its PLL makes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dbhw.base.errors import DbhwError
from dbhw.boards import Board
from dbhw.fpga.pll import MHZ, Setting, nearest

FASTEST = "fastest"


@dataclass(frozen=True)
class Clock:
    """A clock for the logic, in hertz, and the setting of the PLL if it is not the board's own."""

    hz: Fraction
    setting: Setting | None = None

    @property
    def megahertz(self) -> float:
        return float(self.hz) / MHZ


def clock(name: str, board: Board, asked: str) -> Clock:
    """The clock for `board`, a number of MHz, or `fastest`: the fastest that the board's PLL makes.

    >>> from dbhw import boards
    >>> clock("icestick", boards.find("icestick"), "31").megahertz
    30.75
    """
    if asked == "board":
        return Clock(Fraction(board.clock_hz))
    if asked == FASTEST:
        return below(name, board, math.inf)
    try:
        megahertz = float(asked)
    except ValueError:
        megahertz = math.nan
    if not 0 < megahertz < math.inf:
        raise DbhwError(f"clock must be board, fastest or a number of MHz, not {asked!r}")
    return below(name, board, megahertz * MHZ)


def below(name: str, board: Board, hz: float) -> Clock:
    """The fastest clock of a board's PLL that is not above a frequency.

    >>> from dbhw import boards
    >>> below("arty_a7", boards.find("arty_a7"), 50e6)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: clock must be board on board arty_a7, for which no PLL is known to work with open tools
    """
    if board.pll is None:
        raise DbhwError(f"clock must be board on board {name}, for which no PLL is known to work with open tools")
    setting = nearest(board.pll, board.clock_hz, hz)
    return Clock(setting.hz, setting)
