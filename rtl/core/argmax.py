"""Argmax in hardware: a tournament that carries index and score; on ties the lower index goes on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dbhw.rtl.core.wires import ONE, ZERO, Bit, Builder, Choice, Word, greater, pad, width_of


@dataclass(frozen=True)
class Player:
    """A score, its least and its largest value, and the index it carries (empty before its first match).

    The score of a match's winner is a choice, which gets a wire of this name when the next match reads it.
    """

    score: Word | Choice
    low: int
    high: int
    index: Word = ()
    name: str = ""


def tournament(builder: Builder, name: str, players: list[Player]) -> Word:
    """The index of the largest score, in as many bits as the number of scores needs.

    >>> from dbhw.rtl.verilog.writer import VerilogModule
    >>> module = VerilogModule("net"); x = module.input("x", 40)
    >>> len(tournament(module, "argmax", [Player(x[i : i + 4], 0, 15) for i in range(0, 40, 4)]))
    4
    """
    width = max(width_of(p.score) for p in players)
    level = 0
    while len(players) > 1:
        pairs = list(zip(players[::2], players[1::2], strict=False))
        winners = [_match(builder, f"{name}_{level}_{i}", width, *pair) for i, pair in enumerate(pairs)]
        # The odd one out has no opponent: its index gets a zero, and it waits for the next level.
        winners += [_advance(p, ZERO) for p in players[len(pairs) * 2 :]]
        players = winners
        level += 1
    return players[0].index or (ZERO,)


def _advance(player: Player, digit: Bit) -> Player:
    return replace(player, index=(*player.index, digit))


def _match(builder: Builder, name: str, width: int, first: Player, second: Player) -> Player:
    if second.high <= first.low:
        return _advance(first, ZERO)
    if second.low > first.high:
        return _advance(second, ONE)
    a, b = _score(builder, first, width), _score(builder, second, width)
    wins = builder.define(f"{name}_second", (greater(b, a),))
    index = wins
    if first.index:
        index = builder.define(f"{name}_index", Choice(wins[0], second.index, first.index)) + wins
    low, high = max(first.low, second.low), max(first.high, second.high)
    return Player(Choice(wins[0], b, a), low, high, index, f"{name}_score")


def _score(builder: Builder, player: Player, width: int) -> Word:
    score = player.score
    return builder.define(player.name, score) if isinstance(score, Choice) else pad(score, width)
