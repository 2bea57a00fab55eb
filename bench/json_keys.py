"""The keys that each command prints with --json: the commands run on a tiny model, and what they print is read.

Simulating, proving, synthesising and placing take long, and talking to a board needs one. There a stand-in returns an
empty result of the type that the real function declares, so its keys are still those of the code.
"""

from __future__ import annotations

import contextlib
import io
import json
import pkgutil
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints
from unittest.mock import patch

import numpy as np

from dbhw import Model, Net
from dbhw.cli import main
from dbhw.nn.layers.negation import Negation

# What is run for each command: the shortest call, then the options that bring other keys. MODEL is a model file.
CALLS = {
    "boards": [""],
    "build": ["MODEL --board icestick -o out"],
    "data": ["beans.csv"],
    "demo": ["-o demo"],
    "doctor": [""],
    "emit": ["MODEL -o out", "--weights loadable"],
    "eval": ["MODEL --data toy-1"],
    "explain": ["MODEL", "--symbolic"],
    "export": ["MODEL", "-o net.txt", "--format c --folder net"],
    "import": ["net.blif -o net.dbnet"],
    "layers": [""],
    "list": ["layers"],
    "load": ["MODEL --port PORT"],
    "pareto": ["beans.csv --luts 30"],
    "prove": ["MODEL --target ice40"],
    "report": ["MODEL --data toy-1 --targets ice40"],
    "run": ["MODEL --data toy-1 --port PORT"],
    "sim": ["MODEL", "--pipeline stages=1", "--weights loadable"],
    "synth": ["MODEL --target ice40", "--passes", "--place"],
    "train": ["toy-1 --epochs 1 -o new.dbnet", "beans.csv", "beans.csv --max-luts 30"],
    "verify": ["MODEL --robust 1 --data toy-1", "--implies"],
    "weights": ["MODEL -o weights.bin"],
    "wrap": ["MODEL --for wishbone -o wrapped"],
    "zoo": [""],
}
# A call whose options replace those of the first one.
_INSTEAD = {
    ("train", "beans.csv"): "beans.csv --budget small -o new.dbnet",
    ("train", "beans.csv --max-luts 30"): "beans.csv --max-luts 30 -o new.dbnet",
    ("verify", "--implies"): "MODEL --implies 'outside -> t-shirt'",
}
_SLOW = ["dbhw.sim.run.simulate", "dbhw.sim.run_loads.simulate_loads", "dbhw.prove.equivalence.prove"]
_SLOW += ["dbhw.fpga.synth.synthesise", "dbhw.fpga.place.place", "dbhw.boards.flow.build.build", "dbhw.tools.probe.run"]
Shape = dict[str, "Shape | None"]  # the keys of an object; what stands under a key, where that has keys itself


def of_commands() -> dict[str, dict[str, Shape]]:
    """By command: the keys of the first call, and under their options those of the others."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), _stand_ins():
        _model().save("coat.dbnet")
        Path("net.blif").write_text(".model net\n.inputs a b\n.outputs y\n.names a b y\n11 1\n.end\n")
        Path("beans.csv").write_text("weight,kind\n" + "1.5,red\n2,white\n" * 4)
        return {
            command: {options: _shape(_printed(command, calls[0], options)) for options in ["", *calls[1:]]}
            for command, calls in CALLS.items()
        }


def _printed(command: str, first: str, options: str) -> dict[str, Any]:
    line = _INSTEAD.get((command, options), f"{first} {options}").replace("MODEL", "coat.dbnet").replace("PORT", "none")
    words = [part for i, quoted in enumerate(line.split("'")) for part in ([quoted] if i % 2 else quoted.split())]
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as wrong:
        code = main([command, *words, "--json"])
    if code not in (0, 1):
        raise AssertionError(f"dbhw {command} {line} failed: {wrong.getvalue()}")
    return json.loads(out.getvalue())


def _shape(value: dict[str, Any]) -> Shape:
    return {key: _inner(inner) for key, inner in value.items()}


def _inner(value: object) -> Shape | None:
    if isinstance(value, dict):
        return _shape(value) or None
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return {key: inner for item in value for key, inner in _shape(item).items()}
    return None


def _model() -> Model:
    weights = (np.array([[-0.4], [0.3]], np.float32),)
    return Model(Net(1, [Negation(width=2)]), weights, ("outside",), ("t-shirt", "coat"))


@contextlib.contextmanager
def _stand_ins() -> Iterator[None]:
    from dbhw.boards import Device
    from dbhw.commands import demo

    steps = ("train", "evaluate", "explain", "emit", "prove", "synthesise", "train_sparse", "read_digits", "report")
    with contextlib.ExitStack() as stack:
        for slow in map(pkgutil.resolve_name, _SLOW):
            kind = get_type_hints(slow)["return"]
            for module, name in _places(slow):
                stack.enter_context(patch.object(module, name, lambda *_, kind=kind, **__: _empty(kind)))
        stack.enter_context(patch.object(Device, "open", lambda model, *_, **__: _Board(model)))
        for step in steps:
            stack.enter_context(patch.object(demo._Demo, step, _step(step)))
        yield


def _step(name: str) -> Callable[[object], str]:
    def step(_: object) -> str:
        return ""

    step.__name__ = name
    return step


def _places(function: object) -> list[tuple[types.ModuleType, str]]:
    """Where a function is known by name: in its own module, and in those that have imported it."""
    ours = [module for name, module in sys.modules.items() if name.startswith("dbhw")]
    return [(module, name) for module in ours for name, value in vars(module).items() if value is function]


def _empty(kind: Any) -> Any:
    """An empty value of a type: of a dataclass with all its fields."""
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        return kind(**{f.name: _empty(hints[f.name]) for f in fields(kind) if f.init})
    if get_origin(kind) is list:
        return [_empty(get_args(kind)[0])]
    if get_origin(kind) in (Union, types.UnionType):
        return _empty(get_args(kind)[0])
    return (get_origin(kind) or kind)()


class _Board:
    """A board that answers as the model does."""

    retries = 0

    def __init__(self, model: Model) -> None:
        self.model = model

    def __enter__(self) -> _Board:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def predict(self, x: np.ndarray) -> np.ndarray:
        return self.model.predict(x)

    def answers(self, x: np.ndarray, _: object = None) -> tuple[np.ndarray, np.ndarray]:
        return self.model.predict(x), self.model.scores(x)
