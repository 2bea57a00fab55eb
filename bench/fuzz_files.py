"""Damaged files and replies through every reader, for some minutes: at random, or guided by coverage.

With atheris (the extra `fuzz`) each reader has a process of its own, in which damaged content that reaches a new branch
is kept and damaged further. Without it content is damaged at random.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

from bench import fuzz_found, fuzz_readers

_SLOW = 20  # seconds: what is read longer than this is a find


def files(minutes: float, first: int) -> Counter[str]:
    """Damages files and replies until the time is over; the counts of inputs by kind, and of failures.

    >>> files(0, 0)
    Counter()
    """
    return (at_random if find_spec("atheris") is None else guided)(minutes, first)


def at_random(minutes: float, first: int) -> Counter[str]:
    """Damages valid contents at random.

    >>> at_random(0, 0)
    Counter()
    """
    done: Counter[str] = Counter()
    end, chance, known = time.monotonic() + 60 * minutes, random.Random(first), fuzz_readers.readers()
    seen: set[str] = set()
    while time.monotonic() < end:
        name = chance.choice(list(known))
        raw = damaged(chance.choice(known[name].valid), chance)
        done[name] += 1
        wrong = fuzz_readers.fault(known[name].read, raw)
        if wrong is not None:
            done["failures"] += 1
            if (where := fuzz_found.where(name, wrong)) not in seen:
                seen.add(where)
                fuzz_found.write_file_test(name, raw, wrong)
    return done


def guided(minutes: float, first: int) -> Counter[str]:
    """Damages contents of each kind for an equal share of the time, guided by the branches of dbhw that they reach.

    >>> guided(0, 0)
    Counter()
    """
    done: Counter[str] = Counter()
    names = sorted(fuzz_readers.readers()) if minutes else []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            seconds = max(60 * minutes / len(names), 1)
            choices = ["--seconds", str(seconds), "--seed", str(first), "--folder", folder]
            command = [sys.executable, "-m", "bench.fuzz_guided", name, *choices, "--slow", str(_SLOW)]
            ended = subprocess.run(command, capture_output=True, text=True)
            done += outcome(name, Path(folder), ended)
    return done


def outcome(name: str, folder: Path, ended: subprocess.CompletedProcess[str]) -> Counter[str]:
    """What a process has found. It ends early where a reader takes too long, or too much memory, or crashes.

    >>> outcome("rule", Path("/no/such"), subprocess.CompletedProcess([], 0, '{"rule": 9}', ""))
    Counter({'rule': 9})
    """
    stopped = [path.read_bytes() for path in sorted(folder.glob("stopped-*"))]
    for raw in stopped:
        said = ended.stderr.strip().splitlines()[-1:] or [""]
        fuzz_found.write_file_test(name, raw, RuntimeError(f"the reader was stopped: {said[0]}"))
    sys.stderr.writelines(f"{line}\n" for line in ended.stderr.splitlines() if line.startswith("found: "))
    if stopped:
        return Counter({"failures": len(stopped)})
    if ended.returncode:
        raise RuntimeError(f"atheris must run for {name}, but it ended with {ended.returncode}: {ended.stderr[-2000:]}")
    return Counter(json.loads(ended.stdout.splitlines()[-1]))


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Bytes with a few faults: flipped, dropped, doubled, cut off, or replaced by what often is an edge.

    >>> damaged(b"abc", random.Random(0)) != b"abc"
    True
    """
    found = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 4, 16])):
        place, kind = chance.randrange(len(found) + 1), chance.randrange(6)
        length = chance.choice([1, 2, 8, 64])
        if kind == 0 and place < len(found):
            found[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del found[place : place + length]
        elif kind == 2:
            found[place:place] = found[place : place + length]
        elif kind == 3 and chance.random() < 0.2:
            del found[place:]
        elif kind == 4:
            found[place : place + length] = bytes(chance.choices(range(256), k=length))
        else:
            found[place:place] = chance.choice(
                [b"\x00", b"\xff" * 8, b"\n", b",", b'"', b"-1", b"1e999", b"NaN", b"{", b"[]"]
            )
    return bytes(found)
