"""Argmax in hardware: a tournament that carries index and score; on ties the lower index goes on.

With four-input look-up tables two scores meet in a match. With six-input tables up to four do, each of them against
each other: a comparison takes a table for two to three digits, and one table chooses a digit among four scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from dbhw.rtl.arithmetic.matches import Ahead, Chosen, Winner
from dbhw.rtl.core.wires import ONE, ZERO, Bit, Builder, Choice, Instance, Word, greater, pad, width_of


@dataclass(frozen=True)
class Player:
    """A score, its least and its largest value, and the index it carries (empty before its first match).

    The score of a match's winner is defined when the next match reads it, as a wire of this name.
    """

    score: Word | Choice | Instance
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
    size = 2 if builder.lut_inputs == 4 else 4
    index_width = max((len(players) - 1).bit_length(), 1)
    level = 0
    while len(players) > 1:
        groups = [players[i : i + size] for i in range(0, len(players), size)]
        digits = (min(len(players), size) - 1).bit_length()
        players = [_winner(builder, f"{name}_{level}_{i}", width, digits, group) for i, group in enumerate(groups)]
        level += 1
    return pad(players[0].index, index_width)[:index_width]


def _advance(player: Player, place: int, digits: int) -> Player:
    """The player goes on without a match: the digits of its index are known."""
    return replace(player, index=(*player.index, *[ONE if place >> j & 1 else ZERO for j in range(digits)]))


def _winner(builder: Builder, name: str, width: int, digits: int, group: list[Player]) -> Player:
    """The winner of a group, whose place in it becomes digits of its index."""
    able = [i for i, player in enumerate(group) if not _cannot_win(i, group)]
    if len(able) == 1:
        return _advance(group[able[0]], able[0], digits)
    if len(group) == 2:
        return _match(builder, name, width, digits, *group)
    return _round(builder, name, width, digits, group)


def _cannot_win(i: int, group: Sequence[Player]) -> bool:
    """Whether some other player always has more, or as much with a lower index."""
    high = group[i].high
    return any(p.low > high or (p.low == high and j < i) for j, p in enumerate(group) if j != i)


def _match(builder: Builder, name: str, width: int, digits: int, first: Player, second: Player) -> Player:
    a, b = _score(builder, first, width), _score(builder, second, width)
    wins = builder.define(f"{name}_second", (_ahead(builder, f"{name}_ahead", b, a),))
    index = wins
    if first.index:
        index = builder.define(f"{name}_index", Choice(wins[0], second.index, first.index)) + wins
    low, high = max(first.low, second.low), max(first.high, second.high)
    return Player(Choice(wins[0], b, a), low, high, pad(index, len(first.index) + digits), f"{name}_score")


def _round(builder: Builder, name: str, width: int, digits: int, group: list[Player]) -> Player:
    """Three or four players, each of them against each other."""
    scores = [_score(builder, player, width) for player in group]
    pairs = list(combinations(range(len(group)), 2))
    ahead = tuple(_ahead(builder, f"{name}_{j}_ahead_of_{i}", scores[j], scores[i]) for i, j in pairs)
    place = builder.define(f"{name}_place", Instance(Winner(len(group)), ahead))
    index = place
    if group[0].index:
        indexes = [player.index for player in group]
        index = builder.define(f"{name}_index", _chosen(place, indexes)) + place
    low, high = (max(getattr(p, end) for p in group) for end in ("low", "high"))
    return Player(_chosen(place, scores), low, high, pad(index, len(group[0].index) + digits), f"{name}_score")


def _chosen(place: Word, words: Sequence[Word]) -> Instance:
    return Instance(Chosen(len(words), len(words[0])), (*place, *(bit for word in words for bit in word)))


def _ahead(builder: Builder, name: str, first: Word, second: Word) -> Bit:
    """Whether a score is greater than another one."""
    if builder.lut_inputs == 4 or len(first) == 1:
        return greater(first, second)
    below: Word = ()
    start = 0
    while start < len(first):
        many = min(3 - len(below), len(first) - start)
        end = start + many
        compared = Instance(Ahead(many, bool(below)), (*below, *first[start:end], *second[start:end]))
        below = builder.define(f"{name}_{end}" if end < len(first) else name, compared)
        start = end
    return below[0]


def _score(builder: Builder, player: Player, width: int) -> Word:
    score = player.score
    return pad(score, width) if isinstance(score, tuple) else builder.define(player.name, score)
