"""Emits a net with loadable weights: negations and masks are gates, and the weights are registers behind a load port.

There are three modules: `net_core` is the combinational net, with its weights as an input `w`; `net_load` has the
registers and the load port; `net` connects the two. The core is proved for all weights, so for every model that can be
loaded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.logic import passes
from dbhw.logic.network import Network
from dbhw.model import message
from dbhw.model.model import Model
from dbhw.rtl.core.elaborate import layer_titles
from dbhw.rtl.core.wires import InputPort
from dbhw.rtl.fold.emit import emit_folded
from dbhw.rtl.verilog.emit import MODULE, Emitted, described_output, emit
from dbhw.rtl.verilog.manifest import LayerWeights, LoadPort, Manifest, Port
from dbhw.rtl.verilog.ports import as_input, class_constants, described, input_comments, listed
from dbhw.rtl.verilog.writer import Interface, VerilogModule, write

LOAD_INPUTS = (Port("load_valid", 1), Port("load_first", 1), Port("load_data", 8))
LOAD_OUTPUTS = (Port("load_ready", 1), Port("load_status", 2), Port("digest", 32))


def emit_as(
    kind: str,
    model: Model,
    lut_inputs: int = 6,
    pipeline: str = "comb",
    stream: bool = False,
    ports: str = "name",
    fold: int = 1,
) -> Emitted:
    """The hardware of a model with `baked` or `loadable` weights. With loadable weights it must be combinational.

    With a `fold` of more than 1 it takes that many cycles, on a part of the hardware, and is always a stream.

    >>> emit_as("fused", None)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: weights must be one of baked, loadable, not 'fused'
    """
    message.check_kind(kind)
    if fold != 1:
        if kind != "baked" or pipeline != "comb":
            raise DbhwError("a folded net must have the weights baked and the pipeline comb")
        return emit_folded(model, fold, lut_inputs, ports)
    if kind == "baked":
        return emit(model, lut_inputs=lut_inputs, pipeline=pipeline, stream=stream, ports=ports)
    if pipeline != "comb" or stream:
        raise DbhwError("a net with loadable weights must have the pipeline comb and no stream")
    return emit_loadable(model, lut_inputs, ports)


def emit_loadable(model: Model, lut_inputs: int = 6, ports: str = "name") -> Emitted:
    """The hardware for all models of one shape. After a reset it holds the weights of the given model.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> import numpy as np
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> made = emit_loadable(model)
    >>> [line for line in made.verilog.splitlines() if "^ w" in line]
    ['  assign negation_1[0] = x ^ w[0];', '  assign negation_1[1] = x ^ w[1];']
    >>> made.manifest.weights.bits
    2
    """
    message.check_loadable(model.net)
    lowered = message.symbolic(model.net)
    network = passes.simplify(lowered)
    at_reset = message.encode(model)
    inputs = described(model.features, model.columns, ports, layer_titles(network))
    outputs = tuple(described_output(o, model.labels) for o in network.outputs)
    parts = [
        _joined(inputs, outputs, model, at_reset),
        _core(network, inputs, model, lut_inputs),
        Path(__file__).with_name("loader.v").read_text(),
    ]
    verilog = "\n".join(parts)
    manifest = Manifest(
        module=MODULE,
        inputs=inputs,
        outputs=outputs,
        clock="clk",
        stream=None,
        model_sha256=model.digest(),
        verilog_sha256=files.sha256(verilog),
        weights=_load_port(model, at_reset),
    )
    return Emitted(network, verilog, manifest, lowered)


def _core(network: Network, inputs: Sequence[Port], model: Model, lut_inputs: int) -> str:
    header = ["The net, of its inputs and its weights w:"]
    for entry in message.layout(model.net):
        header.append(f"w[{entry['first']}] on: {'x'.join(map(str, entry['shape']))} of {entry['layer']}")
    ports = (*map(as_input, inputs), InputPort("w", model.net.weight_count))
    return write(network, f"{MODULE}_core", Interface(tuple(header), ports), lut_inputs)


def _joined(inputs: Sequence[Port], outputs: Sequence[Port], model: Model, at_reset: bytes) -> str:
    """The module that connects the net and its load port."""
    module = VerilogModule(MODULE)
    for name in ("clk", "rst"):
        module.port("input", name)
    for port in map(as_input, inputs):
        module.port("input", port.name, port.width, port.signed, port.meaning)
    for direction, ports in (("input", LOAD_INPUTS), ("output", (*outputs, *LOAD_OUTPUTS))):
        for p in ports:
            module.port(direction, p.name, p.width)
    for line in _instances([p.name for p in (*inputs, *outputs)], model, at_reset):
        module.line(line)
    header = [
        f"Made by dbhw for all models of one shape; after a reset it holds model {model.digest()[:16]}.",
        *[f"label: {listed(model.labels)}"] * bool(model.labels),
        *input_comments(inputs, model.columns),
    ]
    return module.text(header, class_constants(model.labels))


def _instances(data: Sequence[str], model: Model, at_reset: bytes) -> list[str]:
    """The lines of the net and of its load port; `data` is the names of the net's inputs and outputs."""
    count = model.net.weight_count
    parameters = {
        "WEIGHTS": str(count),
        "BYTES": str(len(at_reset)),
        "SHAPE": f"32'h{at_reset[: message.TAG_BYTES][::-1].hex()}",
        "AT_RESET": f"{count}'h{sum(1 << i for i, bit in enumerate(message.bits(model)) if bit):x}",
        "DIGEST_AT_RESET": f"32'h{message.digest(at_reset)}",
    }
    return [
        f"wire [{count - 1}:0] w;",
        f"{MODULE}_load #(",
        *_connected(parameters),
        ") load (",
        *_connected({name: name for name in ("clk", "rst", *(p.name for p in (*LOAD_INPUTS, *LOAD_OUTPUTS)), "w")}),
        ");",
        f"{MODULE}_core core (",
        *_connected({name: name for name in (*data, "w")}),
        ");",
    ]


def _load_port(model: Model, at_reset: bytes) -> LoadPort:
    return LoadPort(
        bits=model.net.weight_count,
        bytes=len(at_reset),
        shape=message.shape_tag(model.net).hex(),
        digest_at_reset=message.digest(at_reset),
        layers=tuple(LayerWeights(e["layer"], e["first"], tuple(e["shape"])) for e in message.layout(model.net)),
        reset="rst",
        inputs=LOAD_INPUTS,
        outputs=LOAD_OUTPUTS,
    )


def _connected(values: Mapping[str, str]) -> list[str]:
    *lines, last = (f"  .{name}({value})" for name, value in values.items())
    return [*(f"{line}," for line in lines), last]
