"""What people meet first: help by what they want to do, an example that is right, --quiet, and completion by bash."""

import shlex
import subprocess

import pytest

from dbhw import commands
from dbhw.base import terminal
from dbhw.base.errors import DbhwError
from dbhw.cli import parser
from tests.kit.command_line import run

NAMES = [name for name in commands.PLUGINS.names() if commands.PLUGINS.module(name).__name__.startswith("dbhw.")]


def test_help_shows_every_command_under_a_goal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        run(capsys, "--help")
    shown = capsys.readouterr().out
    assert [name for name in NAMES if not any(line.startswith(f"  {name} ") for line in shown.splitlines())] == []
    assert [goal for goal in commands.GOALS if f"\n{goal}:\n" not in shown] == []
    assert "\nmore:\n" not in shown
    assert max(len(line) for line in shown.splitlines()[2:-2]) <= 80


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_an_example_that_is_right(name, capsys):
    example = commands.example(name)
    program, command, *words = shlex.split(example) if name != "completion" else ["dbhw", "completion", "bash"]
    assert (program, command) == ("dbhw", name)
    assert parser().parse_args([command, *words]).run is commands.PLUGINS.module(name).run
    with pytest.raises(SystemExit):
        parser().parse_args([name, "--help"])
    assert "example: " in capsys.readouterr().out


def test_a_wrong_option_is_one_line():
    with pytest.raises(DbhwError, match="unrecognized arguments: --nothing"):
        parser().parse_args(["zoo", "--nothing"])


def test_quiet_shows_the_result_only(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    for wanted in (False, True):
        with terminal.quiet(wanted):
            terminal.note("a note")
            with terminal.progress(2, "working") as bar:
                bar.update(1)
        shown = capsys.readouterr().err
        assert ("a note" in shown, "working" in shown) == (not wanted, not wanted)
    said = run(capsys, "eval", "zoo:iris-small", "--data", "iris", "--engine", "numpy", "--quiet")
    assert (said[0], said[2]) == (0, "")


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["dbhw", "doc"], ["doctor"]),
        (["dbhw", "build", "--board", "ice"], ["icebreaker", "icestick"]),
        (["dbhw", "export", "x.dbnet", "--format", "ai"], ["aiger"]),
        (["dbhw", "prove", "--tar"], ["--target"]),
        (["dbhw", "synth", "zoo:iris-s"], ["iris-small"]),
    ],
)
def test_bash_completes(capsys, tmp_path, words, completed):
    (tmp_path / "dbhw.bash").write_text(run(capsys, "completion", "bash")[1])
    line = " ".join(words)
    script = f"source dbhw.bash; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; COMP_LINE='{line}'"
    script += f"; COMP_POINT={len(line)}; COMP_WORDBREAKS=' :='; _dbhw"
    done = subprocess.run(
        ["bash", "-c", f'{script}; printf "%s\\n" "${{COMPREPLY[@]}}"'], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.stdout.split(), done.stderr) == (completed, "")


def test_other_shells(capsys):
    assert "bashcompinit" in run(capsys, "completion", "zsh")[1]
    assert '-l board -x -a "' in run(capsys, "completion", "fish")[1]
    assert run(capsys, "completion", "tcsh")[2] == "dbhw: shell must be one of bash, zsh, fish, not 'tcsh'\n"
