"""When each look-up table of a pipeline computes: stages balanced by depth, with as few registers as possible."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dbhw.base.errors import DbhwError
from dbhw.rtl.core.luts import Luts


@dataclass(frozen=True)
class Pipeline:
    """What the user asks for: `comb`, `stages=N` cycles of latency, or at most `levels=N` tables between registers."""

    kind: str = "comb"
    number: int = 0

    @classmethod
    def parse(cls, text: str) -> Pipeline:
        """The choice that a text stands for.

        >>> Pipeline.parse("stages=3")
        Pipeline(kind='stages', number=3)
        >>> Pipeline.parse("deep")
        Traceback (most recent call last):
        ...
        dbhw.base.errors.DbhwError: pipeline must be comb, stages=N or levels=N with N from 1 to 999, not 'deep'
        """
        found = re.fullmatch(r"comb|(stages|levels)=([1-9]\d{0,2})", text)
        if not found:
            raise DbhwError(f"pipeline must be comb, stages=N or levels=N with N from 1 to 999, not {text!r}")
        return cls(found[1], int(found[2])) if found[1] else cls()

    def stages(self, depth: int) -> int:
        """How many stages, and so cycles of latency, tables of this depth are cut into.

        >>> [Pipeline.parse(text).stages(7) for text in ("comb", "stages=3", "levels=2")]
        [0, 3, 4]
        """
        if self.kind == "levels":
            return max(-(-depth // self.number), 1)
        return self.number


@dataclass(frozen=True)
class Schedule:
    """The stage in which each node computes, and the number of stages; a register ends each stage."""

    stage: list[int]
    stages: int


def schedule(luts: Luts, stages: int) -> Schedule:
    """Distributes the levels of tables over stages, then moves tables to later levels where that saves registers.

    >>> chain = Luts(1, [0b01] * 4, [(0,), (1,), (2,), (3,)], {"y": [4]})
    >>> schedule(chain, 2).stage
    [0, 0, 0, 1, 1]
    """
    levels = luts.levels()
    depth = max(levels, default=0)
    stage_of = [max(level - 1, 0) * stages // max(depth, 1) for level in range(depth + 1)]
    _move_later(luts, levels, depth, stage_of, stages)
    return Schedule([stage_of[level] for level in levels], stages)


def _move_later(luts: Luts, levels: list[int], depth: int, stage_of: list[int], stages: int) -> None:
    """A table that moves a stage later saves a register behind it, and may need some before it."""
    readers: list[list[int]] = [[] for _ in range(len(luts))]
    for node in range(luts.inputs, len(luts)):
        for source in luts.fanin(node):
            readers[source].append(node)
    shown = {node for nodes in luts.outputs.values() for node in nodes}

    def last_use(node: int, without: int = -1) -> int:
        uses = [stage_of[levels[r]] for r in readers[node] if r != without]
        return max([*uses, stages if node in shown else 0])

    moved = True
    while moved:
        moved = False
        for node in reversed(range(luts.inputs, len(luts))):
            latest = min([levels[r] - 1 for r in readers[node]], default=depth)
            now = stage_of[levels[node]]
            # The cheapest of the levels it may have; of equally cheap ones the earliest.
            others = [max(last_use(source, node), stage_of[levels[source]]) for source in luts.fanin(node)]

            def cost(level: int, others: list[int] = others) -> int:
                return sum(max(stage_of[level] - other, 0) for other in others) - stage_of[level]

            best = min(range(levels[node], latest + 1), key=lambda level: (cost(level), level))
            if stage_of[best] != now:
                levels[node] = best
                moved = True
