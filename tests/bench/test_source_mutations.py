"""The mutation score of a small tree: what tests see is killed, what they do not see survives."""

import ast
import json
import subprocess

import pytest

from bench import source_mutations
from bench.source_faults import faults

MODULE = '''"""Words, 1 + 1 of them."""


def larger(a: int | None, b=2):
    """Whether.

    >>> larger(3)
    True
    """
    if a < 0:
        raise ValueError(1 + 1)
    return a > b


def down(n):
    n -= 1
    return f"{n + 1}"
'''
TESTS = """
from dbhw.nn.a import down, larger


def test_larger():
    assert larger(3) and not larger(1)


def test_down():
    assert down(2) == "2"
"""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    files = {"dbhw/__init__.py": "", "dbhw/nn/a.py": MODULE, "tests/nn/test_a.py": TESTS}
    for name, text in {**files, "pytest.ini": "[pytest]\naddopts = --doctest-modules -q\n"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    monkeypatch.setattr(source_mutations, "TREE", tmp_path)
    return tmp_path


def test_faults_are_in_code_alone():
    assert {fault.change for fault in faults(MODULE)} == {
        "2 -> 3",
        "a < 0 -> not a < 0",
        "a < 0 -> a <= 0",
        "a > b -> a >= b",
        "0 -> 1",
        "n -= 1 -> pass",
        "1 -> 2",
    }
    for fault in faults(MODULE):
        assert ast.dump(ast.parse(fault.put_into(MODULE))) != ast.dump(ast.parse(MODULE)), fault.change


def test_a_fault_is_killed_or_survives(tree, capsys):
    assert source_mutations.main(["--only", "dbhw/nn", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    fates = {(entry["line"], entry["change"]): entry["fate"] for entry in found["survivors"]}
    assert fates == {
        (10, "0 -> 1"): "survived",
        (10, "a < 0 -> a <= 0"): "survived",
        (12, "a > b -> a >= b"): "survived",
    }
    assert found["rooms"]["dbhw/nn"] == {"killed": 4, "survived": 3}
    assert (tree / "dbhw/nn/a.py").read_text() == MODULE


def test_what_takes_too_long_is_stopped(tree, tmp_path_factory):
    copy = source_mutations.Copy(str(tmp_path_factory.mktemp("copy")))
    copy.write("tests/nn/test_a.py", "import time\n\ndef test_slow():\n    time.sleep(600)\n")
    assert copy.passes(["tests/nn/test_a.py"], 1) == ("timed out", ())


def test_tests_that_fail_by_themselves_kill_nothing(tree):
    (tree / "tests/nn/test_a.py").write_text("def test_wrong():\n    assert False\n" + TESTS)
    with pytest.raises(RuntimeError, match=r"tests must pass without faults, but tests/nn/test_a.py::test_wrong did"):
        source_mutations.main(["--only", "dbhw/nn", "--mutants", "1"])
