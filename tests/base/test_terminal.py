"""A person at a terminal sees what runs and for how long; a program that reads a pipe sees nothing of it."""

import io
import sys

import pytest

from dbhw.base import terminal
from dbhw.tools import process


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("place", [Terminal, io.StringIO])
def test_a_tool_that_takes_a_moment_is_shown_on_a_terminal_only(monkeypatch, place):
    seen = place()
    monkeypatch.setattr(sys, "stderr", seen)
    process.run("a slow tool", ["sleep", "1.2"], ".")
    assert ("a slow tool, 00:0" in seen.getvalue()) == isinstance(seen, Terminal)
    assert seen.getvalue().rpartition("\r")[2].strip() == "", "progress must leave nothing behind"


def test_a_bar_shows_its_time_while_nothing_happens(monkeypatch):
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    with terminal.progress(3, "layers"):
        process.run("sleep", ["sleep", "1.3"], ".")
    assert "layers:   0%" in seen.getvalue()
    assert "[00:01<" in seen.getvalue()


def test_quiet_shows_nothing(monkeypatch):
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    with terminal.quiet(), terminal.progress(3, "layers"):
        process.run("sleep", ["sleep", "0.7"], ".")
    assert seen.getvalue() == ""
