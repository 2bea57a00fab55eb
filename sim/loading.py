"""Simulating loads: whole ones, damaged ones, half ones, for another shape and with a reset in between."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dbhw import weights
from dbhw.model import Model
from dbhw.rtl.emit import Emitted, vectors
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


def others(model: Model, number: int) -> list[Model]:
    """Models of the same shape with other, random weights.

    >>> from dbhw.layers.negation import Negation
    >>> from dbhw.net import Net
    >>> model = Model(Net(1, [Negation(width=9)]), (np.zeros((9, 1), np.float32),), ("out",), tuple("abcdefghi"))
    >>> len({other.digest() for other in others(model, 3)})
    3
    """
    random = np.random.default_rng(0)

    def other() -> Model:
        soft = [None if w is None else random.choice([-0.25, 0.25], w.shape) for w in model.soft_weights]
        soft32 = tuple(None if w is None else w.astype(np.float32) for w in soft)
        return Model(model.net, soft32, model.features, model.classes)

    return [other() for _ in range(number)]


def simulate_loads(
    verilog: str, emitted: Emitted, models: list[Model], x: np.ndarray, simulator: str = "verilator"
) -> Result:
    """Simulates loadable Verilog that holds the first of three models, and loads the others while vectors flow."""
    simulators.check(simulator)
    events = _events([weights.message(model) for model in models])
    plan = {
        "inputs": vectors(models[0], emitted, x)["inputs"]["x"],
        "models": [
            {"digest": weights.digest(weights.message(m)), "outputs": vectors(m, emitted, x)["outputs"]} for m in models
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
    flipped[-weights.CRC_BYTES - 1] ^= 1
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
