"""The parts of a report about the net itself: accuracy, training, the program, and which inputs matter."""

from __future__ import annotations

from typing import Any

import numpy as np

from dbhw.data.tables.column import of_bits
from dbhw.report.evaluation import interval
from dbhw.report.flips import feature_names
from dbhw.report.page import drawings
from dbhw.report.page.drawings import Picture, picture
from dbhw.report.page.facts import Facts, Tested
from dbhw.report.page.html import Html, bar, scrolling, section, table, tag

_MOST_CLASSES = 30  # in a table of confusions
_MOST_FEATURES = 16
_FEW_CLASSES = 4
_LONGEST_PROGRAM = 20_000


def accuracy(facts: Facts) -> Html:
    """The accuracy with its uncertainty, and the confusion matrix.

    >>> from dbhw.nn.net import Net
    >>> from dbhw.model.model import Model
    >>> from dbhw.report.page.facts import bare
    >>> "No data was at hand" in accuracy(bare(Model(Net(2, []), (), ("a", "b"), ("c", "d"))))
    True
    """
    tested = facts.tested
    if tested is None:
        words = "No data was at hand, so no accuracy was measured. Give it with --data, and write the report again."
        return section("accuracy", "Accuracy", tag("p", words), _training(facts))
    low, high = interval(tested.accuracy, tested.examples)
    guess = tested.confusion.sum(axis=1).max() / tested.examples
    words = tag(
        "p",
        tag("strong", f"{tested.accuracy:.2%}"),
        f" of {tested.examples:,} examples are right ({tested.right:,}). With 95 % certainty the accuracy on more of "
        f"the same kind lies between {low:.2%} and {high:.2%}. Who always guesses the most frequent class is right on "
        f"{guess:.2%}. The examples: {facts.data_words}.",
    )
    curves, mistakes = _training(facts), _mistakes(facts)
    drawn = recorded_curve(facts.model.provenance) is not None
    # The place beside the confusion matrix is for the curves, or else for the mistakes.
    beside, below = (curves, mistakes) if drawn else (mistakes, curves)
    both = tag("div", _confusion(tested, facts.model.classes), beside, class_="two")
    return section("accuracy", "Accuracy", words, both, below)


def _confusion(tested: Tested, classes: tuple[str, ...]) -> Html:
    if len(classes) > _MOST_CLASSES:
        return tag("p", f"There are {len(classes)} classes, too many for a table of confusions.")
    counts = tested.confusion
    rows = []
    for i, name in enumerate(classes):
        total = max(int(counts[i].sum()), 1)
        cells = [_cell(int(n), n / total, i == j) for j, n in enumerate(counts[i])]
        rows.append(tag("tr", tag("th", name, scope="row"), cells))
    head = tag("tr", tag("td", class_="none"), [tag("th", name, scope="col") for name in classes])
    made = tag("table", tag("thead", head), tag("tbody", rows), class_="matrix")
    caption = "Confusion matrix: a row for each true class, a column for each answer."
    return tag("figure", scrolling("Confusion matrix", made), tag("figcaption", caption))


def _cell(number: int, share: float, right: bool) -> Html:
    if not number:
        return tag("td", "·", class_="none")
    return tag("td", f"{number:,}", class_="right" if right else "wrong", style=f"--share:{min(share**0.5, 1):.3f}")


def _training(facts: Facts) -> Html:
    found = recorded_curve(facts.model.provenance)
    if found is None:
        return tag("p", "The model file records no training curve.", class_="small faint")
    epochs, loss, right = found
    pictures = [
        tag("figure", drawings.curve("Loss while training", epochs, loss), tag("figcaption", "Loss while training.")),
        tag(
            "figure",
            drawings.curve("Hard accuracy while training", epochs, right, per_cent=True),
            tag("figcaption", "Accuracy of the hard net, of single bits, on the training examples."),
        ),
    ]
    return tag("div", pictures)


def recorded_curve(provenance: dict[str, Any]) -> tuple[list[float], list[float], list[float]] | None:
    """Epochs, losses and accuracies that a model file records; None where it records none that can be drawn.

    >>> recorded_curve({"curve": {"epochs": [1, 2], "loss": [0.7, 0.6], "accuracy": [0.5, 0.75]}})[0]
    [1.0, 2.0]
    >>> recorded_curve({"curve": "none"})
    """
    curve = provenance.get("curve")
    if not isinstance(curve, dict):
        return None
    try:
        parts = [[float(value) for value in curve[name]] for name in ("epochs", "loss", "accuracy")]
    except (KeyError, TypeError, ValueError):
        return None
    sizes = {len(part) for part in parts}
    if len(sizes) != 1 or sizes == {0} or not np.isfinite(parts).all():
        return None
    return parts[0], parts[1], parts[2]


