"""`dbhw list` and `dbhw export`: what they print, and errors of one line."""

import json

import numpy as np
import pytest

from dbhw.logic import evaluate, formats
from dbhw.logic.formats.json import read
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.nets import NETS

KINDS = ["layers", "encoders", "passes", "formats", "families", "boards", "sets", "recipes", "experiments"]
KINDS += ["wrappers", "importers", "commands"]


@pytest.fixture(scope="module")
def model():
    return samples.random_model(NETS[2], np.random.default_rng(0))


@pytest.fixture
def model_file(model, tmp_path):
    model.save(tmp_path / "a.dbnet")
    return tmp_path / "a.dbnet"


def test_all_kinds_are_listed_with_their_documentation(capsys):
    code, out, _ = run(capsys, "list", "--json")
    listed = json.loads(out)
    assert (code, list(listed)) == (0, KINDS)
    assert all(row["name"] and row["summary"] and row["package"] == "dbhw" for rows in listed.values() for row in rows)


def test_one_kind_is_listed_as_a_table(capsys):
    code, out, _ = run(capsys, "list", "passes")
    assert (code, out.splitlines()[0].split()) == (0, ["passes", "what", "it", "is", "package"])
    assert any(line.startswith("dead") and line.endswith("dbhw") for line in out.splitlines())


def test_the_network_is_exported_in_every_format(capsys, model_file, tmp_path):
    for name in formats.names():
        code, printed, _ = run(capsys, "export", model_file, "--format", name)
        assert code == (2 if name == "aiger" else 0)
        code, out, _ = run(capsys, "export", model_file, "--format", name, "-o", tmp_path / "net", "--json")
        assert list(json.loads(out)) == ["output", "format", "passes", "nodes"]
        if name != "aiger":  # it is no text
            assert (tmp_path / "net").read_text().rstrip("\n") == printed.rstrip("\n")


@pytest.mark.parametrize("chosen", [[], ["--passes", "none"], ["--passes", "dead,collapse"]])
def test_what_is_exported_is_the_model(capsys, model, model_file, chosen):
    _, out, _ = run(capsys, "export", model_file, "--format", "json", *chosen)
    x = np.array([[i >> j & 1 for j in range(8)] for i in range(256)], bool)
    given = evaluate.on_booleans(read(out), x)
    assert (given["scores"] == model.scores(x)).all()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["list", "layer"], f"kind must be one of {', '.join(KINDS)}, not 'layer'"),
        (["export", "MODEL", "--format", "vhdl"], "format must be one of aag, aiger, blif, c, "),
        (["export", "MODEL", "--passes", ""], "pass must be one of "),
        (["export", "MODEL", "--passes", "dead,fold"], "pass must be one of "),
        (["export", "no.dbnet"], "file no.dbnet must be readable: No such file or directory"),
        (["export", "MODEL", "-o", "/no/such/net"], "/no/such/net must be a place that can be written: "),
    ],
)
def test_errors_are_one_line(capsys, model_file, arguments, error):
    code, out, err = run(capsys, *(model_file if a == "MODEL" else a for a in arguments))
    assert (code, out) == (2, "")
    assert err.startswith(f"dbhw: {error}")
    assert err.count("\n") == 1
