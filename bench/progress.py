"""Whether a person who waits sees what is going on, and a program that reads a pipe sees nothing but the result.

    python -m bench.progress [--quick] [--json] [--only synth]

Each command is run twice: in a terminal, where what it writes is timed, and in pipes. The exit code is 1 if a terminal
is silent for longer than the limit, if a command that takes seconds shows no progress, or if a pipe gets progress.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.inference_nets import tables_net
from dbhw.base.terminal import table

_SILENT_SECONDS = 2.5  # two, and what an interpreter takes to start
_LONG_SECONDS = 2.0
_MOVES_THE_CURSOR = re.compile(r"\r(?!\n)|\x1b\[A")
# Small nets of the zoo take a few seconds; the larger ones show what people with a picture task see.
_QUICK = {
    "train": "train {csv} -o out.dbnet",
    "eval": "eval zoo:digits-small --data digits",
    "emit": "emit zoo:digits-small -o emitted",
    "synth": "synth zoo:iris-small --target ice40",
    "sim": "sim zoo:digits-small --vectors 1000",
    "prove": "prove zoo:iris-small",
}
_ALL = _QUICK | {
    "train a recipe": "train noisy-xor -o xor.dbnet",
    "train within LUTs": "train {csv} -o out.dbnet --max-luts 60",
    "data": "data {csv}",
    "eval": "eval zoo:mnist-small --data mnist-grey",
    "explain": "explain zoo:mnist-small",
    "emit": "emit zoo:mnist-small -o emitted",
    "emit loadable": "emit {tables} --weights loadable -o loadable",
    "synth": "synth zoo:mnist-small",
    "synth and place": "synth zoo:digits-small --target ice40 --place",
    "sim": "sim zoo:mnist-small",
    "sim in icarus": "sim zoo:digits-small --simulator icarus --vectors 100",
    "sim with faults": "sim zoo:iris-small --mutate 5",
    "prove": "prove zoo:mnist-small",
    "verify": "verify zoo:iris-small --robust 1 --data iris",
    "export": "export zoo:mnist-small --format c -o net.c",
    "export blif": "export zoo:mnist-small --format blif -o net.blif",
    "import": "import net.blif -o imported.dbnet",
    "wrap": "wrap zoo:digits-small --for litex -o wrapped",
    "report": "report zoo:digits-small -o report.html",
    "pareto": "pareto {csv} --sizes 2 --target ice40",
    "build": "build zoo:iris-small --board icebreaker -o built",
    "run": "run zoo:iris-small --board icebreaker --simulate --data iris",
    "doctor": "doctor",
}


@dataclass(frozen=True)
class Row:
    """What a terminal and the pipes saw of a command."""

    command: str
    seconds: float
    longest_silence: float
    shown: str  # by way of example, the last line of progress
    progress_in_pipes: bool
    exit_code: int

    def wrong(self) -> str:
        """What is wrong with it, in words; nothing if nothing is.

        >>> Row("synth", 9.0, 4.0, "yosys, 00:03", False, 0).wrong()
        'silent for 4.0 s'
        """
        if self.exit_code not in (0, 1):  # 1 is an answer: not robust, for example
            return f"exit code {self.exit_code}"
        if self.longest_silence > _SILENT_SECONDS:
            return f"silent for {self.longest_silence} s"
        if self.seconds > _LONG_SECONDS + _SILENT_SECONDS and not self.shown:
            return "no progress"
        return "progress in a pipe" if self.progress_in_pipes else ""


def measure(name: str, command: list[str], folder: Path) -> Row:
    """Runs a command in a terminal and in pipes.

    >>> row = measure("list", [sys.executable, "-m", "dbhw", "list", "boards"], Path.cwd())
    >>> row.exit_code, row.progress_in_pipes
    (0, False)
    """
    seconds, silence, text, code = _in_a_terminal(command, folder)
    piped = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    progress = bool(_MOVES_THE_CURSOR.search(piped.stdout + piped.stderr))
    return Row(name, round(seconds, 1), round(silence, 1), _last_progress(text), progress, code or piped.returncode)


def _in_a_terminal(command: list[str], folder: Path) -> tuple[float, float, str, int]:
    """The seconds it took, the longest silence, all it wrote, and the exit code."""
    started = last = time.monotonic()
    terminal, other_end = pty.openpty()
    child = subprocess.Popen(command, cwd=folder, stdin=other_end, stdout=other_end, stderr=other_end)
    os.close(other_end)
    silences, parts = [], []
    while part := _read(terminal):
        now = time.monotonic()
        silences.append(now - last)
        last = now
        parts.append(part)
    os.close(terminal)
    code = child.wait()
    ended = time.monotonic()
    return ended - started, max([*silences, ended - last]), b"".join(parts).decode(errors="replace"), code


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # what a terminal says once nobody is at its other end
        return b""


def _last_progress(text: str) -> str:
    """The last line that another one was written over.

    >>> _last_progress("yosys, 00:01\\ryosys, 00:02\\r            \\rluts 3\\r\\n")
    'yosys, 00:02'
    """
    parts = [part for part in text.replace("\r\n", "\n").split("\r") if "\n" not in part]
    lines = [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", part).strip() for part in parts]
    return next((line for line in reversed(lines) if line), "")


def _commands(wanted: dict[str, str], folder: Path) -> dict[str, list[str]]:
    from sklearn.datasets import load_breast_cancer

    load_breast_cancer(as_frame=True).frame.to_csv(folder / "cancer.csv", index=False)
    tables_net(200).save(folder / "tables.dbnet")
    filled = {name: text.format(csv="cancer.csv", tables="tables.dbnet") for name, text in wanted.items()}
    return {name: [sys.executable, "-m", "dbhw", *shlex.split(text)] for name, text in filled.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few commands, on small nets")
    parser.add_argument("--only", help="the commands that begin so")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    wanted = _QUICK if args.quick else _ALL
    wanted = {name: text for name, text in wanted.items() if name.startswith(args.only or "")}
    with tempfile.TemporaryDirectory() as name:
        rows = [measure(each, command, Path(name)) for each, command in _commands(wanted, Path(name)).items()]
    if args.json:
        print(json.dumps([asdict(row) | {"wrong": row.wrong()} for row in rows]))
    else:
        heads = ("command", "seconds", "longest silence", "in pipes", "progress, for example", "wrong")
        print(table([heads, *map(_cells, rows)]))
    return int(any(row.wrong() for row in rows))


def _cells(row: Row) -> tuple[str, ...]:
    piped = "progress" if row.progress_in_pipes else "the result"
    return (row.command, str(row.seconds), str(row.longest_silence), piped, row.shown[:50], row.wrong())


if __name__ == "__main__":
    sys.exit(main())
