"""Test vectors: inputs, and the answers that the hard net gives to them.

`vectors.json` beside the Verilog is `Vectors` as JSON: a key for each field.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbhw.base import records, terminal
from dbhw.rtl.verilog.manifest import Manifest, Stream

# Benches read vectors inside a simulator, where they import as little as possible.
if TYPE_CHECKING:
    import numpy as np

    from dbhw.model.model import Model


@dataclass(frozen=True, kw_only=True)
class Vectors:
    """Inputs and expected outputs as hexadecimal numbers, by port, and the digests of what they belong to.

    >>> import numpy as np
    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> from dbhw.rtl.verilog.emit import emit
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> Vectors.of(model, emit(model).manifest, np.array([[False], [True]])).outputs
    {'label': ('0', '1'), 'bits': ('1', '2')}
    """

    model_sha256: str = ""
    verilog_sha256: str
    latency: int = 0  # cycles
    clock: str | None
    stream: Stream | None
    inputs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    outputs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    widths: dict[str, int] = field(default_factory=dict)  # of the ports, in bits
    seed: int | None = None  # of the random stalls of a stream
    stalls: bool | None = None  # whether a stream is stalled at all: by default it is
    resets: int | None = None  # how often a stream is reset while vectors are under way

    @classmethod
    @terminal.working("computing the test vectors")
    def of(cls, model: Model, manifest: Manifest, x: np.ndarray) -> Vectors:
        """The vectors of a model for the inputs (examples, features): bits, or the user's own numbers."""
        x = model.input_bits(x)
        ends = accumulate(port.width for port in manifest.inputs)
        inputs = {p.name: _numbers(x[:, end - p.width : end], 1) for p, end in zip(manifest.inputs, ends, strict=True)}
        expected = model.answers(x)
        outputs, label = expected.outputs, expected.labels[:, None]
        columns, first = {}, 0
        for port in manifest.outputs:
            fields = label if port.name == "label" else outputs[:, first : first + (port.fields or 1)]
            first += 0 if port.name == "label" else fields.shape[1]
            columns[port.name] = _numbers(fields, port.field_width or port.width)
        return cls(
            model_sha256=manifest.model_sha256,
            verilog_sha256=manifest.verilog_sha256,
            latency=manifest.latency,
            clock=manifest.clock,
            stream=manifest.stream,
            inputs=inputs,
            outputs=columns,
            widths={port.name: port.width for port in (*manifest.inputs, *manifest.outputs)},
        )

    @property
    def ports(self) -> list[str]:
        """The names of all ports that a bench drives or reads."""
        stream = [port.name for port in (*self.stream.inputs, *self.stream.outputs)] if self.stream else []
        return [*self.inputs, *self.outputs, *([self.clock] if self.clock else []), *stream]

    def to_json(self) -> dict[str, Any]:
        return records.to_json(self)

    def text(self) -> str:
        """The content of `vectors.json`: a line for each field."""
        fields = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in self.to_json().items())
        return "{\n " + ",\n ".join(fields) + "\n}\n"

    @classmethod
    def read(cls, path: str | Path) -> Vectors:
        """The vectors in a file, also one that an older version wrote."""
        return records.read(cls, path, "test vectors")


def _numbers(rows: np.ndarray, width: int) -> tuple[str, ...]:
    """Rows of fields of equal width as hexadecimal numbers, the first field lowest."""
    import numpy as np

    if rows.shape[1] * width < 64:
        places = np.int64(1) << width * np.arange(rows.shape[1])
        return tuple(f"{number:x}" for number in (rows.astype(np.int64) @ places).tolist())
    bits = (rows.astype(np.int64)[:, :, None] >> np.arange(width)) & 1
    packed = np.packbits(bits.reshape(len(rows), -1).astype(bool), axis=1, bitorder="little")
    return tuple(f"{int.from_bytes(row.tobytes(), 'little'):x}" for row in packed)
