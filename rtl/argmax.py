"""Argmax in hardware: a tournament that carries index and score; on ties the lower index goes on."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from dbhw.rtl.count import pad


def tournament(m: Module, name: str, scores: list[Value]) -> Value:
    """The index of the largest score, in as many bits as the number of scores needs."""
    width = max(len(s) for s in scores)
    players: list[tuple[Value | None, Value]] = [(None, pad(s, width)) for s in scores]
    level = 0
    while len(players) > 1:
        matches = zip(players[::2], players[1::2], strict=False)
        winners = [
            _match(m, f"{name}_{level}_{i}", level, low, high, last=len(players) == 2)
            for i, (low, high) in enumerate(matches)
        ]
        # The odd one out has no opponent: its index gets a zero, and it waits for the next level.
        for index, score in players[len(winners) * 2 :]:
            winners.append((Const(0, 1) if index is None else Cat(index, Const(0, 1)), score))
        players = winners
        level += 1
    index = players[0][0]
    return Const(0, 1) if index is None else index


def _match(
    m: Module, name: str, level: int, low: tuple[Value | None, Value], high: tuple[Value | None, Value], last: bool
) -> tuple[Value, Value]:
    (low_index, low_score), (high_index, high_score) = low, high
    second = Signal(name=f"{name}_second")
    m.d.comb += second.eq(high_score > low_score)
    index: Value = second
    if low_index is not None and high_index is not None:
        chosen = Signal(level, name=f"{name}_index")
        m.d.comb += chosen.eq(Mux(second, high_index, low_index))
        index = Cat(chosen, second)
    if last:
        return index, low_score
    score = Signal(len(low_score), name=f"{name}_score")
    m.d.comb += score.eq(Mux(second, high_score, low_score))
    return index, score
