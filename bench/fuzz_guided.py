"""Damaged contents of one kind through their reader, guided by coverage with atheris; bench.fuzz runs it.

python -m bench.fuzz_guided KIND --seconds 60 --seed 0 --folder FOLDER --slow 20

The folder holds what reached a new branch. At the end one line of JSON says how many inputs were read and how many
failed. libFuzzer, which is inside atheris, never returns, so the process ends within its last input.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from bench import fuzz_found


def one_input(name: str, read: Callable[[bytes], object], end: float) -> Callable[[bytes], None]:
    """What libFuzzer calls with every input; it ends the process when the time is over.

    >>> one_input("rule", int, time.monotonic() + 60)(b"1")
    """
    from bench.fuzz_readers import fault

    done: Counter[str] = Counter()
    seen: set[str] = set()

    def once(raw: bytes) -> None:
        if time.monotonic() > end:
            print(json.dumps(done), flush=True)
            sys.stderr.flush()
            os._exit(0)
        done[name] += 1
        wrong = fault(read, raw)
        if wrong is not None:
            done["failures"] += 1
            if (where := fuzz_found.where(name, wrong)) not in seen:
                seen.add(where)
                fuzz_found.write_file_test(name, raw, wrong)

    return once


def dictionary(words: tuple[bytes, ...]) -> str:
    """Words as libFuzzer reads them.

    >>> print(dictionary((b"and", b'\\xff"')), end="")
    "\\x61\\x6e\\x64"
    "\\xff\\x22"
    """
    return "".join('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in words)


def main() -> None:
    """Runs one reader until the time is over.

    >>> main.__name__  # it ends the process
    'main'
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--slow", type=int, required=True)
    args = parser.parse_args()
    import atheris

    with atheris.instrument_imports(include=["dbhw"]):
        from bench.fuzz_readers import readers

        kind = readers()[args.kind]  # commands and readers that are imported on first use, too
        for raw in kind.valid:
            kind.read(raw)
    corpus = args.folder / "corpus"
    corpus.mkdir()
    for number, raw in enumerate(kind.valid):
        (corpus / f"valid-{number}").write_bytes(raw)
    (args.folder / "words").write_text(dictionary(kind.words))
    options = [f"-seed={args.seed + 1}", f"-timeout={args.slow}", f"-artifact_prefix={args.folder}/stopped-"]
    if kind.words:
        options.append(f"-dict={args.folder}/words")
    atheris.Setup(
        [sys.argv[0], *options, str(corpus)], one_input(args.kind, kind.read, time.monotonic() + args.seconds)
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
