"""The mutation score of dbhw's own source: faults are put into it one at a time, and its tests must catch them.

python -m bench.source_mutations [--quick] [--json] [--mutants 60] [--seed 0] [--seconds 120] [--only dbhw/logic]

Faults are drawn from the rooms logic, rtl, prove and nn. Each is tried on the examples of its module, on the tests that
import it or are called as it is, and on the other tests of its room, up to the first failure. This is done in a copy of
the tree. Tests that failed must pass without faults. A survivor is a change that no test can tell, or lacks a test.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.source_faults import Fault, faults
from dbhw.base import terminal

TREE = Path(__file__).parents[1]
ROOMS = {"dbhw/logic": "tests/logic", "rtl": "tests/rtl", "dbhw/prove": "tests/prove", "dbhw/nn": "tests/nn"}
KILLED, SURVIVED, LATE = "killed", "survived", "timed out"
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.M)


@dataclass(frozen=True)
class Mutant:
    """A fault in a file of a room."""

    room: str
    file: str
    fault: Fault


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant, the tests that failed, and how long it took."""

    mutant: Mutant
    fate: str
    failed: tuple[str, ...]
    seconds: float

    def to_json(self) -> dict[str, str | int]:
        fault = self.mutant.fault
        return {"file": self.mutant.file, "line": fault.line, "change": fault.change, "fate": self.fate}


def sample(number: int, seed: int, rooms: Iterable[str] = ROOMS) -> list[Mutant]:
    """Faults at random: of each room as many as it has of all faults.

    >>> [mutant.room for mutant in sample(2, 0, ["dbhw/nn"])]
    ['dbhw/nn', 'dbhw/nn']
    """
    every = [
        Mutant(room, str(path.relative_to(TREE)), fault)
        for room in rooms
        for path in sorted((TREE / room).rglob("*.py"))
        for fault in faults(path.read_text())
    ]
    return random.Random(seed).sample(every, min(number, len(every)))


def belonging(file: str, room: str) -> list[str]:
    """The module itself, for its examples; tests that import it; examples of its folder; tests called as the folder is;
    and the other tests of its room.

    >>> belonging("dbhw/logic/cut.py", "dbhw/logic")[:2], belonging("dbhw/prove/fold/machine.py", "dbhw/prove")[:3]
    (['dbhw/logic/cut.py', 'tests/logic/test_cut.py'],
     ['dbhw/prove/fold/machine.py', 'dbhw/prove/fold/folded.py', 'dbhw/prove/fold/module.py'])
    """
    path = file if file.startswith("dbhw/") else f"dbhw/{file}"
    package, _, name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".").rpartition(".")
    imports = re.compile(rf"from {re.escape(package)} import .*\b{name}\b|{re.escape(package)}\.{name}\b")
    texts = {str(p.relative_to(TREE)): p.read_text() for p in sorted((TREE / "tests").glob("*/test_*.py"))}
    direct = [test for test, text in texts.items() if imports.search(text)]
    parts = Path(file.removesuffix(".py")).parts
    named = [test for test in texts if any(part.startswith(Path(test).stem[len("test_") :]) for part in parts)]
    own = [test for test in texts if test.startswith(f"{ROOMS[room]}/")]
    beside = [f"{Path(path).parent}/{other.name}" for other in sorted((TREE / file).parent.glob("[!_]*.py"))]
    first = [path, *sorted(direct, key=lambda test: test not in own)]
    return list(dict.fromkeys([*first, *beside, *named, *own]))


class Copy:
    """A copy of the tree, of which one file at a time is another."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=TREE, capture_output=True, check=True).stdout
        packed = subprocess.run(
            ["tar", "-c", "--null", "-T", "-"], cwd=TREE, input=listed, capture_output=True, check=True
        )
        subprocess.run(["tar", "-x"], cwd=folder, input=packed.stdout, check=True)

    def write(self, file: str, text: str) -> None:
        path = self.folder / file
        path.write_text(text)
        # Python knows a compiled file by the second and the size of its source, which may be the same.
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
            compiled.unlink()

    def passes(self, tests: Sequence[str], seconds: float) -> tuple[str, tuple[str, ...]]:
        """Whether tests pass, as a fate, and those that did not."""
        command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "--no-header", "-rfE", *tests]
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,  # so that the tools that tests have started end with them
        ) as running:
            try:
                said, _ = running.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, 9)
                return LATE, ()
        if running.returncode not in (0, 1, 2):  # passed, failed, not to be imported
            raise RuntimeError(f"pytest must run in the copy, but it ended with {running.returncode}: {said[-2000:]}")
        return (KILLED if running.returncode else SURVIVED), tuple(_FAILED.findall(said))


def tried(tree: Copy, mutant: Mutant, seconds: float) -> Outcome:
    """Puts a mutant into the copy, tests it, and takes it out again.

    >>> tried.__name__  # it takes seconds
    'tried'
    """
    begun = time.monotonic()
    source = (TREE / mutant.file).read_text()
    tree.write(mutant.file, mutant.fault.put_into(source))
    fate, failed = tree.passes(belonging(mutant.file, mutant.room), seconds)
    tree.write(mutant.file, source)
    return Outcome(mutant, fate, failed, time.monotonic() - begun)


def check(tree: Copy, outcomes: Sequence[Outcome]) -> None:
    """Refuses kills that are none: every test that failed must pass in the tree as it is.

    >>> check.__name__  # it takes seconds
    'check'
    """
    # A file that could not even be collected is tried whole.
    failed = sorted({test for outcome in outcomes for test in outcome.failed})
    if failed and (wrong := tree.passes(failed, 3600)[1]):
        raise RuntimeError(f"tests must pass without faults, but {', '.join(wrong)} did not")


def main(arguments: list[str] | None = None) -> int:
    """Runs the bench.

    >>> main(["--mutants", "0", "--json"])
    {"rooms": {}, "survivors": []}
    0
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three mutants")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--mutants", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=120, help="the most that the tests of a mutant may take")
    parser.add_argument("--only", choices=list(ROOMS), help="one room")
    args = parser.parse_args(arguments)
    chosen = sample(3 if args.quick else args.mutants, args.seed, [args.only] if args.only else ROOMS)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Copy(folder)
        for mutant in chosen:
            outcomes.append(tried(tree, mutant, args.seconds))
            said = outcomes[-1]
            where = f"{mutant.file}:{mutant.fault.line}: {mutant.fault.change}"
            terminal.note(f"{said.fate}, {said.seconds:.0f} s: {where} {' '.join(said.failed)}")
        check(tree, outcomes)
    rooms: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        rooms.setdefault(outcome.mutant.room, Counter())[outcome.fate] += 1
    survivors = [outcome.to_json() for outcome in outcomes if outcome.fate != KILLED]
    if args.json:
        print(json.dumps({"rooms": {room: dict(counts) for room, counts in rooms.items()}, "survivors": survivors}))
        return 0
    for room, counts in rooms.items():
        print(f"{room}: {counts[KILLED]} killed, {counts[SURVIVED]} survived, {counts[LATE]} timed out")
    for found in survivors:
        print(f"{found['fate']}: {found['file']}:{found['line']}: {found['change']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
