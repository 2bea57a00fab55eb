"""What ABC says of two graphs: whether they are equal, and which of their outputs are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dbhw.prove.graphs import aig
from dbhw.prove.graphs.aig import Aig
from dbhw.prove.watch import Watch
from dbhw.tools import abc

EQUIVALENT = "Networks are equivalent"
STEP_SECONDS = 60.0
_SWEEPING_SECONDS = 120.0
_CONFLICTS = 1000  # how hard a single pair of outputs is tried when all together are not proved


def equal(folder: Path, graphs: Sequence[Aig], watch: Watch, seconds: float | None = None) -> bool:
    """Whether ABC proves within some seconds that two graphs are one function of inputs in the same order.

    >>> import tempfile
    >>> import numpy as np
    >>> wire, inverter = (Aig(1, np.zeros((0, 2), int), [f]) for f in (2, 3))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [equal(Path(folder), [wire, other], Watch()) for other in (wire, inverter)]
    [True, False]
    """
    _write(folder, graphs)
    # The newer sweeping proves large sums many times faster, but of what is not equal it only says "undecided".
    said = abc.run(["&cec -y a.aig b.aig"], folder, watch.left(_SWEEPING_SECONDS))
    if EQUIVALENT not in said:
        said = abc.run(["&cec a.aig b.aig"], folder, watch.left(seconds))
    watch.left()
    return EQUIVALENT in said and "NOT" not in said


def merged(folder: Path, graphs: Sequence[Aig], watch: Watch) -> list[bool] | None:
    """For each output whether ABC's sweeping makes one node of those of both graphs; None if it takes long.

    >>> import tempfile
    >>> import numpy as np
    >>> a, b = (Aig(2, np.zeros((0, 2), int), outputs) for outputs in ([2, 4], [2, 5]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     merged(Path(folder), [a, b], Watch())
    [True, False]
    """
    _write(folder, graphs)
    swept = folder / "swept.aig"
    swept.unlink(missing_ok=True)
    script = ["&r a.aig", "&miter b.aig", f"&fraig -C {_CONFLICTS}", f"&w {swept.name}"]
    abc.run(script, folder, watch.left(STEP_SECONDS))
    return [not differs for differs in aig.read(swept).outputs] if swept.exists() else None


def _write(folder: Path, graphs: Sequence[Aig]) -> None:
    for name, graph in zip(("a.aig", "b.aig"), graphs, strict=True):
        aig.write(folder / name, graph)
