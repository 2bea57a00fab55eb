"""What a fuzzer has found, written to `tests/found/` as a test, once for each place that fails."""

from __future__ import annotations

import base64
import sys
from pathlib import Path

from dbhw.base import files

FOUND = Path(__file__).parents[1] / "tests" / "found"


def write_test(name: str, module: str, call: str, wrong: Exception) -> None:
    """Writes a test that makes a call of a module of `bench`.

    >>> write_test.__name__  # it writes into the tree
    'write_test'
    """
    FOUND.mkdir(exist_ok=True)
    lines = [
        f'"""Found by bench.fuzz: {" ".join(f"{type(wrong).__name__}: {wrong}".split())[:150]}"""',
        f"\nimport base64\n\nfrom bench import {module}",
        f"\n\ndef test_{name}():\n    {call}\n",
    ]
    files.write(FOUND / f"test_{name}.py", "\n".join(lines))
    print(f"found: {FOUND.name}/test_{name}.py: {type(wrong).__name__}: {wrong}", file=sys.stderr, flush=True)


def write_file_test(kind: str, raw: bytes, wrong: Exception) -> None:
    """Writes a test that reads damaged bytes; it replaces the one of the same kind, exception and place.

    >>> write_file_test.__name__
    'write_file_test'
    """
    name = files.sha256(where(kind, wrong))[:8]
    text = base64.b64encode(raw).decode()
    write_test(f"file_{name}", "fuzz_readers", f'fuzz_readers.check_file("{kind}", base64.b64decode("{text}"))', wrong)


def where(kind: str, wrong: Exception) -> str:
    """What makes two finds the same: the kind of content, the exception, and the line that raised it.

    >>> where("rule", ValueError("one"))
    'rule ValueError '
    """
    place = wrong.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    line = "" if place is None else f"{Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
    return f"{kind} {type(wrong).__name__} {line}"
