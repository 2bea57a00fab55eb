"""Emitted hardware with its data inputs in one port, as the network that a proof starts from has them."""

from __future__ import annotations

from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.manifest import Port


def flat(emitted: Emitted, verilog: str) -> tuple[str, str]:
    """The text with one more module where it is needed, and the name of the module to prove.

    That module has an input `x`: the data inputs side by side, in the order of the manifest, and behind them the
    weights if they are loadable. It connects the ports by their names, so a port that the Verilog takes for another,
    or whose bits it takes in another order, makes the proof fail. All other ports are connected as they are.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.net import Net
    >>> from dbhw.rtl.loadable import emit_loadable
    >>> import numpy as np
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> made = emit_loadable(model)
    >>> text, module = flat(made, made.verilog)
    >>> print(text[len(made.verilog):].strip())
    module net_flat (input wire [2:0] x, output wire label, output wire [1:0] bits);
      net_core flattened (.x(x[0:0]), .w(x[2:1]), .label(label), .bits(bits));
    endmodule
    """
    manifest = emitted.manifest
    if manifest.weights is None and [port.name for port in manifest.inputs] == ["x"]:
        return verilog, emitted.module
    packed, others, outputs = manifest.inputs, manifest.all_inputs[len(manifest.inputs) :], manifest.all_outputs
    core, module = emitted.module, f"{emitted.module}_flat"
    if manifest.weights:  # A load port changes the weights in time, so the core behind it is proved, for all weights.
        packed, others, outputs = (*packed, Port("w", manifest.weights.bits)), (), manifest.outputs
        core = f"{core}_core"
    wired, first = [], 0
    for port in packed:
        wired.append(f".{port.name}(x[{first + port.width - 1}:{first}])")
        first += port.width
    wired += [f".{port.name}({port.name})" for port in (*others, *outputs)]
    ports = [f"input {port.wire}" for port in (Port("x", first), *others)] + [f"output {p.wire}" for p in outputs]
    lines = [f"module {module} ({', '.join(ports)});", f"  {core} flattened ({', '.join(wired)});", "endmodule"]
    return "\n".join([verilog, *lines, ""]), module
