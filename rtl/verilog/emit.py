"""Emitting: from a model to Verilog, RTLIL, a manifest and test vectors."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.logic import passes
from dbhw.logic.network import Network, Output
from dbhw.model.model import Model
from dbhw.rtl.core.elaborate import layer_titles, port_width
from dbhw.rtl.core.luts import map_to_luts
from dbhw.rtl.core.schedule import Pipeline
from dbhw.rtl.verilog.pipeline import STREAM, pipelined_verilog, streamed_verilog
from dbhw.rtl.verilog.text import printable, write
from dbhw.tools import yosys

MODULE = "net"
RTLIL_UP_TO = 20_000  # nodes; Yosys takes gigabytes to read larger nets back


@dataclass(frozen=True)
class Emitted:
    """What emitting made: the texts, and the network they were made from."""

    network: Network
    verilog: str
    manifest: dict[str, Any]

    @property
    def module(self) -> str:
        return self.manifest["module"]

    def save(self, folder: str | Path, vectors: dict[str, Any], more: Mapping[str, bytes] | None = None) -> None:
        """Writes net.v, net.il, manifest.json and vectors.json, and more files where they are given."""
        contents: dict[str, str | bytes] = {
            **(more or {}),
            "net.v": self.verilog,
            **({"net.il": yosys.rtlil_from_verilog(self.verilog)} if len(self.network) <= RTLIL_UP_TO else {}),
            "vectors.json": json.dumps(vectors, indent=1) + "\n",
            "manifest.json": json.dumps(self.manifest, indent=2) + "\n",
        }
        files.write_all(folder, contents)
        if "net.il" not in contents:
            (Path(folder) / "net.il").unlink(missing_ok=True)  # another net's


def emit(
    model: Model, module: str = MODULE, lut_inputs: int = 6, pipeline: str = "comb", stream: bool = False
) -> Emitted:
    """The hardware of a model, its weights baked in, shaped for look-up tables of 4 or 6 inputs.

    `pipeline` is `comb`, `stages=N` or `levels=N`; with `stream` it takes and gives under valid and ready.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> print(emit(model).verilog.partition("module")[2])  # doctest: +ELLIPSIS
     net (
      input wire x,
      output wire label,
      output wire [1:0] bits
    );
    <BLANKLINE>
      // outputs
      assign label = x;
      assign bits[0] = ~x;
      assign bits[1] = x;
    endmodule
    <BLANKLINE>
    """
    network = passes.simplify(model.to_network())
    return emit_network(network, module, model.digest(), model.classes, lut_inputs, pipeline, stream)


def to_verilog(model: Model) -> str:
    """The combinational core of a model as Verilog.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> "assign bits[0] = ~x;" in to_verilog(model)
    True
    """
    return emit(model).verilog


def emit_network(
    network: Network,
    module: str,
    model_sha256: str,
    classes: tuple[str, ...],
    lut_inputs: int = 6,
    pipeline: str = "comb",
    stream: bool = False,
) -> Emitted:
    """The hardware of a logic network.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.xor([a, b])])
    >>> "= x[0] ^ x[1];" in emit_network(n, "parity", "0" * 64, ()).verilog
    True
    """
    if not re.fullmatch(r"[A-Za-z_]\w*", module, re.ASCII):
        raise DbhwError(f"module must be a Verilog name, not {module!r}")
    choice = Pipeline.parse(pipeline)
    header = _header(network, model_sha256, classes)
    latency = 0
    if choice.kind != "comb":
        luts = map_to_luts(write(network, module, [], lut_inputs), module, lut_inputs)
        latency = choice.stages(max(luts.levels(), default=0))
        verilog = pipelined_verilog(luts, latency, module, stream, header, layer_titles(network))
    elif stream:
        verilog = streamed_verilog(network, module, header, lut_inputs)
    else:
        verilog = write(network, module, header, lut_inputs)
    manifest = {
        "module": module,
        "inputs": [{"name": "x", "width": len(network.input_names), "features": list(network.input_names)}],
        "outputs": [described(o, classes) for o in network.outputs],
        "pipeline": pipeline,
        "latency": latency,
        "clock": "clk" if latency or stream else None,
        "stream": STREAM if stream else None,
        "model_sha256": model_sha256,
        "verilog_sha256": files.sha256(verilog),
    }
    return Emitted(network, verilog, manifest)


def vectors(model: Model, emitted: Emitted, x: np.ndarray) -> dict[str, Any]:
    """Inputs and the hard net's answers, as hexadecimal numbers, under the digests of what they belong to.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> vectors(model, emit(model), np.array([[False], [True]]))["outputs"]
    {'label': ['0', '1'], 'bits': ['1', '2']}
    """
    outputs, predicted = model.outputs(x), model.predict(x)
    columns: dict[str, np.ndarray] = {"label": predicted[:, None], "bits": outputs, "scores": outputs}
    widths = {o.name: o.width for o in emitted.network.outputs}
    return {
        "model_sha256": emitted.manifest["model_sha256"],
        "verilog_sha256": emitted.manifest["verilog_sha256"],
        **{name: emitted.manifest[name] for name in ("latency", "clock", "stream")},
        "inputs": {"x": [_number(row, 1) for row in x.astype(np.int64).tolist()]},
        "outputs": {
            name: [_number(row, width) for row in columns[name].astype(np.int64).tolist()]
            for name, width in widths.items()
        },
    }


def _number(fields: list[int], width: int) -> str:
    """Fields of equal width as one hexadecimal number, the first field lowest."""
    if width == 1:
        return f"{int(''.join('1' if f else '0' for f in reversed(fields)), 2):x}"
    return f"{sum(f << i * width for i, f in enumerate(fields)):x}"


def described(output: Output, classes: tuple[str, ...]) -> dict[str, Any]:
    """What the manifest says of an output.

    >>> described(Output("label", "integers", (7,), width=2), ("a", "b", "c"))
    {'name': 'label', 'width': 2, 'classes': ['a', 'b', 'c']}
    """
    width = port_width(output)
    if output.name == "label":
        return {"name": "label", "width": width, "classes": list(classes)}
    return {
        "name": output.name,
        "width": width,
        "fields": len(output.members),
        "field_width": output.width,
    }


def _header(network: Network, model_sha256: str, classes: tuple[str, ...]) -> list[str]:
    named = [f"x[{i}] = {printable(name)}" for i, name in enumerate(network.input_names) if name != f"x{i}"]
    lines = [f"Made by dbhw from model {model_sha256[:16]}.", *[f"label: {_listed(classes)}"] * bool(classes)]
    return lines + [f"inputs: {', '.join(named)}"] * bool(named)


def _listed(classes: tuple[str, ...]) -> str:
    return ", ".join(f"{i} = {printable(name)}" for i, name in enumerate(classes))
