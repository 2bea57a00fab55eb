"""Argmax in hardware: a tournament that carries index and score; on ties the lower index goes on."""

from __future__ import annotations

from dataclasses import dataclass

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from dbhw.rtl.core.count import pad


@dataclass(frozen=True)
class Player:
    """A score, the least and the largest value it can have, and the index it carries (None before its first match)."""

    score: Value
    low: int
    high: int
    index: Value | None = None


def tournament(m: Module, name: str, players: list[Player]) -> Value:
    """The index of the largest score, in as many bits as the number of scores needs.

    >>> m = Module()
    >>> len(tournament(m, "argmax", [Player(Signal(4), 0, 15) for _ in range(10)]))
    4
    """
    width = max(len(p.score) for p in players)
    level = 0
    while len(players) > 1:
        pairs = list(zip(players[::2], players[1::2], strict=False))
        winners = [_match(m, f"{name}_{level}_{i}", width, *pair, len(players) == 2) for i, pair in enumerate(pairs)]
        # The odd one out has no opponent: its index gets a zero, and it waits for the next level.
        winners += [_advance(p, 0) for p in players[len(pairs) * 2 :]]
        players = winners
        level += 1
    index = players[0].index
    return Const(0, 1) if index is None else index


def _advance(player: Player, digit: int) -> Player:
    digits = Const(digit, 1)
    index = digits if player.index is None else Cat(player.index, digits)
    return Player(player.score, player.low, player.high, index)


def _match(m: Module, name: str, width: int, first: Player, second: Player, last: bool) -> Player:
    if second.high <= first.low:
        return _advance(first, 0)
    if second.low > first.high:
        return _advance(second, 1)
    a, b = pad(first.score, width), pad(second.score, width)
    wins = Signal(name=f"{name}_second")
    m.d.comb += wins.eq(b > a)
    index: Value = wins
    if first.index is not None and second.index is not None:
        chosen = Signal(len(first.index), name=f"{name}_index")
        m.d.comb += chosen.eq(Mux(wins, second.index, first.index))
        index = Cat(chosen, wins)
    low, high = max(first.low, second.low), max(first.high, second.high)
    if last:
        return Player(a, low, high, index)
    score = Signal(width, name=f"{name}_score")
    m.d.comb += score.eq(Mux(wins, b, a))
    return Player(score, low, high, index)
