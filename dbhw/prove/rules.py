"""Rules about a model in the names of its features and classes, such as `cold and outside -> coat`.

    rule   = either [ "->" rule ]
    either = both { "or" both }
    both   = bit { "and" bit }
    bit    = "not" bit | "(" rule ")" | name

A name may be quoted. It must be where it has spaces or parentheses, or is a word of the grammar.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dbhw.base.errors import DbhwError
from dbhw.base.names import identifiers

Bit = TypeVar("Bit")
_TOKEN = re.compile(r"""\s*(->|[()]|"[^"]*"|'[^']*'|(?:(?!->)[^\s()"'])+|["'])""")
_WORDS = ("and", "or", "not", "->", "(", ")")
_DEEPEST = 100
_MOST_CHOICES = 12


@dataclass(frozen=True)
class Rule:
    """A formula: a feature or class by its index, or `not`, `and`, `or`, `implies` of parts.

    >>> rule = parse("a -> no", ["a"], ["no", "yes"])
    >>> rule.kind, rule.parts
    ('implies', (Rule(kind='feature', index=0, parts=()), Rule(kind='class', index=0, parts=())))
    """

    kind: str
    index: int = 0
    parts: tuple[Rule, ...] = ()

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
        a, *rest = (part.value(features, classes, not_, and_) for part in self.parts)
        if self.kind == "not":
            return not_(a)
        if self.kind == "and":
            return and_(a, rest[0])
        # a or b is not (not a and not b); a -> b is not (a and not b).
        return not_(and_(not_(a) if self.kind == "or" else a, not_(rest[0])))


def parse(text: str, features: Sequence[str], classes: Sequence[str]) -> Rule:
    """The rule that a text states; a `DbhwError` names the position where the text is wrong.

    >>> parse("cold and", ["cold"], ["coat"])
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: rule 'cold and' must have a name, not or ( at position 9, not the end
    """
    return _Parser(text, _names(features, classes), [*features, *classes]).whole()


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
    def __init__(self, text: str, names: dict[str, list[Rule]], choices: list[str]) -> None:
        self.text = text
        self.names = names
        self.choices = choices
        self.tokens = [(m[1], m.start(1) + 1) for m in _TOKEN.finditer(text)] + [("", len(text) + 1)]
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
        name = token[1:-1] if token[0] in "\"'" else token
        meant = self.names.get(name, [])
        if not meant:
            raise self._wrong(f"name a feature or a class, one of {self._choices(name)},")
        if len(meant) > 1:
            raise self._wrong(f"name one feature or class, but {len(meant)} have the name")
        del self.tokens[0]
        return meant[0]

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
