"""Emits a net with loadable weights: negations and masks are gates, and the weights are registers behind a load port.

There are three modules: `net_core` is the combinational net, with its weights as an input `w`; `net_load` has the
registers and the load port; `net` connects the two. The core is proved for all weights, so for every model that can be
loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.logic import passes
from dbhw.logic.network import Network
from dbhw.model import message
from dbhw.model.model import Model
from dbhw.rtl.core.elaborate import port_width
from dbhw.rtl.verilog.emit import MODULE, Emitted, described, emit, printable
from dbhw.rtl.verilog.manifest import LayerWeights, LoadPort, Manifest, Port
from dbhw.rtl.verilog.writer import write

LOAD_INPUTS = (Port("load_valid", 1), Port("load_first", 1), Port("load_data", 8))
LOAD_OUTPUTS = (Port("load_ready", 1), Port("load_status", 2), Port("digest", 32))
FLAT = "net_for_all_weights"


def emit_as(kind: str, model: Model, lut_inputs: int = 6, pipeline: str = "comb", stream: bool = False) -> Emitted:
    """The hardware of a model with `baked` or `loadable` weights. With loadable weights it must be combinational.

    >>> emit_as("fused", None)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: weights must be one of baked, loadable, not 'fused'
    """
    message.check_kind(kind)
    if kind == "baked":
        return emit(model, lut_inputs=lut_inputs, pipeline=pipeline, stream=stream)
    if pipeline != "comb" or stream:
        raise DbhwError("a net with loadable weights must have the pipeline comb and no stream")
    return emit_loadable(model, lut_inputs=lut_inputs)


def emit_loadable(model: Model, lut_inputs: int = 6) -> Emitted:
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
    parts = [
        _joined(network, model, at_reset),
        _core(network, model, lut_inputs),
        Path(__file__).with_name("loader.v").read_text(),
    ]
    verilog = "\n".join(parts)
    manifest = Manifest(
        module=MODULE,
        inputs=(Port("x", model.net.inputs, features=model.features),),
        outputs=tuple(described(o, model.classes) for o in network.outputs),
        clock="clk",
        stream=None,
        model_sha256=model.digest(),
        verilog_sha256=files.sha256(verilog),
        weights=_load_port(model, at_reset),
    )
    return Emitted(network, verilog, manifest, lowered)


def for_all_weights(emitted: Emitted, verilog: str) -> str:
    """Verilog text with one more module, `FLAT`: the core with its inputs and its weights in one port.

    The network that the proof starts from has the same inputs in the same order.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> import numpy as np
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> made = emit_loadable(model)
    >>> print(for_all_weights(made, made.verilog)[len(made.verilog):].strip())
    module net_for_all_weights (input wire [2:0] x, output wire label, output wire [1:0] bits);
      net_core core (.x(x[0:0]), .w(x[2:1]), .label(label), .bits(bits));
    endmodule
    """
    manifest = emitted.manifest
    assert manifest.weights is not None
    inputs, last = manifest.input_bits, manifest.input_bits + manifest.weights.bits - 1
    ports = ", ".join([f"input wire [{last}:0] x", *(f"output {p.wire}" for p in manifest.outputs)])
    wired = "".join(f", .{p.name}({p.name})" for p in manifest.outputs)
    core = f"  {emitted.module}_core core (.x(x[{inputs - 1}:0]), .w(x[{last}:{inputs}]){wired});"
    return f"{verilog}\nmodule {FLAT} ({ports});\n{core}\nendmodule\n"


def _core(network: Network, model: Model, lut_inputs: int) -> str:
    header = ["The net, of its inputs x and its weights w:"]
    for entry in message.layout(model.net):
        header.append(f"w[{entry['first']}] on: {'x'.join(map(str, entry['shape']))} of {entry['layer']}")
    return write(network, f"{MODULE}_core", header, lut_inputs, weights=model.net.weight_count)


def _joined(network: Network, model: Model, at_reset: bytes) -> str:
    """The module that connects the net and its load port."""
    inputs = [Port("clk", 1), Port("rst", 1), Port("x", model.net.inputs), *LOAD_INPUTS]
    outputs = [Port(o.name, port_width(o)) for o in network.outputs]
    ports = [f"  input {p.wire}" for p in inputs] + [f"  output {p.wire}" for p in [*outputs, *LOAD_OUTPUTS]]
    count = model.net.weight_count
    parameters = {
        "WEIGHTS": str(count),
        "BYTES": str(len(at_reset)),
        "SHAPE": f"32'h{at_reset[: message.TAG_BYTES][::-1].hex()}",
        "AT_RESET": f"{count}'h{sum(1 << i for i, bit in enumerate(message.bits(model)) if bit):x}",
        "DIGEST_AT_RESET": f"32'h{message.digest(at_reset)}",
    }
    lines = [
        f"// Made by dbhw for all models of one shape; after a reset it holds model {model.digest()[:16]}.",
        f"// label: {', '.join(f'{i} = {printable(name)}' for i, name in enumerate(model.classes))}",
        f"// inputs: {', '.join(f'x[{i}] = {printable(name)}' for i, name in enumerate(model.features))}",
        f"module {MODULE} (",
        ",\n".join(ports),
        ");",
        f"  wire [{count - 1}:0] w;",
        f"  {MODULE}_load #(",
        ",\n".join(f"    .{name}({value})" for name, value in parameters.items()),
        "  ) load (",
        _wired(["clk", "rst", *(p.name for p in [*LOAD_INPUTS, *LOAD_OUTPUTS]), "w"]),
        "  );",
        f"  {MODULE}_core core (",
        _wired(["x", "w", *(o.name for o in network.outputs)]),
        "  );",
        "endmodule",
        "",
    ]
    return "\n".join(lines)


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


def _wired(names: Iterable[str]) -> str:
    return ",\n".join(f"    .{name}({name})" for name in names)
