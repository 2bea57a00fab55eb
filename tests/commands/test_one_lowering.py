"""A command lowers a net once and simplifies it once."""

import numpy as np
import pytest

from dbhw.boards.flow import fit
from dbhw.boards.flow.fit import Cost, TooSlowError
from dbhw.logic.passes import share
from dbhw.model import lower, message
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.nets import NETS


@pytest.fixture
def counted(monkeypatch):
    """Counts lowerings by their last part, and simplifications by their last pass."""
    counts = {"lowered": 0, "simplified": 0}

    def counting(module, name, what):
        original = getattr(module, name)

        def count(*arguments):
            counts[what] += 1
            return original(*arguments)

        monkeypatch.setattr(module, name, count)

    counting(lower, "add_outputs", "lowered")
    counting(share, "run", "simplified")
    message.symbolic.cache_clear()
    return counts


@pytest.fixture
def files(tmp_path):
    model = samples.random_model(NETS[2], np.random.default_rng(0))
    model.save(tmp_path / "a.dbnet")
    x = np.random.default_rng(0).random((32, 8)) < 0.5
    np.savez(tmp_path / "data.npz", x=x, y=model.predict(x))
    return tmp_path


ONCE = {"lowered": 1, "simplified": 1}


@pytest.mark.parametrize(
    "options",
    [
        ["emit", "-o", "FOLDER/out"],
        ["emit", "-o", "FOLDER/out", "--weights", "loadable"],
        ["prove", "--target", "ice40"],
        ["prove", "--target", "ice40", "--pipeline", "stages=2"],
        ["prove", "--target", "ice40", "--weights", "loadable"],
        ["build", "--board", "icestick", "-o", "FOLDER/out"],
        ["build", "--board", "icestick", "-o", "FOLDER/out", "--self-test"],
        ["run", "--board", "icestick", "--data", "FOLDER/data.npz", "--simulate"],
        ["run", "--board", "icestick", "--data", "FOLDER/data.npz", "--simulate", "--load"],
    ],
    ids=" ".join,
)
def test_one_lowering_and_one_simplification(capsys, files, counted, options):
    command, *options = [o.replace("FOLDER", str(files)) for o in options]
    code, _, err = run(capsys, command, files / "a.dbnet", *options)
    assert (code, counted) == (0, ONCE), err


def test_a_build_that_is_too_slow_proposes_without_another_lowering(capsys, files, counted, monkeypatch):
    def too_slow(*_, **__):
        raise TooSlowError("icestick", 12, 6, Cost(100, 100, 1))

    monkeypatch.setattr(fit, "check_size", too_slow)
    depths = []
    monkeypatch.setattr(fit, "proposals", lambda slow, board, depth, stages: depths.append(depth) or "")
    options = ["--board", "icestick", "-o", files / "out"]
    assert run(capsys, "build", files / "a.dbnet", *options)[0] == 2
    assert counted == ONCE
    assert depths[0] > 0
