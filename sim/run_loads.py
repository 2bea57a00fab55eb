"""Simulates loads of weights: complete, damaged, cut short, for another shape, and with a reset in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from dbhw.model import message
from dbhw.model.model import Model
from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim import simulators
from dbhw.sim.run import run_bench

NONE, LOADED, OTHER_SHAPE, WRONG_DIGEST = range(4)  # the values of load_status


@dataclass(frozen=True)
class LoadResult:
    """What a simulation found. A mismatch is an answer of no complete model, or an event that ended wrongly."""

    simulator: str
    vectors: int
    loads: int
    mismatches: int
    build_seconds: float
    vectors_per_second: float
    first: dict[str, Any] | None


@dataclass(frozen=True)
class _Event:
    """A message or a part of one for the load port, or a reset, and what the hardware must show after it."""

    bytes: str  # in hex
    status: int
    model: int  # the index of the model that is then in use
    announced: bool = True  # whether the first byte is marked as the start of a message
    reset: int = 0  # cycles
    quiet: int = 40  # cycles after the event


def others(model: Model, x: np.ndarray, tries: int = 30) -> tuple[Model, Model]:
    """Two more models of the same shape: of some random ones those that differ most on the vectors.

    Models with equal answers would show nothing. Some weights are flipped at random, since weights that are all random
    often make constant nets.

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
        return replace(model, soft_weights=tuple(soft), provenance={})

    def difference(a: Model, b: Model) -> float:
        return float((a.scores(x) != b.scores(x)).any(axis=1).mean())

    found = [flipped() for _ in range(tries)]
    second = max(found, key=lambda other: difference(model, other))
    return second, max(found, key=lambda other: min(difference(model, other), difference(second, other)))


def simulate_loads(
    verilog: str,
    emitted: Emitted,
    models: Sequence[Model],
    x: np.ndarray,
    simulator: str = "verilator",
    seconds: float = simulators.SECONDS,
) -> LoadResult:
    """Simulates loadable Verilog that holds the first of three models, and loads the others between the vectors.

    >>> simulate_loads("module net; endmodule", None, [], None, "modelsim")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: simulator must be one of icarus, verilator, not 'modelsim'
    """
    simulators.check(simulator)
    messages = [message.encode(model) for model in models]
    events = _events(messages)
    expected = [Vectors.of(model, emitted.manifest, x) for model in models]
    plan = {
        "inputs": expected[0].inputs,
        "models": [
            {"digest": message.digest(sent), "outputs": own.outputs}
            for sent, own in zip(messages, expected, strict=True)
        ],
        "events": [asdict(event) for event in events],
    }
    ports = [port.name for port in (*emitted.manifest.all_inputs, *emitted.manifest.all_outputs)]
    build_seconds, seen = run_bench("dbhw.sim.bench_loads", verilog, plan, emitted.module, ports, simulator, seconds)
    wrong = _wrong_events(events, seen, [int(message.digest(sent), 16) for sent in messages])
    return LoadResult(
        simulator,
        seen["vectors"],
        len(events),
        seen["mismatches"] + len(wrong),
        build_seconds,
        round(seen["vectors"] / max(seen["seconds"], 1e-9), 1),
        seen["first"] or (wrong[0] if wrong else None),
    )


def _wrong_events(events: list[_Event], seen: dict[str, Any], digests: list[int]) -> list[dict[str, object]]:
    """The events that ended with another status than expected, and the models held if they are not as expected."""
    wrong: list[dict[str, object]] = [
        {"event": i, "expected": event.status, "found": found}
        for i, (event, found) in enumerate(zip(events, seen["statuses"], strict=True))
        if event.status != found
    ]
    held = [0]
    for event in events:
        held += [event.model] if event.model != held[-1] else []
    found = [digest for _, digest in seen["held"]]
    return wrong + [{"held": found}] * (found != [digests[model] for model in held])


def _events(messages: list[bytes]) -> list[_Event]:
    first, second, third = (sent.hex() for sent in messages)
    flipped = bytearray(messages[2])
    flipped[-message.CRC_BYTES - 1] ^= 1
    wrong_crc = messages[1][:-1] + bytes([messages[1][-1] ^ 0x80])
    wrong_shape = bytes([messages[2][0] ^ 1]) + messages[2][1:]
    return [
        _Event("", NONE, 0),
        _Event(second, LOADED, 1),
        _Event(flipped.hex(), WRONG_DIGEST, 1),
        _Event(messages[2][: len(messages[2]) // 2].hex(), NONE, 1),
        _Event(third, LOADED, 2),
        _Event(first, LOADED, 2, announced=False),
        _Event(wrong_shape.hex(), OTHER_SHAPE, 2),
        _Event(first, LOADED, 0),
        _Event(wrong_crc.hex(), WRONG_DIGEST, 0),
        _Event(third[:-2], NONE, 0),
        _Event(second, LOADED, 1),
        _Event(third[:-2], NONE, 1),
        _Event("", NONE, 0, reset=2),
        _Event(third[-2:], NONE, 0, announced=False),
        _Event(third, LOADED, 2),
    ]
