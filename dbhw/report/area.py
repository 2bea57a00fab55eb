"""Tables of area: what each layer of a net costs, and what each pass saves."""

from __future__ import annotations

from dataclasses import asdict

from dbhw.base import terminal
from dbhw.fpga import families
from dbhw.fpga.synth import Area, synthesise
from dbhw.logic import passes
from dbhw.logic.cut import cut
from dbhw.logic.network import Network
from dbhw.model.model import Model
from dbhw.rtl.verilog.emit import MODULE, emit, emit_network

Row = dict[str, str | int]


def of_model(model: Model, target: str) -> Area:
    """The area of a model's combinational core.

    >>> import numpy as np
    >>> from dbhw.nn.layers.conjunction import Conjunction
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(2, [Conjunction(width=1)]), (np.full((1, 2), 0.5, np.float32),), ("a", "b"), ("no", "yes"))
    >>> of_model(model, "ice40").luts
    1
    """
    emitted = emit(model, lut_inputs=families.find(target).lut_inputs)
    return synthesise(emitted.verilog, target, emitted.module)


def of_each_layer(network: Network, target: str) -> list[Row]:
    """A row for each layer, synthesised alone. The first is the encoder of integers, and the last the argmax.

    A net of bits has no encoder, and its row says so.

    >>> n = Network(); a, b = n.input("a"), n.input("b")
    >>> n.begin_layer("parity 2 -> 1"); n.output("y", [n.xor([a, b])])
    >>> [(row["layer"], row["luts"]) for row in of_each_layer(n, "ice40")]
    [('encoder', 0), ('parity 2 -> 1', 1)]
    """
    nothing = {"luts": 0, "ffs": 0, "carries": 0, "depth": 0}
    areas = {}
    parts = cut(network)
    with terminal.progress(len(parts), "layers alone") as bar:
        for layer, part in parts.items():
            bar.set_postfix_str(network.layer_names[layer])
            areas[layer] = _area(part, target)
            bar.update(1)
    titles = list(enumerate(network.layer_names))[1:]
    encodes = bool(titles) and titles[0][1].split(" ")[0] == "encode"
    rest = titles[1:] if encodes else titles
    return [{"layer": title, **areas.get(i, nothing)} for i, title in [(int(encodes), "encoder"), *rest]]


def after_each_pass(network: Network, target: str) -> list[Row]:
    """A row for the network as lowered, and one after each pass.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.xor([a, b])])
    >>> [row["pass"] for row in after_each_pass(n, "ice40")]
    ['lowered', 'flatten', 'absorb', 'collapse', 'dead', 'share']
    """
    rows: list[Row] = []
    for name in ["lowered", *passes.DEFAULT]:
        network = network if name == "lowered" else passes.find(name)(network)
        rows.append({"pass": name, "nodes": len(network), **_area(network, target)})
    return rows


def _area(network: Network, target: str) -> dict[str, int]:
    verilog = emit_network(network, MODULE, "0" * 64, (), families.find(target).lut_inputs).verilog
    area = asdict(synthesise(verilog, target))
    return {name: area[name] for name in ("luts", "ffs", "carries", "depth")}
