"""Nets of rising size: which are best, and `dbhw pareto` with its table, JSON, plot and errors."""

import json
from argparse import Namespace
from xml.etree import ElementTree

import numpy as np
import pytest

from dbhw.cli import main
from dbhw.commands import pareto as command
from dbhw.data.load import load_split
from dbhw.report.published import of
from dbhw.tabular.pareto import Point, choices, front, sizes, with_columns
from tests.kit.command_line import run


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("beans") / "beans.csv"
    rows = [f"{i % 23 / 10},{i * 7 % 31},{'old' if i % 23 + i * 7 % 31 > 20 else 'new'}" for i in range(120)]
    path.write_text("\n".join(["weight,size,age", *rows]) + "\n")
    return path


@pytest.fixture(scope="module")
def found(table):
    """One sweep for all tests: what is printed as JSON, and the plot."""
    import contextlib
    import io

    plot = table.parent / "plot.svg"
    with contextlib.redirect_stdout(io.StringIO()) as out:
        line = ["pareto", str(table), "--luts", "60,20", "--target", "ice40", "-o", str(plot), "--json"]
        assert main(line) == 0
    return json.loads(out.getvalue()), plot


def test_the_best_are_those_that_nothing_smaller_matches():
    random = np.random.default_rng(0)
    for _ in range(50):
        pairs = [(int(a), int(b)) for a, b in random.integers(0, 6, (8, 2))]
        wanted = {p for p in pairs if not any(q != p and q[0] <= p[0] and q[1] >= p[1] for q in pairs)}
        assert [pairs[i] for i in front(pairs)] == sorted(wanted)


def test_sizes_rise_and_each_net_is_trained_once():
    train = with_columns(load_split("noisy-xor").train)
    asked = sizes(4, train, "xilinx")
    assert asked == sorted(set(asked))
    chosen = choices(train, [*asked, 10 * asked[-1]], "xilinx")
    assert list(chosen) == asked
    assert [each.layers[1].width for each in chosen.values()] == sorted(
        each.layers[1].width for each in chosen.values()
    )


def test_nets_are_trained_synthesised_and_judged(found):
    values, _ = found
    small, large = values["points"]
    assert (small["asked"], large["asked"]) == (20, 60)
    assert 0 < small["luts"] < large["luts"] < 120
    assert values["rows"] == {"train": 78, "validation": 18, "test": 24}
    assert small["best"]
    assert large["best"] == (large["validation_accuracy"] > small["validation_accuracy"])
    assert large["test_accuracy"] > 0.7
    assert values["published"] == []


def test_the_plot_has_the_figures(found):
    values, plot = found
    words = "".join(ElementTree.fromstring(plot.read_text()).itertext())
    for point in values["points"]:
        assert f"{point['luts']} LUTs, depth {point['depth']}" in words
        assert f"{point['test_accuracy']:.1%}, {point['luts']} LUTs" in words


def test_as_a_table():
    """Without training: what is printed of given points, and of what is published beside them."""
    points = [Point(0, 900, 12, 0.95, 0.94, best=True), Point(0, 400, 9, 0.96, None, best=True)]
    train, test = load_split("noisy-xor").train, load_split("noisy-xor").test
    out = command._shown(Namespace(target="xilinx"), command._Rows(train, test, test), points, of("mnist"))
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["LUTs", "xilinx", "depth", "validation", "test", "best", "for", "its", "size"]
    assert lines[2] == ["400", "9", "96.00%", "●"]
    assert lines[3] == ["900", "12", "95.00%", "94.00%", "●"]
    assert "LUTs count all: encoder, tables, counts and argmax. Rows: 5000 for train, 5000 for validation" in out
    assert ["FQTree", "95.60%", "2019", "LUT", "binary", "inputs", "FQTree", "paper†"] in lines
    assert out.endswith("† read in another paper")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--luts", "100,few"], "luts must be whole numbers above 0 such as 100,200,400, not '100,few'"),
        (["--luts", "0"], "luts must be whole numbers above 0 such as 100,200,400, not '0'"),
        (["--luts", "1"], "LUTs must be at least 16 for 2 classes and 2 columns, not 1"),
        (["--luts", "50", "--sizes", "2"], "pareto must have either --sizes or --luts, not both"),
        (["--sizes", "0"], "sizes must be a whole number of at least 1, not 0"),
        (["--target", "cpld"], "target must be one of ecp5, gowin, ice40, xilinx, not 'cpld'"),
        (["-o", "plot.png"], "output must be a file that ends in .svg, not 'plot.png'"),
        (["-o", "none/plot.svg"], "none/plot.svg must be a place that can be written: none is not a folder"),
        (
            ["--validation-share", "0"],
            "data must have validation rows to judge nets by: say --validation-share above 0",
        ),
    ],
)
def test_one_line_errors(capsys, table, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "pareto", table, "--label", "age", *arguments)
    assert (code, out, err.splitlines()[-1]) == (2, "", f"dbhw: {message}")
    assert list(tmp_path.iterdir()) == []


def test_data_that_is_unknown(capsys):
    code, _, err = run(capsys, "pareto", "beans")
    assert code == 2
    assert err.startswith("dbhw: data must be one of binary-iris, ")
