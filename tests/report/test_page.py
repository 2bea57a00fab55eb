"""The report as a page: it is HTML, needs nothing else, escapes what a model brings, and its figures are right."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dbhw.data.dataset import Data
from dbhw.data.tables.column import Column
from dbhw.fpga.place import CriticalPath, Placed
from dbhw.model.model import Model
from dbhw.nn.encoders.one_hot import OneHot
from dbhw.nn.layers.disjunction import Disjunction
from dbhw.nn.layers.encode import Encode
from dbhw.nn.net import Net
from dbhw.report import evidence
from dbhw.report.evidence import Rung
from dbhw.report.gather import Plan, Subject, gather
from dbhw.report.page import document
from dbhw.report.page.facts import Size, bare
from tests.kit import samples
from tests.kit.nets import NETS
from tests.kit.pages import Page

HOSTILE = ['<script>alert("1")</script>', '"><img src=x onerror=alert(2)>', "</title></svg><b>", "a & b's </style>"]
NAMES = {"html", "head", "meta", "title", "style", "body", "a", "header", "main", "footer", "nav", "section", "div"}
NAMES |= {"h1", "h2", "h3", "ul", "li", "dl", "dt", "dd", "span", "strong", "table", "thead", "tbody", "tr", "th", "td"}
NAMES |= {"p", "figure", "figcaption", "pre", "code", "details", "summary", "img"}
NAMES |= {"svg", "desc", "g", "path", "rect", "circle", "polyline", "text"}


def model(number=2):
    return samples.random_model(NETS[number], np.random.default_rng(0))


def report(of, data=None, **known):
    facts = gather(Subject(of, "a net", "dbhw report", data, "these", known), Plan(targets=()), lambda _: None)
    return facts, document.write(facts)


def examples(of, number=200):
    random = np.random.default_rng(1)
    y = random.integers(0, len(of.classes), number)
    return Data("some", random.random((number, of.net.inputs)) < 0.5, y, of.features, of.classes)


def checked(text):
    """The page, after what must hold for every page."""
    page = Page(text)
    assert page.wrong == []
    assert {tag for tag, _ in page.elements} <= NAMES
    names = [name for _, attributes in page.elements for name in attributes]
    assert [name for name in names if name.startswith("on")] == []
    links = [a[name] for _, a in page.elements for name in ("href", "src", "xlink:href") if name in a]
    assert all(link.startswith(("#", "data:image/")) for link in links)
    assert re.findall(r"url\(|@import|https?://", text) == []
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(set(ids)) == len(ids)
    wanted = [link[1:] for link in links if link.startswith("#")]
    wanted += [a["aria-labelledby"] for _, a in page.elements if "aria-labelledby" in a]
    assert set(wanted) <= set(ids)
    svgs = page.all("svg")
    assert all(svg["role"] == "img" and svg["aria-label"] for svg in svgs)
    assert text.count("<desc>") == len(svgs) == len(re.findall(r"<svg [^>]*><title>[^<]+</title>", text))
    assert all(image["alt"] for image in page.all("img"))
    regions = [a for _, a in page.elements if a.get("class", "").startswith("scroll") or a.get("role") == "region"]
    assert all(a["tabindex"] == "0" and a["aria-label"] for a in regions)
    assert [len(page.all(tag)) for tag in ("h1", "main", "nav", "header", "footer")] == [1] * 5
    return page


@pytest.mark.parametrize("number", range(len(NETS)))
def test_a_page_is_html_that_needs_nothing_else(number):
    of = model(number)
    _, text = report(of, examples(of))
    checked(text)
    assert len(text) < 2_000_000


def test_names_of_a_model_are_escaped():
    net = Net(4, [Encode((OneHot(2, False, 4), OneHot(2, False, 4))), Disjunction(width=2)])
    columns = tuple(Column(name, "category", 2, categories=tuple(HOSTILE)) for name in HOSTILE[:2])
    features = tuple(f"{column.name}[{i}]" for column in columns for i in range(2))
    weights = (None, np.random.default_rng(0).random((2, 8)).astype(np.float32) - 0.5)
    kept = {"data": HOSTILE[0], "settings": {HOSTILE[1]: HOSTILE[2]}, "split": {"rows": {HOSTILE[3]: HOSTILE[0]}}}
    of = Model(net, weights, features, tuple(HOSTILE[2:]), kept, columns)
    facts = replace(report(of, examples(of))[0], name=HOSTILE[0], command=HOSTILE[1])
    page = checked(document.write(facts))
    assert page.inside["h1"] == [HOSTILE[0]]
    assert set(HOSTILE[2:]) <= set(page.inside["th"])
    assert any(HOSTILE[1] in text for text in page.inside["pre"])
    assert any(HOSTILE[2] in text for text in page.inside["dd"])


def test_figures_are_those_of_the_model():
    of = model()
    data = examples(of)
    said = of.predict(data.x)
    _, text = report(of, data)
    page = checked(text)
    assert f"{(said == data.y).mean():.2%}" == page.inside["strong"][0]
    naive = [[sum((data.y == i) & (said == j)) for j in range(len(of.classes))] for i in range(len(of.classes))]
    matrix = re.search(r'<table class="matrix">(.*?)</table>', text)[1]
    shown = [re.findall(r"<td [^>]*>([^<]*)</td>", row) for row in matrix.split("<tr>")[2:]]
    assert [[0 if cell == "·" else int(cell) for cell in row] for row in shown] == naive


def test_a_model_without_data_says_what_is_missing():
    _, text = report(model())
    checked(text)
    for words in ("No data was at hand", "The model file records no training curve", "was not synthesised"):
        assert words in text
    for words in (
        "Accuracy: there was no data.",
        "soft net = hard net: --soft",
        "network = Verilog = netlist: --prove",
    ):
        assert f"<li>{words}" in text


def test_the_curve_of_a_model_file_is_drawn_unless_it_is_damaged():
    of = model()
    curve = {"epochs": [1, 50, 100], "loss": [0.7, 0.6, 0.5], "accuracy": [0.5, 0.6, 0.9]}
    drawn = checked(report(replace(of, provenance={"curve": curve}))[1])
    assert [svg["aria-label"] for svg in drawn.all("svg")][:2] == [
        "Loss while training. From 0.7 at epoch 1 to 0.5 at epoch 100",
        "Hard accuracy while training. From 50.0% at epoch 1 to 90.0% at epoch 100",
    ]
    for damaged in ({**curve, "loss": [1]}, {**curve, "loss": [float("nan")] * 3}, {"epochs": [1]}, 7):
        assert "records no training curve" in report(replace(of, provenance={"curve": damaged}))[1]


def test_a_failed_check_and_a_net_too_large_for_a_board_are_told():
    facts = replace(bare(model()), rungs=[Rung("a = b", "by looking", "3 rows", False)], sizes={"ice40": Size(2000, 9)})
    text = document.write(facts)
    checked(text)
    assert '<span class="bad">✗ FAILS</span>' in text
    assert "1 FAILED" in text
    assert "156.2% — does not fit" in text  # of the 1,280 of an iCEstick


def test_pixels_of_pictures_are_mapped():
    of = samples.random_model(Net(64, [Disjunction(width=2)]), np.random.default_rng(0))
    _, text = report(of, examples(of))
    page = checked(text)
    titles = [svg["aria-label"] for svg in page.all("svg")]
    maps = [title for title in titles if title.startswith("Pixels that class")]
    assert maps == [f"Pixels that class {name} looks at" for name in of.classes]
    assert sum(t.startswith("Test picture") for t in titles) == 10


def palettes():
    """The colours of the light page, of the dark page and of paper, by name."""
    style = Path(document.__file__).with_name("style.css").read_text()
    found = [
        dict(re.findall(r"--([\w-]+): (#\w+)", block)) for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    ]
    assert len(found) == 3
    return found


def mixed(one, other, share):
    """The colour that has a share of the first and the rest of the second."""
    long = [c if len(c) == 7 else "#" + "".join(digit * 2 for digit in c[1:]) for c in (one, other)]
    parts = [[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in long]
    return [share * a + (1 - share) * b for a, b in zip(*parts, strict=True)]


def brightness(colour):
    linear = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("number", range(3))
def test_every_text_has_enough_contrast(number):
    """At least 4.5, as WCAG AA asks for; also in pictures and in the darkest cells of the confusion matrix."""
    colours = palettes()[number]
    plain = {name: mixed(value, value, 1) for name, value in colours.items()}
    grounds = [plain[name] for name in ("page", "card", "soft")]
    pairs = [(plain[text], ground) for text in ("ink", "faint", "accent", "good", "bad") for ground in grounds]
    cells = [mixed(colours["accent"], colours["soft"], 0.3), mixed(colours["warm"], colours["soft"], 0.34)]
    for text, ground in [*pairs, *((plain["ink"], ground) for ground in [*cells, plain["accent-soft"]])]:
        low, high = sorted((brightness(text), brightness(ground)))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_what_was_placed_is_told():
    path = CriticalPath("fed[2]", "core.lut_1", 3, 2.5, 1.5)
    placed = Placed("ice40", "iCE40UP5K-SG48", 50.0, [49.0, 50.0, 51.0], 28, 5280, 55, 5280, path)
    facts = replace(bare(model()), sizes={"ice40": Size(20, 4)}, placed={"ice40": placed})
    page = checked(document.write(facts))
    for words in ("50 MHz, the median of 3 placements", "28 of 5280, 0.5 %", "20.00 ns between registers"):
        assert words in page.inside["dd"]


class Wrong(Model):
    """A model whose logic network is another's."""

    def to_network(self):
        return model(2).to_network()


def test_a_wrong_network_is_told():
    other = samples.random_model(NETS[2], np.random.default_rng(5))
    wrong = Wrong(other.net, other.soft_weights, other.features, other.classes)
    assert evidence.network(other, examples(other).x, "these").said == "holds"
    assert evidence.network(wrong, examples(other).x, "these").said == "FAILS"
