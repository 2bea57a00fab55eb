"""The manifest of emitted hardware: its ports, its timing, its load port, and what it was made from.

`manifest.json` beside the Verilog is `Manifest` as JSON: a key for each field.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbhw.base import records


@dataclass(frozen=True, kw_only=True)
class Integer:
    """The column of the user's table that an input port takes: a value is offset + scale * integer, or a category."""

    column: str
    kind: str
    signed: bool = False  # in two's complement
    scale: float = 1.0
    offset: float = 0.0
    categories: tuple[str, ...] = ()
    fill: int | None = None  # the integer that stands for a missing value
    source: str | None = None  # the table's column, if its name is another


@dataclass(frozen=True)
class Port:
    """A port. An input is an integer or has names for its bits, `label` has class names, other outputs have fields."""

    name: str
    width: int
    features: tuple[str, ...] | None = None
    integer: Integer | None = None
    classes: tuple[str, ...] | None = None
    fields: int | None = None
    field_width: int | None = None

    @property
    def wire(self) -> str:
        """The port as a Verilog wire.

        >>> Port("x", 4).wire, Port("clk", 1).wire
        ('wire [3:0] x', 'wire clk')
        """
        return f"wire [{self.width - 1}:0] {self.name}" if self.width > 1 else f"wire {self.name}"


@dataclass(frozen=True)
class Handshake:
    """The names of the two handshake wires on one side of a stream."""

    valid: str
    ready: str


@dataclass(frozen=True)
class Stream:
    """The wires of a stream beside its data."""

    reset: str
    input: Handshake
    output: Handshake

    @property
    def inputs(self) -> tuple[Port, ...]:
        return tuple(Port(name, 1) for name in (self.reset, self.input.valid, self.output.ready))

    @property
    def outputs(self) -> tuple[Port, ...]:
        return tuple(Port(name, 1) for name in (self.input.ready, self.output.valid))


STREAM = Stream("rst", Handshake("x_valid", "x_ready"), Handshake("y_valid", "y_ready"))


@dataclass(frozen=True)
class LayerWeights:
    """Where the weights of one layer are: the index of the first, and their shape."""

    layer: str
    first: int
    shape: tuple[int, ...]


@dataclass(frozen=True)
class LoadPort:
    """The port through which weights are loaded, and the messages it takes."""

    bits: int
    bytes: int  # of a whole message
    shape: str  # the shape tag of messages that it accepts
    digest_at_reset: str
    layers: tuple[LayerWeights, ...]
    reset: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]


@dataclass(frozen=True, kw_only=True)
class Proved:
    """What `dbhw prove --certificate` proved of the Verilog: when, with which tools, and the digests of its files."""

    date: str
    target: str
    scope: tuple[str, ...]  # what ABC has proved
    believed: tuple[str, ...]  # what this toolkit's own code has shown
    versions: dict[str, str]
    files: dict[str, str]  # SHA-256 by name


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What `dbhw emit` says of its Verilog. `weights` is None if the weights are constants.

    >>> label = Port("label", 1, classes=("a", "b"))
    >>> made = Manifest(module="net", inputs=(Port("x", 4),), outputs=(label,), clock="clk", stream=STREAM)
    >>> made.to_json()["outputs"]
    [{'name': 'label', 'width': 1, 'classes': ['a', 'b']}]
    >>> [port.name for port in made.all_inputs]
    ['x', 'clk', 'rst', 'x_valid', 'y_ready']
    """

    module: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    pipeline: str = "comb"
    latency: int = 0  # cycles
    interval: int = 1  # cycles from one input to the next
    fold: int = 1  # cycles that compute one input, each a part of the net
    clock: str | None
    stream: Stream | None
    model_sha256: str = ""
    verilog_sha256: str = ""
    weights: LoadPort | None = None
    proved: Proved | None = None

    @property
    def input_bits(self) -> int:
        """The width of all data inputs together."""
        return sum(port.width for port in self.inputs)

    @property
    def answer_bits(self) -> int:
        """The width of all outputs together."""
        return sum(port.width for port in self.outputs)

    @property
    def all_inputs(self) -> tuple[Port, ...]:
        """Every input port: the data, then clock, handshake and load port where the core has them."""
        clock = (Port(self.clock, 1),) if self.clock else ()
        stream = self.stream.inputs if self.stream else ()
        load = (Port(self.weights.reset, 1), *self.weights.inputs) if self.weights else ()
        return self.inputs + clock + stream + load

    @property
    def all_outputs(self) -> tuple[Port, ...]:
        stream = self.stream.outputs if self.stream else ()
        return self.outputs + stream + (self.weights.outputs if self.weights else ())

    def to_json(self) -> dict[str, Any]:
        return records.to_json(self)

    def text(self) -> str:
        """The content of `manifest.json`."""
        return json.dumps(self.to_json(), indent=2) + "\n"

    @classmethod
    def read(cls, path: str | Path) -> Manifest:
        """The manifest in a file, also one that an older version wrote."""
        return records.read(cls, path, "a manifest")
