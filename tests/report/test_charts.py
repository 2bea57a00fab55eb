"""The picture of accuracy against look-up tables: what is drawn lies where it should, and the file needs nothing."""

import re
from xml.etree import ElementTree

import pytest

from dbhw.report.charts import Mark, accuracy_against_luts
from dbhw.report.published import of

SVG = "{http://www.w3.org/2000/svg}"
OURS = [
    Mark(400, 0.92, "best", "92.0%, 400 LUTs", "a"),
    Mark(1100, 0.974, "best", "97.4%, 1,100 LUTs", "b"),
    Mark(1500, 0.96, "other", "96.0%, 1,500 LUTs", "c"),
]
THEIRS = [Mark(o.size, o.accuracy, "whole" if o.whole else "part", o.system, o.source) for o in of("mnist") if o.size]


def drawn(marks, title="mnist"):
    text = accuracy_against_luts(title, "caption", marks)
    return text, ElementTree.fromstring(text)


def place(symbol):
    if symbol.tag == f"{SVG}circle":
        return float(symbol.get("cx")), float(symbol.get("cy"))
    return tuple(float(symbol.get(a)) + float(symbol.get(b)) / 2 for a, b in (("x", "width"), ("y", "height")))


def symbols(root):
    """The points by their words, without the legend."""
    every = [s for s in root if s.tag in (f"{SVG}circle", f"{SVG}rect") and s.find(f"{SVG}title") is not None]
    return {s.find(f"{SVG}title").text: s for s in every}


def test_larger_is_further_right_and_better_is_higher():
    found = {words: place(symbol) for words, symbol in symbols(drawn(OURS)[1]).items()}
    assert found["a"][0] < found["b"][0] < found["c"][0]
    assert found["b"][1] < found["c"][1] < found["a"][1]


def test_the_line_joins_the_best_points():
    _, root = drawn(OURS)
    line = root.find(f"{SVG}polyline").get("points")
    points = {words: "{:.1f},{:.1f}".format(*place(symbol)) for words, symbol in symbols(root).items()}
    assert line == f"{points['a']} {points['b']}"


def test_published_points_are_drawn_or_named():
    text, root = drawn([*OURS, *THEIRS])
    assert "Not drawn, far larger: FINN at 91,131 LUTs; hls4ml at 260,092 LUTs; " in text
    shapes = [symbol.get("class") for symbol in root if symbol.tag == f"{SVG}rect"]
    near = [mark for mark in THEIRS if mark.luts <= 15_000]
    # One of each kind is the legend's.
    assert shapes.count("whole") - 1 == sum(mark.kind == "whole" for mark in near)
    assert shapes.count("part") - 1 == sum(mark.kind == "part" for mark in near)


def test_no_label_lies_on_another():
    _, root = drawn([*OURS, *THEIRS])
    labels = [text for text in root.iter(f"{SVG}text") if text.get("class") == "label"]
    boxes = [(float(t.get("x")), float(t.get("y")), float(t.get("x")) + 6 * len(t.text)) for t in labels]
    assert len(boxes) > 10
    for i, (left, bottom, right) in enumerate(boxes):
        for start, other, end in boxes[:i]:
            assert right <= start or end <= left or abs(bottom - other) >= 12


def test_the_file_needs_nothing_else_and_knows_dark_pages():
    text, _ = drawn(OURS)
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert "@media (prefers-color-scheme: dark)" in text
    assert "href" not in text
    assert "<script" not in text


@pytest.mark.parametrize("marks", [[Mark(0, 1.0, "best", "100 %", "x")], [Mark(7, 0.0, "other", "0 %", "x")]])
def test_a_single_point_at_the_edge(marks):
    _, root = drawn(marks, "a < b & c")
    assert root.find(f"{SVG}title").text == "a < b & c"
    x, y = place(symbols(root)["x"])
    assert 74 <= x <= 816
    assert 84 <= y <= 460


def test_what_is_published_says_what_it_counts():
    rows = [row for data in ("mnist", "fashion-mnist") for row in of(data)]
    assert all(row.source and row.counted and 0.5 < row.accuracy < 1 for row in rows)
    assert {row.size for row in rows if row.whole} == {845, 1264, 1597, 2246, 3118, 3310, 5195, 5670}
