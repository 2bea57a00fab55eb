"""What a tournament of six-input look-up tables is made of; each is a module that synthesis keeps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from dbhw.rtl.core.wires import Bit, Builder, Choice, Gate, Word, complement, gate, greater


@dataclass(frozen=True)
class Ahead:
    """Whether some digits of a number are ahead of those of another; one table.

    Its inputs are the first number's digits and the second's; before them, if there are lower digits, whether those
    are ahead, which decides where these are equal.
    """

    digits: int
    follows: bool
    width: ClassVar[int] = 1
    kept: ClassVar[bool] = True

    def name(self) -> str:
        """What its module is called.

        >>> Ahead(2, True).name()
        'greater_of_2_digits_and_below'
        """
        return f"greater_of_{self.digits}_digits" + "_and_below" * self.follows

    def meaning(self) -> str:
        """What its module computes, for a comment.

        >>> Ahead(2, True).meaning()
        'Whether x[2:1] is greater than x[4:3], or as great and x[0] is high.'
        """
        start = int(self.follows)
        first, second = (_slice(start + i * self.digits, self.digits) for i in (0, 1))
        return f"Whether {first} is greater than {second}" + ", or as great and x[0] is high" * self.follows + "."

    def build(self, builder: Builder, name: str, inputs: Word) -> Word:
        """The bit.

        >>> from dbhw.rtl.verilog.writer import VerilogModule
        >>> module = VerilogModule("net")
        >>> len(Ahead(3, False).build(module, "y", module.input("x", 6)))
        1
        """
        numbers = inputs[self.follows :]
        first, second = numbers[: self.digits], numbers[self.digits :]
        if not self.follows:
            return (greater(first, second),)
        # The lower digits as one more digit, which the second number lacks.
        return (greater((inputs[0], *first), (complement(inputs[0]), *second)),)


@dataclass(frozen=True)
class Winner:
    """The place of the largest of three or four scores, of which each pair was compared; one table for each digit."""

    players: int
    width: ClassVar[int] = 2
    kept: ClassVar[bool] = True

    def name(self) -> str:
        """What its module is called.

        >>> Winner(4).name()
        'winner_of_4'
        """
        return f"winner_of_{self.players}"

    def meaning(self) -> str:
        """What its module computes, for a comment.

        >>> Winner(3).meaning()
        'The place of the largest; x: 1 is ahead of 0, 2 of 0, 2 of 1.'
        """
        pairs = [f"{j} {'is ahead of' if (i, j) == (0, 1) else 'of'} {i}" for i, j in self._pairs()]
        return f"The place of the largest; x: {', '.join(pairs)}."

    def build(self, builder: Builder, name: str, inputs: Word) -> Word:
        """The digits of the place.

        >>> from dbhw.rtl.verilog.writer import VerilogModule
        >>> module = VerilogModule("net")
        >>> len(Winner(4).build(module, "y", module.input("x", 6)))
        2
        """
        wins = [self._wins(player, inputs) for player in range(self.players)]
        return tuple(gate("|", [win for i, win in enumerate(wins) if i >> j & 1]) for j in range(self.width))

    def _pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(self.players), 2))

    def _wins(self, player: int, inputs: Word) -> Bit:
        ahead = dict(zip(self._pairs(), inputs, strict=True))
        bits = [bit if j == player else complement(bit) for (i, j), bit in ahead.items() if player in (i, j)]
        return Gate("&", tuple(bits))


@dataclass(frozen=True)
class Chosen:
    """One of three or four words, by its place; one table for each digit. Its inputs are the place, then the words."""

    words: int
    width: int
    kept: ClassVar[bool] = True

    def name(self) -> str:
        """What its module is called.

        >>> Chosen(4, 6).name()
        'choose_of_4_words_of_6'
        """
        return f"choose_of_{self.words}_words_of_{self.width}"

    def meaning(self) -> str:
        """What its module computes, for a comment.

        >>> Chosen(4, 6).meaning()
        'The word number x[1:0] of the words from x[2] on.'
        """
        return "The word number x[1:0] of the words from x[2] on."

    def build(self, builder: Builder, name: str, inputs: Word) -> Word:
        """The chosen word.

        >>> from dbhw.rtl.verilog.writer import VerilogModule
        >>> module = VerilogModule("net")
        >>> len(Chosen(4, 6).build(module, "y", module.input("x", 26)))
        6
        """
        low, high, *bits = inputs
        words = [tuple(bits[i * self.width : (i + 1) * self.width]) for i in range(self.words)]
        first = builder.define(f"{name}_low", Choice(low, words[1], words[0]))
        second = builder.define(f"{name}_high", Choice(low, words[3], words[2])) if self.words > 3 else words[2]
        return builder.define(f"{name}_chosen", Choice(high, second, first))


def _slice(start: int, width: int) -> str:
    return f"x[{start + width - 1}:{start}]" if width > 1 else f"x[{start}]"
