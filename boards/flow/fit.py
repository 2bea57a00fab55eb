"""Whether a net fits a board and runs at its clock; if it does not, what to try instead.

Proposals are estimates, and the messages say so: a count before place and route is the least that is needed, and the
delay of a path is taken to grow with the number of its look-up tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbhw import boards
from dbhw.base.errors import DbhwError
from dbhw.boards import Board
from dbhw.fpga import families, pll
from dbhw.fpga.family import total

# A full part is hard to route, and look-up tables of another part may have fewer inputs.
_ROOM = 1.3
_MOST_PROPOSED = 3


@dataclass(frozen=True)
class Cost:
    """What a design takes up."""

    luts: int
    ffs: int
    rams: int


class TooSlowError(DbhwError):
    """A clock that place and route did not reach."""

    def __init__(self, name: str, wanted_mhz: float, reached_mhz: float, cost: Cost) -> None:
        super().__init__(
            f"net must run at {wanted_mhz:g} MHz on board {name}, but it reaches {reached_mhz:.1f} MHz,"
            f" {wanted_mhz - reached_mhz:.1f} MHz too few:"
            f" its longest path is {1e3 / reached_mhz - 1e3 / wanted_mhz:.1f} ns too long"
        )
        self.wanted_mhz, self.reached_mhz, self.cost = wanted_mhz, reached_mhz, cost


def count(family: str, cells: Mapping[str, int]) -> Cost:
    """What synthesised cells, counted by type, take up at least; packing may need more.

    >>> count("ice40", {"SB_LUT4": 2, "SB_DFFE": 1, "SB_RAM40_4K": 1, "SB_IO": 3})
    Cost(luts=2, ffs=1, rams=1)
    """
    kinds = families.find(family)
    return Cost(total(kinds.luts, cells), total({kinds.flip_flops: 1}, cells), total(kinds.rams, cells))


def holding(cost: Cost) -> list[str]:
    """The boards on which it should fit and route, the smallest first, those with open tools before others.

    >>> holding(Cost(luts=5000, ffs=1000, rams=4))
    ['tinyfpga_bx', 'tang_nano_9k', 'tang_nano_20k', 'colorlight_5a75b', 'orangecrab', 'ulx3s', 'arty_a7', 'arty_z7']
    """
    found = {name: boards.find(name) for name in boards.names()}
    fits = [n for n, b in found.items() if _ROOM * cost.luts <= b.luts and _ROOM * cost.ffs <= b.ffs]
    return sorted(
        (name for name in fits if cost.rams <= found[name].rams),
        key=lambda name: (not found[name].open_tools, found[name].luts, name),
    )


def check_size(name: str, board: Board, cost: Cost, at_least: bool = False) -> None:
    """Refuses what does not fit; the error says how much is missing, and which boards should hold it.

    >>> check_size("icestick", boards.find("icestick"), Cost(luts=1722, ffs=300, rams=4))
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: net must fit board icestick: it needs 1722 LUTs, 442 more than the 1280 there; \
icebreaker, tinyfpga_bx, tang_nano_9k should hold it
    """
    kinds = {"luts": "LUTs", "ffs": "FFs", "rams": "block RAMs"}
    kind = max(kinds, key=lambda kind: getattr(cost, kind) / getattr(board, kind))
    needed, available = getattr(cost, kind), getattr(board, kind)
    if needed <= available:
        return
    proposed = ", ".join(holding(cost)[:_MOST_PROPOSED])
    raise DbhwError(
        f"net must fit board {name}: it needs {'at least ' * at_least}{needed} {kinds[kind]},"
        f" {needed - available} more than the {available} there;"
        f" {f'{proposed} should hold it' if proposed else 'no board in the list would hold it'}"
    )


def stages_to_reach(wanted_mhz: float, reached_mhz: float, depth: int, stages: int) -> int | None:
    """The fewest stages that should reach a clock, or None if one look-up table between registers is still too slow.

    The delay of a path is estimated as that of its look-up tables and of one more, for the registers.

    >>> stages_to_reach(wanted_mhz=30, reached_mhz=10, depth=8, stages=0)
    4
    """
    level = 1 / reached_mhz / (_levels(depth, stages) + 1)
    enough = (n for n in range(max(stages, 1) + 1, depth + 1) if (_levels(depth, n) + 1) * level <= 1 / wanted_mhz)
    return next(enough, None)


def _levels(depth: int, stages: int) -> int:
    return -(-depth // max(stages, 1))


def proposals(slow: TooSlowError, board: Board, depth: int, stages: int) -> str:
    """What should be fast enough, as the end of an error; a depth of zero means that the net cannot be pipelined.

    >>> slow = TooSlowError("ulx3s", 25, 20, Cost(5000, 500, 4))
    >>> proposals(slow, boards.find("ulx3s"), depth=9, stages=0)
    '; by estimate, --pipeline stages=2 or --clock 20 would do'
    """
    found = []
    enough = stages_to_reach(slow.wanted_mhz, slow.reached_mhz, depth, stages)
    # Above the clock of a small net, the link is too slow, and a pipeline in the core does not help.
    if enough and slow.wanted_mhz <= (board.speed_mhz or slow.wanted_mhz):
        found.append(f"--pipeline stages={enough}")
    if board.pll and slow.reached_mhz * 1e6 >= pll.least(board.pll, board.clock_hz):
        found.append(f"--clock {float(pll.nearest(board.pll, board.clock_hz, slow.reached_mhz * 1e6).hz) / 1e6:.6g}")
    if others := _fast_enough(slow, board):
        found.append(f"--board {others[0]}")
    return f"; by estimate, {' or '.join(found)} would do" if found else "; no pipeline, clock or board is known to do"


def _fast_enough(slow: TooSlowError, board: Board) -> list[str]:
    """Boards whose part should be fast enough with a margin of a tenth, by the clock that one net reaches on each.

    If the board's own clock was too fast, the other board's own clock is the goal; otherwise the same clock is.
    """
    own = slow.wanted_mhz == board.clock_hz / 1e6

    def enough(other: Board) -> bool:
        wanted = other.clock_hz / 1e6 if own else slow.wanted_mhz
        return slow.reached_mhz * other.speed_mhz >= 1.1 * wanted * board.speed_mhz

    found = {name: boards.find(name) for name in holding(slow.cost)}
    return [n for n, other in found.items() if board.speed_mhz and other.part != board.part and enough(other)]