def _mistakes(facts: Facts) -> Html | None:
    """For pictures, some of those that the net gets wrong."""
    grid = picture(feature_names(facts.model))
    if grid is None or facts.tested is None or facts.data is None or not facts.tested.wrong:
        return None
    shown = []
    for example, truth, said in facts.tested.wrong:
        names = [facts.model.classes[i] for i in (truth, said)]
        words = f"{names[0]}, taken for {names[1]}"
        x = facts.data.x[example : example + 1]
        values = of_bits(facts.model.columns, x)[0] if facts.model.columns else x[0].astype(int)
        image = drawings.pixels(grid, values.astype(float), f"Test picture {example + 1}: {words}", float(values.max()))
        shown.append(tag("figure", image, tag("figcaption", words)))
    return tag("div", tag("h3", "Some that it gets wrong"), tag("div", shown, class_="maps"))


def program(facts: Facts) -> Html:
    """The learned function as a program and in words.

    >>> from dbhw.nn.net import Net
    >>> from dbhw.model.model import Model
    >>> from dbhw.report.page.facts import bare
    >>> "return [a, b]" in program(bare(Model(Net(2, []), (), ("a", "b"), ("c", "d"))))
    True
    """
    found = facts.explanation
    more = len(found.program) - _LONGEST_PROGRAM
    text = f"{found.program[:_LONGEST_PROGRAM]}\n# … {more:,} more characters" if more > 0 else found.program
    code = tag("pre", tag("code", text), tabindex=0, role="region", aria_label="The learned program")
    words = tag("ul", [tag("li", line, class_="name") for line in found.classes[:_MOST_CLASSES]])
    if len(found.classes) > _FEW_CLASSES:
        words = tag("details", tag("summary", "In words, class by class"), words)
    sizes = f"{found.terms:,} terms, from {facts.model.net.weight_count:,} weights of one bit."
    intro = "The net is a boolean function, so it can be printed: in words, and as a program that Python runs."
    note = tag("p", f"{sizes} Checked against the net: {found.checked}.", class_="small faint")
    return section("program", "What it has learned", tag("p", intro), words, code, note)


def inputs(facts: Facts) -> Html:
    """How often a flip of each input changes the class, and for pictures which pixels each class looks at.

    >>> from dbhw.nn.net import Net
    >>> from dbhw.model.model import Model
    >>> from dbhw.report.page.facts import bare
    >>> "This was not measured." in inputs(bare(Model(Net(2, []), (), ("a", "b"), ("c", "d"))))
    True
    """
    flips = facts.flips
    if flips is None:
        return section("inputs", "Which inputs matter", tag("p", "This was not measured."))
    names = feature_names(facts.model)
    what = "one bit of an input" if facts.model.columns else "an input"
    unread = [name for name, share in zip(names, _read(facts), strict=True) if not share]
    said = (
        f"How often the class changes when {what} is flipped, and nothing else: {flips.flips:,} flips on "
        f"{flips.examples:,} examples ({facts.flips_words}), run by the packed engine. "
        f"{len(names) - len(unread):,} of {len(names):,} inputs are read at all"
    )
    never = f"; never read: {', '.join(unread)}." if 0 < len(unread) <= _MOST_FEATURES else "."
    grid = picture(names)
    maps = _maps(facts, grid) if grid else []
    order = np.argsort(-flips.features, kind="stable")[: _MOST_FEATURES if not grid else 8]
    scale = max(float(flips.features.max()), 1e-9)
    rows = [
        (tag("span", names[i], class_="name"), f"{flips.features[i]:.1%}", bar(flips.features[i] / scale))
        for i in order.tolist()
        if flips.features[i] > 0 or len(names) <= _MOST_FEATURES
    ]
    listed = table("Inputs by influence", ["input", "class changes", "compared"], rows, [1]) if rows else None
    return section("inputs", "Which inputs matter", tag("p", said + never), *maps, listed)


def _read(facts: Facts) -> list[bool]:
    assert facts.flips is not None
    if not facts.model.columns:
        return facts.flips.read.tolist()
    found, first = [], 0
    for column in facts.model.columns:
        found.append(bool(facts.flips.read[first : first + column.width].any()))
        first += column.width
    return found


def _maps(facts: Facts, grid: Picture) -> list[Html]:
    flips, classes = facts.flips, facts.model.classes
    assert flips is not None
    all_pixels = drawings.pixels(grid, flips.features, "How often each pixel decides", float(flips.features.max()))
    shown = [tag("figure", all_pixels, tag("figcaption", "all classes: how often a pixel decides"))]
    largest = float(np.quantile(np.abs(flips.rises), 0.995)) or float(np.abs(flips.rises).max())
    if len(flips.rises) == len(classes) <= _MOST_CLASSES:
        for name, rises in zip(classes, flips.rises, strict=True):
            image = drawings.pixels(grid, rises, f"Pixels that class {name} looks at", largest)
            shown.append(tag("figure", image, tag("figcaption", name)))
    legend = tag(
        "p",
        "The pixels each class looks at: ",
        tag("span", class_="swatch up", aria_hidden="true"),
        " blue where a brighter pixel speaks for the class, ",
        tag("span", class_="swatch down", aria_hidden="true"),
        " orange where it speaks against it.",
    )
    return [legend, tag("div", shown, class_="maps")]
