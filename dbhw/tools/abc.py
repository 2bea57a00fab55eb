"""ABC, as the pyosys package has it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from dbhw.tools import process


def run(script: list[str], folder: str | Path, seconds: float | None = None) -> str:
    """Runs ABC commands in a folder and returns what ABC printed, or nothing where they take longer than `seconds`.

    >>> "hello" in run(["echo hello"], ".")
    True
    """
    try:
        return process.run("abc", [program(), "-c", "; ".join(script)], folder, seconds=seconds)
    except subprocess.TimeoutExpired:
        return ""


def program() -> str:
    """The path of ABC.

    >>> Path(program()).name
    'yosys-abc'
    """
    return str(Path(process.package("pyosys")) / "yosys-abc")
