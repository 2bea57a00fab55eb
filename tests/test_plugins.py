"""Plug-ins of other packages: one file, found by its entry point, is listed, documented and works in the commands."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dbhw.model.model import Model
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.negation import Negation
from dbhw.nn.net import Net
from tests.kit.model_files import rewritten

ROOT = Path(__file__).parents[1]
SUMMARY = "A plug-in of another package."
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
    """A folder of installed packages, as pip makes it, that holds one package with one plug-in."""

    def __init__(self, folder, kind, name, source):
        self.folder, self.kind, self.name = folder, kind, name
        (folder / "my_package").mkdir()
        (folder / "my_package" / "__init__.py").touch()
        (folder / "my_package" / f"{name}.py").write_text(f'"""{SUMMARY}"""\n\n{source}')
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
        assert rows[shown] == {"name": shown, "summary": SUMMARY, "package": "my_package"}
        assert len(rows) == 1 + sum(row["package"] == "dbhw" for row in rows.values())
        return [out for _, out in printed[1:]]


@pytest.fixture
def model_file(tmp_path):
    """Outside: a coat; inside: a t-shirt."""
    weights = (np.array([[-0.4], [0.3]], np.float32), None)
    model = Model(Net(1, [Negation(width=2), Harden()]), weights, ("outside",), ("t-shirt", "coat"))
    model.save(tmp_path / "coat.dbnet")
    return tmp_path / "coat.dbnet"


def source_of(path):
    """A module of this package without its documentation, which the test writes anew."""
    return (ROOT / path).read_text().partition('"""')[2].partition('"""')[2]


LAYER = """
from dataclasses import dataclass
from dbhw.nn.layer import Layer

@dataclass(frozen=True)
class Flip(Layer):
    '''Every bit inverted.'''

    symbol = "flip"

    def output_shape(self, inputs):
        return inputs

    def soft(self, weights, x, key=None):
        return -x

    def hard(self, weights, x):
        return ~x
"""


def test_a_layer(tmp_path, model_file):
    def flip_instead_of_harden(entry, content, tensors):
        content["net"]["layers"][1] = {"layer": "flip"}

    rewritten(model_file, flip_instead_of_harden)
    layers, evaluated, exported, _ = Package(tmp_path, "layers", "flip", LAYER).run(
        ["layers"],
        ["eval", model_file, "--data", "toy-1", "--json"],
        ["export", model_file],
        ["emit", model_file, "-o", tmp_path / "out"],
    )
    assert "Every bit inverted." in layers
    assert json.loads(evaluated) == {"examples": 2, "soft_accuracy": 0.0, "hard_accuracy": 0.0, "mismatches": 0}
    assert 'output "bits" bits 1 !1' in exported
    assert "assign bits[0] = x;" in (tmp_path / "out" / "net.v").read_text()


PASS = """
from dbhw.logic.rebuild import rebuild

def run(network):
    rebuilt = rebuild(network)
    rebuilt.begin_layer("seen by my_pass")
    return rebuilt
"""


def test_a_pass(tmp_path, model_file):
    package = Package(tmp_path, "passes", "my_pass", PASS)
    [exported] = package.run(["export", model_file, "--format", "text", "--passes", "dead,my_pass"])
    assert 'layer "seen by my_pass"' in exported


def test_a_format(tmp_path, model_file):
    source = "def write(network):\n    return f'{len(network.input_names)} in\\n'\n"
    package = Package(tmp_path, "formats", "my_format", source)
    printed, written = package.run(
        ["export", model_file, "--format", "my_format"],
        ["export", model_file, "--format", "my_format", "-o", tmp_path / "coat.txt", "--json"],
    )
    assert printed == "1 in\n"
    assert (tmp_path / "coat.txt").read_text() == "1 in\n"
    assert json.loads(written)["format"] == "my_format"


def test_a_family(tmp_path, model_file):
    package = Package(tmp_path, "families", "my_family", source_of("dbhw/fpga/families/ice40.py"))
    mine, own = package.run(
        ["synth", model_file, "--target", "my_family", "--json"],
        ["synth", model_file, "--target", "ice40", "--json"],
    )
    assert json.loads(mine) == {**json.loads(own), "target": "my_family"}


def test_a_board(tmp_path, model_file):
    source = source_of("boards/arty_a7.py").replace("Arty A7", "My board")
    boards, built = Package(tmp_path, "boards", "my_board", source).run(
        ["boards", "--json"],
        ["build", model_file, "--board", "my_board", "-o", tmp_path / "out", "--json"],
    )
    [board] = [board for board in json.loads(boards)["boards"] if board["name"] == "my_board"]
    assert board["title"].startswith("My board")
    assert json.loads(built)["board"] == "my_board"
    assert (tmp_path / "out" / "top.xdc").exists()


SET = """
from dbhw.data.dataset import Data, Split

def load():
    data = Data.of([[1], [1], [0]], [1, 1, 1], name="my-set", features=["outside"], classes=("t-shirt", "coat"))
    return Split(data, data)
"""


def test_a_data_set(tmp_path, model_file):
    [evaluated] = Package(tmp_path, "sets", "my_set", SET).run(["eval", model_file, "--data", "my-set", "--json"])
    assert json.loads(evaluated)["examples"] == 3
    assert json.loads(evaluated)["hard_accuracy"] == pytest.approx(2 / 3)


RECIPE = """
from dbhw import Net, Settings
from dbhw.data.sets import toy_1
from dbhw.nn.layers.negation import Negation
from dbhw.train.recipe import Recipe

def recipe(seed):
    return Recipe(Net(1, [Negation(width=2)]), toy_1.load(), Settings(epochs=100, seed=seed))
"""


def test_a_recipe(tmp_path):
    package = Package(tmp_path, "recipes", "my_recipe", RECIPE)
    [trained] = package.run(["train", "my-recipe", "-o", tmp_path / "coat.dbnet", "--json"])
    assert json.loads(trained)["recipe"] == "my-recipe"
    assert json.loads(trained)["test_accuracy"] == 1.0


COMMAND = """
def arguments(parser):
    parser.add_argument("name")

def run(args):
    print("Hello,", args.name)
    return 0
"""


def test_a_command(tmp_path):
    package = Package(tmp_path, "commands", "greet", COMMAND)
    assert package.run(["greet", "board"]) == ["Hello, board\n"]
