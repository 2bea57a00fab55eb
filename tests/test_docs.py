"""The documentation is right: examples run, commands, files and links exist, and tables are those of the code."""

import ast
import pkgutil
import re
import shlex
from pathlib import Path

import pytest

import dbhw
from bench import reference
from dbhw import cli, commands
from dbhw.commands.list import kinds
from dbhw.tabular import budget, choice

ROOT = Path(__file__).parent.parent
PAGES = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
    *(page for folder in ("docs", "examples") for page in sorted((ROOT / folder).rglob("*.md"))),
]
GROUPS = list(kinds())
# Commands are documented by their help, and what runs inside a simulator is run by the benches.
SOURCES = [
    path
    for room in ("dbhw", "rtl", "sim", "boards")
    for path in sorted((ROOT / room).rglob("*.py"))
    if path.parent.name != "commands"
]


@pytest.fixture
def small_tables(monkeypatch):
    """Nets for tables are small ones, whatever is asked for, and the search within a budget trains few sizes."""
    monkeypatch.setattr(budget, "_TRIES", 3)  # the first may be too large
    for name in choice.BUDGETS:
        monkeypatch.setitem(choice.BUDGETS, name, choice.BUDGETS["small"])


# The page on boards needs one on the desk.
@pytest.mark.parametrize("page", [p for p in PAGES if p.name != "boards.md"], ids=lambda p: p.name)
def test_python_on_a_page_runs(page, tmp_path, monkeypatch, small_tables):
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        exec(block, {})


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands_on_a_page_exist(page):
    named = set(re.findall(r"`dbhw ([a-z]+)|^dbhw ([a-z]+)", page.read_text(), re.MULTILINE))
    assert {a or b for a, b in named} <= set(commands.PLUGINS.names())


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands_on_a_page_have_the_options_that_they_take(page):
    for line in re.findall(r"^dbhw .*$", page.read_text(), re.MULTILINE):
        for command in line.split("&&"):
            words = shlex.split(command, comments=True)
            if "[" not in command:  # a synopsis, as the reference has it
                cli.parser().parse_args(words[1:])


def test_an_option_that_a_command_lacks_is_noticed():
    with pytest.raises(dbhw.DbhwError, match="--bord"):
        cli.parser().parse_args(["build", "a.dbnet", "-o", "out", "--board", "icestick", "--bord", "1"])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_files_and_modules_on_a_page_exist(page):
    """Names that begin with `my_` are the reader's own."""
    text = page.read_text()
    paths = re.findall(r"`((?:dbhw|rtl|sim|boards|tests|bench|docs)/[\w./]*)`", text)
    assert [path for path in paths if not (ROOT / path).exists() and "/my_" not in path] == []
    for dotted in re.findall(r"(?:`|import |from |-m )((?:dbhw|bench)(?:\.\w+)+)", text):
        if dotted.removeprefix("dbhw.") not in GROUPS:
            pkgutil.resolve_name(dotted)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=lambda p: p.name)
def test_links_on_a_page_lead_somewhere(page):
    for target, anchor in re.findall(r"\]\((?!http)([^)#]*)(?:#([^)]*))?\)", page.read_text()):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        headings = re.findall(r"^#+ (.*)$", linked.read_text(), re.MULTILINE) if anchor else []
        assert not anchor or anchor in [re.sub(r"[^\w\- ]", "", h).lower().replace(" ", "-") for h in headings]


def test_the_reference_is_up_to_date(small_tables):
    """`make reference` writes it anew."""
    page = reference.PAGE.read_text()
    assert reference.updated(page) == page


def test_every_group_of_entry_points_is_in_the_contributors_page():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    assert [kind for kind in GROUPS if f"`dbhw.{kind}`" not in text] == []


def test_the_version_is_in_one_place():
    assert f'version = "{dbhw.__version__}"' in (ROOT / "pyproject.toml").read_text()


TOO_SLOW = {"simulated"}  # it builds a simulator; tests/boards/test_device.py covers it


def public(source):
    for node in ast.parse(source.read_text()).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_public_functions_have_an_example(source):
    without = [n.name for n in public(source) if ">>>" not in (ast.get_docstring(n) or "") and n.name not in TOO_SLOW]
    assert without == []
