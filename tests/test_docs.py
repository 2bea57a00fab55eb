"""The documentation keeps its word: its examples run, its commands exist, and public functions have examples."""

import ast
import re
from pathlib import Path

import pytest

from dbhw.cli import _parser

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Commands are documented by their help, and what runs inside a simulator is run by the benches.
SOURCES = [
    path
    for room in ("dbhw", "rtl", "sim", "boards")
    for path in sorted((ROOT / room).rglob("*.py"))
    if path.parent.name != "commands"
]


# The page on boards needs one on the desk.
@pytest.mark.parametrize("page", [p for p in PAGES if p.name != "boards.md"], ids=lambda p: p.name)
def test_python_on_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        exec(block, {})


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands_on_a_page_exist(page):
    known = set(_parser()._subparsers._group_actions[0].choices)
    named = set(re.findall(r"`dbhw ([a-z]+)|^dbhw ([a-z]+)", page.read_text(), re.MULTILINE))
    assert {a or b for a, b in named} <= known


TOO_SLOW = {"simulated"}  # it builds a simulator; test_device.py drives it


def public(source):
    for node in ast.parse(source.read_text()).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_public_functions_have_an_example(source):
    without = [n.name for n in public(source) if ">>>" not in (ast.get_docstring(n) or "") and n.name not in TOO_SLOW]
    assert without == []
