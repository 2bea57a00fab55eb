"""Rules about a model in the names of its features and classes, such as `cold and celsius < 10 -> coat`.

    rule   = either [ "->" rule ]
    either = both { "or" both }
    both   = bit { "and" bit }
    bit    = "not" bit | "(" rule ")" | name [ ( ">=" | ">" | "<" | "<=" | "==" | "!=" ) value ]

A column of numbers or words is compared with a value, in the user's own terms. The hardware gets integers: a rule
speaks of the values that these stand for. A name or a word may be quoted. It must be where it has spaces or
parentheses, or is a word of the grammar.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TypeVar

from dbhw.base.errors import DbhwError
from dbhw.base.names import identifiers
from dbhw.data.tables.column import Column

Bit = TypeVar("Bit")
_COMPARISONS = (">=", "<=", "==", "!=", ">", "<")
_TOKEN = re.compile(r"""\s*(->|[()]|"[^"]*"|'[^']*'|(?:(?!->)[^\s()"'])+|["'])""")
# Only where there are columns: the name of a bit may well be "age>=30".
_WITH_COMPARISONS = re.compile(r"""\s*(->|[<>]=?|[=!]=|[()]|"[^"]*"|'[^']*'|(?:(?!->|[<>]|[=!]=)[^\s()"'])+|["'])""")
_SAME = 1e-9  # the part of a step by which a value may miss an integer and still be meant: 0.3 is 3 times 0.1
_WORDS = ("and", "or", "not", "->", "(", ")")
_DEEPEST = 100
_MOST_CHOICES = 12


@dataclass(frozen=True)
class Rule:
    """A formula: a feature or class by its index, `at_least` of an integer, or `not`, `and`, `or`, `implies` of parts.

    `at_least` has the index of the integer's lowest bit, its width, and the number that its distance to the lowest
    integer is compared with.

    >>> rule = parse("a -> no", ["a"], ["no", "yes"])
    >>> rule.kind, [(part.kind, part.index) for part in rule.parts]
    ('implies', [('feature', 0), ('class', 0)])
    """

    kind: str
    index: int = 0
    parts: tuple[Rule, ...] = ()
    width: int = 0
    signed: bool = False
    number: int = 0

    def value(
        self,
        features: Sequence[Bit],
        classes: Sequence[Bit],
        not_: Callable[[Bit], Bit],
        and_: Callable[[Bit, Bit], Bit],
    ) -> Bit:
        """The formula over bits of any type that has a complement and a conjunction.

        >>> parse("a -> no", ["a"], ["no", "yes"]).value([True], [False, True], lambda a: not a, lambda a, b: a and b)
        False
        """
        if self.kind == "feature":
            return features[self.index]
        if self.kind == "class":
            return classes[self.index]
        if self.kind == "at_least":
            return self._at_least(features[self.index : self.index + self.width], not_, and_)
        a, *rest = (part.value(features, classes, not_, and_) for part in self.parts)
        if self.kind == "not":
            return not_(a)
        if self.kind == "and":
            return and_(a, rest[0])
        # a or b is not (not a and not b); a -> b is not (a and not b).
        return not_(and_(not_(a) if self.kind == "or" else a, not_(rest[0])))

    def _at_least(self, bits: Sequence[Bit], not_: Callable[[Bit], Bit], and_: Callable[[Bit, Bit], Bit]) -> Bit:
        """By subtraction: the number is at most the integer where taking it away borrows nothing."""
        never = and_(bits[0], not_(bits[0]))
        if self.number >> self.width:
            return never
        borrow = never
        for j, bit in enumerate(bits):
            own = not_(bit) if self.signed and j == self.width - 1 else bit
            borrow = not_(and_(own, not_(borrow))) if self.number >> j & 1 else and_(not_(own), borrow)
        return not_(borrow)


def parse(text: str, features: Sequence[str], classes: Sequence[str], columns: Sequence[Column] = ()) -> Rule:
    """The rule that a text states; a `DbhwError` names the position where the text is wrong.

    >>> from dbhw.data.tables.column import pins
    >>> celsius = Column("celsius", "real", 8, scale=0.5)
    >>> parse("celsius < 10 -> coat", pins([celsius]), ["coat"], [celsius]).parts[0].parts[0].number
    20

    >>> parse("cold and", ["cold"], ["coat"])
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: rule 'cold and' must have a name, not or ( at position 9, not the end
    """
    named = {column.name: (column, first) for column, first in zip(columns, _first_bits(columns), strict=True)}
    choices = [*(named or features), *classes]
    return _Parser(text, _names(features, classes), named, choices).whole()


def _first_bits(columns: Sequence[Column]) -> list[int]:
    widths = [column.width for column in columns]
    return [sum(widths[:i]) for i in range(len(widths))]


def _names(features: Sequence[str], classes: Sequence[str]) -> dict[str, list[Rule]]:
    """What each name means: names as given first, then as the printed program spells them, if those are still free."""
    named: dict[str, list[Rule]] = {}
    for kind, names in (("feature", features), ("class", classes)):
        for index, name in enumerate(names):
            named.setdefault(name, []).append(Rule(kind, index))
    for kind, names in (("feature", features), ("class", classes)):
        for index, name in enumerate(identifiers(list(names))):
            if name not in named:
                named[name] = [Rule(kind, index)]
    return named


class _Parser:
    def __init__(
        self, text: str, names: dict[str, list[Rule]], columns: dict[str, tuple[Column, int]], choices: list[str]
    ) -> None:
        self.text = text
        self.names = names
        self.columns = columns
        self.choices = choices
        tokens = (_WITH_COMPARISONS if columns else _TOKEN).finditer(text)
        self.tokens = [(m[1], m.start(1) + 1) for m in tokens] + [("", len(text) + 1)]
        self.depth = 0

    def whole(self) -> Rule:
        rule = self._rule()
        if self.tokens[0][0]:
            raise self._wrong("have and, or, -> or its end")
        return rule

    def _rule(self) -> Rule:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise DbhwError(f"rule must be nested at most {_DEEPEST} deep, not deeper")
        left = self._chain("or", lambda: self._chain("and", self._bit))
        if self._take("->"):
            left = Rule("implies", parts=(left, self._rule()))
        self.depth -= 1
        return left

    def _chain(self, word: str, part: Callable[[], Rule]) -> Rule:
        left = part()
        while self._take(word):
            left = Rule(word, parts=(left, part()))
        return left

    def _bit(self) -> Rule:
        negated = False
        while self._take("not"):
            negated = not negated
        if self._take("("):
            rule = self._rule()
            if not self._take(")"):
                raise self._wrong("have a closing )")
        else:
            rule = self._name()
        return Rule("not", parts=(rule,)) if negated else rule

    def _name(self) -> Rule:
        token = self.tokens[0][0]
        if token in ("", *_WORDS):
            raise self._wrong("have a name, not or (")
        if token in ('"', "'"):
            raise DbhwError(f"rule {self.text!r} must close the quote at position {self.tokens[0][1]}")
        name = _unquoted(token)
        if name in self.columns and self.tokens[1][0] in _COMPARISONS:
            return self._comparison(*self.columns[name])
        meant = self.names.get(name, [])
        if not meant:
            raise self._wrong(f"name a feature or a class, one of {self._choices(name)},")
        if len(meant) > 1:
            raise self._wrong(f"name one feature or class, but {len(meant)} have the name")
        del self.tokens[0]
        return meant[0]

    def _comparison(self, column: Column, first: int) -> Rule:
        del self.tokens[0]
        sign = self.tokens.pop(0)[0]
        number, exact = self._number(column)

        def at_least(integer: int) -> Rule:
            distance = max(integer - column.lowest, 0)
            return Rule("at_least", first, width=column.width, signed=column.signed, number=distance)

        equal = Rule("and", parts=(at_least(number), Rule("not", parts=(at_least(number + 1),))))
        never = Rule("and", parts=(at_least(number), Rule("not", parts=(at_least(number),))))
        found = {
            ">=": at_least(number),
            ">": at_least(number + exact),
            "==": equal if exact and column.lowest <= number <= column.highest else never,
        }
        opposite = {"<": ">=", "<=": ">", "!=": "=="}
        rule = found[opposite.get(sign, sign)]
        del self.tokens[0]
        return Rule("not", parts=(rule,)) if sign in opposite else rule

    def _number(self, column: Column) -> tuple[int, bool]:
        """The lowest integer that stands for at least the next value, and whether it stands for just that."""
        word = _unquoted(self.tokens[0][0]) if self.tokens[0][0] else ""
        if column.kind == "category":
            if word not in column.categories:
                raise self._wrong(f"compare {column.name} with one of {', '.join(column.categories)},")
            return column.categories.index(word), True
        try:
            value = float(word)
            scaled = (value - column.offset) / column.scale
            nearest = round(scaled)
        except (ValueError, OverflowError):
            raise self._wrong(f"compare {column.name} with a number") from None
        exact = abs(scaled - nearest) < _SAME
        return (nearest if exact else ceil(scaled)), exact

    def _choices(self, name: str) -> str:
        choices = self.choices
        if len(choices) > _MOST_CHOICES:
            near = difflib.get_close_matches(name, choices, _MOST_CHOICES, 0.5)
            choices = [*(near or choices[:_MOST_CHOICES]), "…"]
        return ", ".join(choices)

    def _take(self, word: str) -> bool:
        if self.tokens[0][0] != word:
            return False
        del self.tokens[0]
        return True

    def _wrong(self, must: str) -> DbhwError:
        token, position = self.tokens[0]
        found = repr(token) if token else "the end"
        return DbhwError(f"rule {self.text!r} must {must} at position {position}, not {found}")


def _unquoted(token: str) -> str:
    return token[1:-1] if token[0] in "\"'" else token
