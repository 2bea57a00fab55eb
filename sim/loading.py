"""Simulating loads: whole ones, damaged ones, half ones, for another shape and with a reset in between."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dbhw.model import message
from dbhw.model.model import Model
from dbhw.rtl.verilog.emit import Emitted, vectors
from dbhw.sim import simulators
from dbhw.sim.run import run_bench

NONE, LOADED, OTHER_SHAPE, WRONG_DIGEST = range(4)  # what load_status says
_QUIET = 40  # clocks after each event


@dataclass(frozen=True)
class Result:
    """What a simulation saw: answers that were no whole model's, and events that did not end as they must."""

    simulator: str
    vectors: int
    loads: int
    mismatches: int
    build_seconds: float
    vectors_per_second: float
    first: dict[str, Any] | None


def others(model: Model, x: np.ndarray, tries: int = 30) -> tuple[Model, Model]:
    """Two more models of the same shape: of a few random ones those that differ most on the vectors.

    Models that answer alike would show nothing; random weights often make constant nets, flipped ones rarely.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=1)]), (np.ones((1, 1), np.float32),), ("out",), ("in", "out"))
    >>> x = np.array([[False], [True]])
    >>> others(model, x)[0].predict(x).tolist()
    [1, 0]
    """
    random = np.random.default_rng(0)

    def flipped() -> Model:
        rate = random.choice([0.02, 0.2, 0.5, 1.0])
        soft = (None if w is None else np.where(random.random(w.shape) < rate, -w, w) for w in model.soft_weights)
        return Model(model.net, tuple(soft), model.features, model.classes)

    def difference(a: Model, b: Model) -> float:
        return float((a.scores(x) != b.scores(x)).any(axis=1).mean())

    found = [flipped() for _ in range(tries)]
    second = max(found, key=lambda other: difference(model, other))
    return second, max(found, key=lambda other: min(difference(model, other), difference(second, other)))


def simulate_loads(
    verilog: str, emitted: Emitted, models: Sequence[Model], x: np.ndarray, simulator: str = "verilator"
) -> Result:
    """Simulates loadable Verilog that holds the first of three models, and loads the others while vectors flow.

    >>> simulate_loads("module net; endmodule", None, [], None, "modelsim")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: simulator must be one of icarus, verilator, not 'modelsim'
    """
    simulators.check(simulator)
    events = _events([message.encode(model) for model in models])
    plan = {
        "inputs": vectors(models[0], emitted, x)["inputs"]["x"],
        "models": [
            {"digest": message.digest(message.encode(m)), "outputs": vectors(m, emitted, x)["outputs"]} for m in models
        ],
        "events": [event for event, _, _ in events],
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "net.v").write_text(verilog)
        (folder / "plan.json").write_text(json.dumps(plan))
        names = [p["name"] for d in ("inputs", "outputs") for p in emitted.manifest[d] + emitted.manifest["weights"][d]]
        ports = ["clk", "rst", *names]
        build_seconds = run_bench("dbhw.sim.load_bench", folder, emitted.module, ports, simulator)
        seen = json.loads((folder / "result.json").read_text())
    unlike = _unlike(events, seen, [int(entry["digest"], 16) for entry in plan["models"]])
    return Result(
        simulator,
        seen["vectors"],
        len(events),
        seen["mismatches"] + len(unlike),
        round(build_seconds, 2),
        round(seen["vectors"] / max(seen["seconds"], 1e-9), 1),
        seen["first"] or (unlike[0] if unlike else None),
    )


def _unlike(
    events: list[tuple[dict[str, Any], int, int]], seen: dict[str, Any], digests: list[int]
) -> list[dict[str, Any]]:
    """The events whose status is not the expected one, and whether the models held were not the expected ones."""
    expected = [status for _, status, _ in events]
    wrong: list[dict[str, Any]] = [
        {"event": i, "expected": status, "found": found}
        for i, (status, found) in enumerate(zip(expected, seen["statuses"], strict=True))
        if status != found
    ]
    held = [0]
    for _, _, model in events:
        held += [model] if model != held[-1] else []
    found = [digest for _, digest in seen["held"]]
    return wrong + [{"held": found}] * (found != [digests[model] for model in held])


def _events(messages: list[bytes]) -> list[tuple[dict[str, Any], int, int]]:
    """What happens, one after another: an event, the status it must end with, and the model that then is held."""
    first, second, third = messages
    flipped = bytearray(third)
    flipped[-message.CRC_BYTES - 1] ^= 1
    wrong_crc = second[:-1] + bytes([second[-1] ^ 0x80])
    wrong_shape = bytes([third[0] ^ 1]) + third[1:]
    return [
        (_load(b""), NONE, 0),
        (_load(second), LOADED, 1),
        (_load(bytes(flipped)), WRONG_DIGEST, 1),
        (_load(third[: len(third) // 2]), NONE, 1),
        (_load(third), LOADED, 2),
        (_load(first, announced=False), LOADED, 2),
        (_load(wrong_shape), OTHER_SHAPE, 2),
        (_load(first), LOADED, 0),
        (_load(wrong_crc), WRONG_DIGEST, 0),
        (_load(third[:-1]), NONE, 0),
        (_load(second), LOADED, 1),
        (_load(third[:-1]), NONE, 1),
        ({"reset": 2, "quiet": _QUIET}, NONE, 0),
        (_load(third[-1:], announced=False), NONE, 0),
        (_load(third), LOADED, 2),
    ]


def _load(message: bytes, announced: bool = True) -> dict[str, Any]:
    return {"bytes": message.hex(), "announced": announced, "quiet": _QUIET}
