"""Plug-ins of other packages: the files of CONTRIBUTING.md, each found by its entry point, are listed and work."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dbhw.data.tables.column import Column, pins
from dbhw.model.model import Model
from dbhw.nn.encoders.binary import Binary
from dbhw.nn.encoders.bits import Bits
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.wires import Wires
from dbhw.nn.net import Net
from tests.kit.model_files import rewritten

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
# Several commands in one process, since starting Python takes longer than most of them do.
RUN = """
import contextlib, io, json, sys
from dbhw.cli import main
printed = []
for arguments in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = main(arguments)
    printed.append([code, out.getvalue()])
print(json.dumps(printed))
"""


class Package:
    """A folder of installed packages, as pip makes it, that holds one package with one plug-in of CONTRIBUTING.md."""

    def __init__(self, folder, title, kind, name):
        self.folder, self.kind, self.name = folder, kind, name
        source = re.search(rf"^### {title}$.*?```python\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)[1]
        self.summary = source.split('"""')[1]
        (folder / "my_package").mkdir()
        (folder / "my_package" / "__init__.py").touch()
        (folder / "my_package" / f"{name}.py").write_text(source)
        info = folder / "my_package-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[dbhw.{kind}]\n{name} = my_package.{name}\n")

    def run(self, *commands):
        """What each of the commands printed, after the test that `dbhw list` shows the plug-in."""
        commands = [["list", self.kind, "--json"], *([str(a) for a in command] for command in commands)]
        path = os.pathsep.join([str(self.folder), str(ROOT), os.environ.get("PYTHONPATH", "")])
        ran = subprocess.run(
            [sys.executable, "-c", RUN, json.dumps(commands)],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        printed = json.loads(ran.stdout)
        assert [code for code, _ in printed] == [0] * len(commands), ran.stderr
        rows = {row["name"]: row for row in json.loads(printed[0][1])[self.kind]}
        shown = self.name if self.name in rows else self.name.replace("_", "-")
        assert rows[shown] == {"name": shown, "summary": self.summary, "package": "my_package"}
        assert len(rows) == 1 + sum(row["package"] == "dbhw" for row in rows.values())
        return [out for _, out in printed[1:]]


@pytest.fixture
def model_file(tmp_path):
    """Outside: a coat; inside: a t-shirt."""
    weights = (np.array([[-0.4], [0.3]], np.float32), None)
    model = Model(Net(1, [Negation(width=2), Harden()]), weights, ("outside",), ("t-shirt", "coat"))
    model.save(tmp_path / "coat.dbnet")
    return tmp_path / "coat.dbnet"


def test_a_layer(tmp_path, model_file):
    def flip_instead_of_harden(entry, content, tensors):
        content["net"]["layers"][1] = {"layer": "flip"}

    rewritten(model_file, flip_instead_of_harden)
    layers, evaluated, exported, _, proved = Package(tmp_path, "A layer", "layers", "flip").run(
        ["layers"],
        ["eval", model_file, "--data", "toy-1", "--json"],
        ["export", model_file],
        ["emit", model_file, "-o", tmp_path / "out"],
        ["prove", model_file, "--json"],
    )
    assert json.loads(proved)["proved"]
    assert "Inverts every bit." in layers
    figures = {"examples": 2, "soft_accuracy": 0.0, "hard_accuracy": 0.0, "mismatches": 0}
    assert json.loads(evaluated) == {**figures, "engine": "numpy"}
    assert 'output "bits" bits 1 !1' in exported
    assert "assign bits[0] = x;" in (tmp_path / "out" / "net.v").read_text()


def test_an_encoder(tmp_path):
    def halves_instead_of_binary(entry, content, tensors):
        content["net"]["layers"][0]["encoders"][0]["encoder"] = "halves"

    encode = Encode((Binary(3, True), Bits(1, False)))
    columns = (Column("a", "integer", 3, signed=True), Column("b", "bit", 1))
    net = Net(4, [encode, Wires((0, 1))])
    Model(net, (None, None), pins(columns), ("no", "yes"), columns=columns).save(tmp_path / "a.dbnet")
    rewritten(tmp_path / "a.dbnet", halves_instead_of_binary)
    exported, _, proved = Package(tmp_path, "An encoder", "encoders", "halves").run(
        ["export", tmp_path / "a.dbnet"],
        ["emit", tmp_path / "a.dbnet", "-o", tmp_path / "out"],
        ["prove", tmp_path / "a.dbnet", "--json"],
    )
    assert json.loads(proved)["proved"]
    assert 'output "bits" bits !3 4' in exported
    assert "assign bits[0] = ~a[2];" in (tmp_path / "out" / "net.v").read_text()


def test_a_pass(tmp_path, model_file):
    package = Package(tmp_path, "A pass", "passes", "my_pass")
    [exported] = package.run(["export", model_file, "--format", "text", "--passes", "dead,my_pass"])
    assert 'layer "copied"' in exported


def test_a_format(tmp_path, model_file):
    package = Package(tmp_path, "A format", "formats", "my_format")
    printed, written = package.run(
        ["export", model_file, "--format", "my_format"],
        ["export", model_file, "--format", "my_format", "-o", tmp_path / "coat.txt", "--json"],
    )
    assert printed == "1 inputs, 3 nodes\n"
    assert (tmp_path / "coat.txt").read_text() == "1 inputs, 3 nodes\n"
    assert json.loads(written)["format"] == "my_format"


def test_a_family(tmp_path, model_file):
    package = Package(tmp_path, "A family", "families", "gatemate")
    synthesised, proved = package.run(
        ["synth", model_file, "--target", "gatemate", "--json"],
        ["prove", model_file, "--target", "gatemate", "--json"],
    )
    area = json.loads(synthesised)
    assert (area["target"], area["luts"], area["depth"]) == ("gatemate", 1, 1)
    assert json.loads(proved)["proved"]


def test_a_board(tmp_path, model_file):
    package = Package(tmp_path, "A board", "boards", "icesugar")
    boards, built = package.run(
        ["boards", "--json"],
        ["build", model_file, "--board", "icesugar", "-o", tmp_path / "out", "--self-test", "--json"],
    )
    [board] = [board for board in json.loads(boards)["boards"] if board["name"] == "icesugar"]
    assert (board["title"], board["part"]) == ("iCESugar", "iCE40UP5K-SG48")
    assert json.loads(built)["board"] == "icesugar"
    assert (tmp_path / "out" / "top.bin").exists()


def test_a_wrapper(tmp_path, model_file):
    package = Package(tmp_path, "A wrapper", "wrappers", "my_wrapper")
    package.run(["wrap", model_file, "--for", "my-wrapper", "-o", tmp_path / "out"])
    assert "y_ready" in (tmp_path / "out" / "docs" / "ports.txt").read_text().split()


def test_a_data_set(tmp_path, model_file):
    [evaluated] = Package(tmp_path, "A data set", "sets", "my_set").run(
        ["eval", model_file, "--data", "my-set", "--json"]
    )
    assert json.loads(evaluated)["examples"] == 3
    assert json.loads(evaluated)["hard_accuracy"] == pytest.approx(2 / 3)


def test_a_recipe(tmp_path):
    package = Package(tmp_path, "A recipe", "recipes", "my_recipe")
    [trained] = package.run(["train", "my-recipe", "-o", tmp_path / "coat.dbnet", "--json"])
    assert json.loads(trained)["recipe"] == "my-recipe"
    assert json.loads(trained)["test_accuracy"] == 1.0


def test_a_command(tmp_path):
    package = Package(tmp_path, "A command", "commands", "greet")
    assert package.run(["greet", "board"]) == ["Hello, board\n"]
