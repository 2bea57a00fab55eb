"""`dbhw report`: what it writes, its figures as JSON, what its options run, and wrong inputs."""

import json

import numpy as np
import pytest

from dbhw.model.model import load
from dbhw.report import evidence
from dbhw.report.area import of_model
from dbhw.rtl.verilog.emit import emit
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.nets import NETS
from tests.kit.pages import Page


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model of eight bits, and examples of all four classes."""
    made = tmp_path_factory.mktemp("report")
    samples.random_model(NETS[2], np.random.default_rng(0)).save(made / "a.dbnet")
    random = np.random.default_rng(1)
    rows = [[*random.integers(0, 2, 8), label % 4] for label in range(60)]
    lines = [",".join([*(f"x{i}" for i in range(8)), "label"]), *(",".join(map(str, row)) for row in rows)]
    (made / "rows.csv").write_text("\n".join(lines) + "\n")
    return made


def reported(capsys, folder, *options):
    code, out, err = run(capsys, "report", folder / "a.dbnet", "-o", folder / "a.html", *options, "--json")
    assert code == 0, err
    return json.loads(out), (folder / "a.html").read_text()


def test_a_report_is_measured_proved_and_written(capsys, folder):
    options = ["--data", folder / "rows.csv", "--targets", "ice40", "--prove"]
    found, text = reported(capsys, folder, *options)
    assert list(found) == [
        *("output", "bytes", "accuracy", "examples", "confusion", "sizes", "checks", "digests", "seconds")
    ]
    assert found["bytes"] == (folder / "a.html").stat().st_size
    rows = np.loadtxt(folder / "rows.csv", delimiter=",", skiprows=1, dtype=int)
    said = load(folder / "a.dbnet").predict(rows[:, :-1])
    assert found["accuracy"] == (said == rows[:, -1]).mean()
    assert sum(map(sum, found["confusion"])) == 60
    assert found["sizes"]["ice40"]["luts"] == of_model(load(folder / "a.dbnet"), "ice40").luts
    checks = {check["claim"]: check["passed"] for check in found["checks"]}
    assert checks == {
        "soft net = hard net": None,
        "hard net = logic network": True,
        "printed program = hard net": True,
        "network = Verilog, shaped for 4-input LUTs": True,
        "Verilog = ice40 netlist": True,
        "Verilog in a simulator = hard net": None,
    }
    page = Page(text)
    assert page.wrong == []
    assert any("is proved equal to its hardware on every input" in words for words in page.inside["p"])
    assert found["digests"]["Verilog"] in text


def test_a_broken_net_fails_its_check(folder):
    """The rung that compares Verilog with the network sees one inverted operator."""
    emitted = emit(load(folder / "a.dbnet"), lut_inputs=4)
    broken = type(emitted)(emitted.network, emitted.verilog.replace(" & ", " | ", 1), emitted.manifest, emitted.lowered)
    assert broken.verilog != emitted.verilog
    first = evidence.proved(broken, "ice40", None, lambda _: None)[0]
    assert first.said == "FAILS"


def test_the_nets_of_a_pareto_run_are_plotted(capsys, folder):
    nets = [
        {"luts": 50 * i, "depth": 4, "validation_accuracy": 0.9, "test_accuracy": None, "best": True} for i in (1, 2)
    ]
    (folder / "pareto.json").write_text(json.dumps({"data": "rows", "target": "ice40", "points": nets}))
    _, text = reported(capsys, folder, "--targets", "none", "--pareto", folder / "pareto.json")
    assert [image["alt"][:8] for image in Page(text).all("img")] == ["Accuracy"]
    (folder / "pareto.json").write_text('{"data": "rows", "target": "ice40", "points": []}')
    code, _, err = run(capsys, "report", folder / "a.dbnet", "--pareto", folder / "pareto.json")
    assert (code, err) == (2, f"dbhw: file {folder}/pareto.json must have at least one net, but it has none\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--targets", "cpld"], "target must be one of ecp5, gowin, ice40, xilinx, not 'cpld'"),
        (["--seconds", "0"], "seconds must be more than 0, not 0.0"),
        (["-o", "/no/such/a.html"], "/no/such/a.html must be a place that can be written: /no/such is not a folder"),
        (["--data", "nothing.csv"], "file nothing.csv must be readable: No such file or directory"),
    ],
)
def test_a_wrong_option_is_one_line_and_nothing_is_written(capsys, folder, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "report", folder / "a.dbnet", *options) == (2, "", f"dbhw: {message}\n")
    assert list(tmp_path.iterdir()) == []
