"""A network run by C: compiled where it is small enough, else interpreted, and kept for the next time."""

from __future__ import annotations

import ctypes
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from dbhw.base import files
from dbhw.data.dataset import check_bits
from dbhw.logic.formats import c
from dbhw.logic.gates import Sliced, to_gates
from dbhw.logic.network import COUNT, LUT, SUM, Network
from dbhw.software import cache as kept
from dbhw.software import compiler, shapes
from dbhw.software.compiler import UnavailableError
from dbhw.software.packed import Packed
from dbhw.software.steps import to_steps

MOST_OPERATIONS = 40_000  # a compiler takes some six seconds for them
_CHUNK = 1 << 16  # examples that a thread takes at a time
_CACHE_BYTES = 1 << 22  # a word of each place in memory should fit into the last level, with room to spare
_NO_MEMORY, _NOT_BITS = 1, 2


@dataclass(frozen=True)
class Native:
    """A network as a loaded library, and where it came from, in words."""

    library: ctypes.CDLL
    inputs: int
    outputs: int  # fields beside the label
    origin: str

    def run(
        self, x: np.ndarray | Packed, *, labels: bool = True, outputs: bool = True, threads: int = 1
    ) -> tuple[np.ndarray, np.ndarray]:
        """The classes (examples) and the other fields (examples, outputs); what is not wanted is empty."""
        rows = x.rows if isinstance(x, Packed) else x
        found = np.empty(len(rows) if labels else 0, np.int64)
        others = np.empty((len(rows) if outputs else 0, self.outputs), np.int64)
        starts = range(0, len(rows), _CHUNK)

        def work(start: int) -> None:
            part = slice(start, start + _CHUNK)
            self._part(rows[part], isinstance(x, Packed), found[part], others[part])

        if threads == 1 or len(starts) == 1:
            for start in starts:
                work(start)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(work, starts))
        return found, others

    def _part(self, rows: np.ndarray, packed: bool, labels: np.ndarray, others: np.ndarray) -> None:
        if not packed and (rows.dtype.itemsize != 1 or rows.dtype.kind not in "bui"):
            rows = check_bits(rows, self.inputs)
        if rows.strides[1] != 1 or rows.strides[0] < 0:
            rows = np.ascontiguousarray(rows)
        wanted = [a.ctypes.data if a.size else None for a in (labels, others)]
        wrong = self.library.engine_run(rows.ctypes.data, rows.strides[0], not packed, len(rows), *wanted)
        if wrong == _NOT_BITS:
            check_bits(rows, self.inputs)
        if wrong:
            raise MemoryError


def build(digest: str, network: Callable[[], Network], inputs: int, outputs: int) -> Native:
    """The network of a digest, from the cache or compiled; `UnavailableError` if there is no way to compile it.

    >>> n = Network(); n.integer_output("label", [n.count([(n.input("a") ^ 1, 1)])], 1)
    >>> native = build("an inverter", lambda: n, 1, 0)
    >>> native.run(np.array([[False], [True]]))[0].tolist()
    [1, 0]
    """
    key = f"{digest} {_own_digest()} {compiler.identity()}"
    content = kept.fetch(key)
    origin = "compiled before"
    if content is None:
        started = time.perf_counter()
        content, how = _compiled(network())
        origin = f"{how} in {time.perf_counter() - started:.1f} s"
        reason = kept.keep(key, content)
        origin += f", but not kept: {reason}" if reason else ""
    return Native(_loaded(content), inputs, outputs, origin)


def at_hand(digest: str) -> bool:
    """Whether a network was compiled before.

    >>> at_hand("something new")
    False
    """
    try:
        return kept.fetch(f"{digest} {_own_digest()} {compiler.identity()}") is not None
    except UnavailableError:
        return False


def _compiled(network: Network) -> tuple[bytes, str]:
    """The library of a network, and whether it is compiled or interpreted."""
    sliced = to_gates(network) if _least_operations(network) <= MOST_OPERATIONS else None
    if sliced is None or c.operations(sliced) > MOST_OPERATIONS:
        return _interpreted(network), "made for an interpreter"
    vector, options = compiler.vectors()
    sources = {
        "engine.c": _source("engine.c"),
        "net.h": c.header(sliced),
        "net.c": c.source(sliced, include='#include "net.h"'),
    }
    options = [*options, *_defined({"VECTOR": vector, "PART": vector})]
    # Straight lines of ANDs and XORs gain nothing from a higher level, and take a third longer to compile.
    return compiler.library(sources, options, {"engine.c": "-O2", "net.c": "-O1"}), "compiled"


def _interpreted(network: Network) -> bytes:
    """The interpreter together with the steps of a network."""
    vector, options = compiler.vectors()
    steps = to_steps(network)
    described = Sliced(network, steps.fields)
    sources: dict[str, str | bytes] = {
        "engine.c": _source("engine.c"),
        "interpret.c": _source("interpret.c") + "\n".join([*c.tables(described), ""]),
        "functions.h": shapes.write(steps.shapes),
        "net.h": c.header(described),
        "steps.bin": steps.numbers.astype("<u4" if np.little_endian else ">u4").tobytes(),
    }
    # A step is decoded once for all examples in a word: words are as wide as the cache allows.
    parts = max((n for n in (1, 2, 4) if n * vector * steps.memory <= _CACHE_BYTES), default=1)
    sizes = {"VECTOR": parts * vector, "PART": vector, "SCRATCH": steps.memory}
    return compiler.library(sources, [*options, *_defined(sizes)], {"engine.c": "-O2", "interpret.c": "-O1"})


def _defined(sizes: dict[str, int]) -> list[str]:
    """The compiler's options: vectors wider than the processor's are meant."""
    return ["-Wno-psabi", *(f"-DNET_{name}={size}" for name, size in sizes.items())]


def _least_operations(network: Network) -> int:
    """Fewer operations than these it cannot be: told before gates are made of a large network."""
    kinds = np.array(network.kinds)
    sizes = np.diff(np.array(network.starts))
    weights = np.where(np.isin(kinds, (COUNT, SUM)), 3, 1) * np.where(kinds == LUT, 2, 1)
    return int((sizes * weights).sum())


def _loaded(content: bytes) -> ctypes.CDLL:
    # A copy of what was checked: the file in the cache may change under our feet, or be on a disk that is full.
    try:
        with tempfile.TemporaryDirectory(prefix="dbhw-") as folder:
            path = Path(folder) / "net.so"
            path.write_bytes(content)
            library = ctypes.CDLL(str(path))
        library.engine_run.argtypes = [
            *(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p)
        ]
    except (OSError, AttributeError) as wrong:
        raise UnavailableError(f"the compiled net cannot be loaded: {wrong}") from wrong
    return library


def _source(name: str) -> str:
    return (Path(__file__).parent / name).read_text()


@cache
def _own_digest() -> str:
    """A digest of the toolkit: another version may compile another way."""
    folder = Path(__file__).parents[1]
    rooms = [folder / room for room in ("logic", "nn", "model", "software")]
    paths = sorted(path for room in rooms for path in room.rglob("*.[pc]*") if path.suffix in (".py", ".c"))
    return files.sha256(b"".join(path.read_bytes() for path in paths))
