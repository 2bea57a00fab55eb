"""The page as a whole: head, summary, figures, and the parts in their order."""

from __future__ import annotations

import re
from pathlib import Path

from dbhw.report.evaluation import interval
from dbhw.report.page import checked, hardware, learned
from dbhw.report.page.facts import Facts
from dbhw.report.page.html import Html, tag

_STYLE = Path(__file__).with_name("style.css")
_HEAD = re.compile(r'<section id="(\w+)"[^>]*><h2 [^>]*>([^<]*)')


def write(facts: Facts) -> str:
    """The report as a text, one HTML file.

    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.net import Net
    >>> from dbhw.report.page.facts import bare
    >>> page = write(bare(Model(Net(2, []), (), ("a", "b"), ("c", "d")), name="<net>"))
    >>> page.startswith("<!doctype html>"), "<h1>&lt;net&gt;</h1>" in page
    (True, True)
    """
    parts = [
        learned.accuracy(facts),
        learned.program(facts),
        learned.inputs(facts),
        hardware.structure(facts),
        hardware.area(facts),
        hardware.against_area(facts),
        checked.evidence(facts),
        checked.again(facts),
    ]
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{facts.name} — dbhw report"),
        tag("style", Html(_STYLE.read_text())),
    )
    body = tag(
        "body",
        tag("a", "Skip to the figures", href="#main", class_="skip"),
        _header(facts),
        _contents([part for part in parts if part]),
        tag("main", parts, id="main"),
        tag("footer", f"Made by dbhw {facts.versions.get('dbhw', '')} on {facts.made}. This file needs nothing else."),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _contents(parts: list[Html]) -> Html:
    heads = [found for part in parts if (found := _HEAD.match(part))]
    links = [tag("li", tag("a", Html(found[2]), href=f"#{found[1]}")) for found in heads]
    return tag("nav", tag("ul", links), aria_label="Contents")


def _header(facts: Facts) -> Html:
    tiles = [
        tag("div", tag("dt", name), tag("dd", tag("span", value, class_="value"), more))
        for name, value, more in _tiles(facts)
    ]
    kicker = tag("p", "dbhw report: a learned boolean net", class_="kicker")
    return tag(
        "header",
        kicker,
        tag("h1", facts.name),
        tag("p", summary(facts), class_="lead"),
        tag("dl", tiles, class_="tiles"),
    )


def summary(facts: Facts) -> str:
    """What the model is, in one sentence with its figures.

    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.net import Net
    >>> from dbhw.report.page.facts import bare
    >>> summary(bare(Model(Net(2, []), (), ("a", "b"), ("c", "d"))))
    'This net sorts 2 input bits into 2 classes.'
    """
    model = facts.model
    inputs = (
        f"{len(model.columns):,} inputs ({model.net.inputs:,} bits)"
        if model.columns
        else f"{model.net.inputs:,} input bits"
    )
    parts = [f"This net sorts {inputs} into {len(model.classes)} classes"]
    if facts.tested is not None:
        parts.append(f"is right on {facts.tested.accuracy:.2%} of {facts.tested.examples:,} examples")
    if facts.sizes:
        name, size = min(facts.sizes.items(), key=lambda item: item[1].luts)
        parts.append(f"takes {size.luts:,} look-up table{'s' * (size.luts != 1)} on {name}")
    if _proved(facts):
        parts.append("is proved equal to its hardware on every input")
    return joined_words(parts) + "."


def joined_words(parts: list[str]) -> str:
    """Parts of a sentence with commas and an and.

    >>> joined_words(["a"]), joined_words(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def _proved(facts: Facts) -> bool:
    proofs = [rung for rung in facts.rungs if "equivalence" in rung.how]
    return bool(proofs) and all(rung.passed for rung in proofs)


def _tiles(facts: Facts) -> list[tuple[str, str, str]]:
    tiles = []
    if facts.tested is not None:
        low, high = interval(facts.tested.accuracy, facts.tested.examples)
        tiles.append(("accuracy", f"{facts.tested.accuracy:.2%}", f"{low:.1%} to {high:.1%} with 95 % certainty"))
    for name, size in sorted(facts.sizes.items(), key=lambda item: item[1].luts)[:2]:
        tiles.append((f"LUTs on {name}", f"{size.luts:,}", f"longest path {size.depth} cells"))
    tiles.append(("weights", f"{facts.model.net.weight_count:,}", "of one bit each"))
    passed = sum(rung.passed is True for rung in facts.rungs)
    failed = sum(rung.passed is False for rung in facts.rungs)
    remaining = sum(rung.passed is None for rung in facts.rungs)
    outcome = f"{failed} FAILED, " if failed else ""
    tiles.append(("checks", f"{passed} hold", f"{outcome}{remaining} not run"))
    return tiles
