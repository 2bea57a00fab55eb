"""Emitting a net whose weights are loaded: real XNORs and masks, the weights in registers behind a load port.

Three modules: `net_core`, the combinational net with its weights as an input `w`; `net_load`, the registers and what
fills them; and `net`, which joins the two. The core is proved for all weights there are, so for every model that is
ever loaded.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.logic import passes
from dbhw.logic.network import Network
from dbhw.model import message
from dbhw.model.lower import lower
from dbhw.model.model import Model
from dbhw.rtl.core.elaborate import port_width
from dbhw.rtl.verilog.emit import MODULE, Emitted, described, emit, printable
from dbhw.rtl.verilog.text import write

LOAD_INPUTS = {"load_valid": 1, "load_first": 1, "load_data": 8}
LOAD_OUTPUTS = {"load_ready": 1, "load_status": 2, "digest": 32}
FLAT = "net_for_all_weights"


def emit_as(kind: str, model: Model, lut_inputs: int = 6, pipeline: str = "comb", stream: bool = False) -> Emitted:
    """The hardware of a model with its weights baked in or loadable; with loadable ones it is combinational.

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
    """The hardware of a model's shape; after a reset it holds the model itself.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> import numpy as np
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> made = emit_loadable(model)
    >>> [line for line in made.verilog.splitlines() if "^ w" in line]
    ['  assign negation_1[0] = x ^ w[0];', '  assign negation_1[1] = x ^ w[1];']
    >>> made.manifest["weights"]["bits"]
    2
    """
    message.check_loadable(model.net)
    network = passes.simplify(symbolic(model))
    at_reset = message.encode(model)
    parts = [
        _joined(network, model, at_reset),
        _core(network, model, lut_inputs),
        Path(__file__).with_name("loader.v").read_text(),
    ]
    verilog = "\n".join(parts)
    manifest = {
        "module": MODULE,
        "inputs": [{"name": "x", "width": model.net.inputs, "features": list(model.features)}],
        "outputs": [described(o, model.classes) for o in network.outputs],
        "pipeline": "comb",
        "latency": 0,
        "clock": "clk",
        "stream": None,
        "model_sha256": model.digest(),
        "verilog_sha256": files.sha256(verilog),
        "weights": _manifest(model, at_reset),
    }
    return Emitted(network, verilog, manifest)


def symbolic(model: Model) -> Network:
    """The network of a model's shape: its inputs are the model's, and then its weights.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> symbolic(Model(Net(1, [Negation(width=2)]), (None,), ("out",), ("a", "b"))).input_names
    ['out', 'w1', 'w2']
    """
    return lower(model.net, None, model.features)


def for_all_weights(emitted: Emitted, verilog: str) -> str:
    """Verilog text with one more module, `FLAT`: the core, its inputs and its weights side by side in one port.

    That is the port which the proof's side of a network has.

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
    inputs, bits = emitted.manifest["inputs"][0]["width"], emitted.manifest["weights"]["bits"]
    outputs = emitted.manifest["outputs"]
    ports = ", ".join([f"input wire [{inputs + bits - 1}:0] x", *(f"output {_wire(p)}" for p in outputs)])
    wired = "".join(f", .{p['name']}({p['name']})" for p in outputs)
    core = f"  {emitted.module}_core core (.x(x[{inputs - 1}:0]), .w(x[{inputs + bits - 1}:{inputs}]){wired});"
    return f"{verilog}\nmodule {FLAT} ({ports});\n{core}\nendmodule\n"


def _core(network: Network, model: Model, lut_inputs: int) -> str:
    header = ["The net, of its inputs x and its weights w:"]
    for entry in message.layout(model.net):
        header.append(f"w[{entry['first']}] on: {'x'.join(map(str, entry['shape']))} of {entry['layer']}")
    return write(network, f"{MODULE}_core", header, lut_inputs, weights=model.net.weight_count)


def _joined(network: Network, model: Model, at_reset: bytes) -> str:
    """The module that joins the net and its weights."""
    function = _ports({o.name: port_width(o) for o in network.outputs})
    inputs = _ports({"clk": 1, "rst": 1, "x": model.net.inputs, **LOAD_INPUTS})
    ports = [f"  input {_wire(p)}" for p in inputs]
    ports += [f"  output {_wire(p)}" for p in [*function, *_ports(LOAD_OUTPUTS)]]
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
        _wired(["clk", "rst", *LOAD_INPUTS, *LOAD_OUTPUTS, "w"]),
        "  );",
        f"  {MODULE}_core core (",
        _wired(["x", "w", *(o.name for o in network.outputs)]),
        "  );",
        "endmodule",
        "",
    ]
    return "\n".join(lines)


def _manifest(model: Model, at_reset: bytes) -> dict[str, Any]:
    return {
        "bits": model.net.weight_count,
        "bytes": len(at_reset),
        "shape": message.shape_tag(model.net).hex(),
        "digest_at_reset": message.digest(at_reset),
        "layers": message.layout(model.net),
        "reset": "rst",
        "inputs": _ports(LOAD_INPUTS),
        "outputs": _ports(LOAD_OUTPUTS),
    }


def _ports(widths: dict[str, int]) -> list[dict[str, Any]]:
    return [{"name": name, "width": width} for name, width in widths.items()]


def _wire(port: dict[str, Any]) -> str:
    return f"wire {'[' + str(port['width'] - 1) + ':0] ' if port['width'] > 1 else ''}{port['name']}"


def _wired(names: list[str]) -> str:
    return ",\n".join(f"    .{name}({name})" for name in names)
