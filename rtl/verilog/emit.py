"""Emitting: from a model to Verilog, RTLIL, a manifest and test vectors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.data.tables.column import Column
from dbhw.logic import passes
from dbhw.logic.network import Network, Output
from dbhw.model.model import Model
from dbhw.rtl.core.elaborate import layer_titles, port_width
from dbhw.rtl.core.luts import map_to_luts
from dbhw.rtl.core.schedule import Pipeline
from dbhw.rtl.verilog.manifest import STREAM, Manifest, Port
from dbhw.rtl.verilog.pipeline import pipelined_verilog, streamed_verilog
from dbhw.rtl.verilog.ports import as_input, class_constants, described, input_comments, listed
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.rtl.verilog.writer import Interface, write
from dbhw.tools import yosys

MODULE = "net"
RTLIL_UP_TO = 20_000  # nodes; Yosys takes gigabytes to read larger nets back


@dataclass(frozen=True)
class Emitted:
    """What emitting made: the texts, the network they were made from, and that network before the passes."""

    network: Network
    verilog: str
    manifest: Manifest
    lowered: Network  # A proof starts from it, so that the passes are part of what is proved.

    @property
    def module(self) -> str:
        return self.manifest.module

    @terminal.working("writing files")
    def save(self, folder: str | Path, vectors: Vectors, more: Mapping[str, bytes] | None = None) -> None:
        """Writes net.v, net.il, manifest.json and vectors.json, and more files if there are any."""
        contents: dict[str, str | bytes] = {
            **(more or {}),
            "net.v": self.verilog,
            **({"net.il": yosys.rtlil_from_verilog(self.verilog)} if len(self.network) <= RTLIL_UP_TO else {}),
            "vectors.json": vectors.text(),
            "manifest.json": self.manifest.text(),
        }
        files.write_all(folder, contents)
        if "net.il" not in contents:
            (Path(folder) / "net.il").unlink(missing_ok=True)  # another net's


def emit(
    model: Model,
    module: str = MODULE,
    lut_inputs: int = 6,
    pipeline: str = "comb",
    stream: bool = False,
    lowered: Network | None = None,
    ports: str = "name",
) -> Emitted:
    """The hardware of a model with constant weights, for look-up tables of 4 or 6 inputs.

    `pipeline` is `comb`, `stages=N` or `levels=N`. With `stream`, data moves under valid and ready. `lowered` is the
    model's network, if the caller has it already. A model of integers has a port for each column, under its name; with
    the ports `packed` it has one port `x` of all bits, as a model of bits always has.

    >>> import numpy as np
    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> print(emit(model).verilog.rpartition("// outputs")[2])
    <BLANKLINE>
      assign label = x;
      assign bits[0] = ~x;
      assign bits[1] = x;
    endmodule
    <BLANKLINE>
    """
    lowered = model.to_network() if lowered is None else lowered
    network = passes.simplify(lowered)
    options = (lut_inputs, pipeline, stream, model.columns, ports)
    made = emit_network(network, module, model.digest(), model.labels, *options)
    return replace(made, lowered=lowered)


def to_verilog(model: Model) -> str:
    """The combinational core of a model as Verilog.

    >>> import numpy as np
    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> "assign bits[0] = ~x;" in to_verilog(model)
    True
    """
    return emit(model).verilog


@terminal.working("writing Verilog")
def emit_network(
    network: Network,
    module: str,
    model_sha256: str,
    classes: tuple[str, ...],
    lut_inputs: int = 6,
    pipeline: str = "comb",
    stream: bool = False,
    columns: tuple[Column, ...] = (),
    ports: str = "name",
) -> Emitted:
    """The hardware of a logic network.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.xor([a, b])])
    >>> "= x[0] ^ x[1];" in emit_network(n, "parity", "0" * 64, ()).verilog
    True
    """
    if not re.fullmatch(r"[A-Za-z_]\w*", module, re.ASCII):
        raise DbhwError(f"module must be a Verilog name, not {module!r}")
    inputs = described(network.input_names, columns, ports, layer_titles(network))
    outputs = tuple(described_output(o, classes) for o in network.outputs)
    interface = Interface(
        header(model_sha256, classes, input_comments(inputs, columns)),
        tuple(map(as_input, inputs)),
        class_constants(classes),
    )
    verilog, latency = _core(network, module, interface, lut_inputs, pipeline, stream)
    manifest = Manifest(
        module=module,
        inputs=inputs,
        outputs=outputs,
        pipeline=pipeline,
        latency=latency,
        clock="clk" if latency or stream else None,
        stream=STREAM if stream else None,
        model_sha256=model_sha256,
        verilog_sha256=files.sha256(verilog),
    )
    return Emitted(network, verilog, manifest, lowered=network)


def _core(
    network: Network, module: str, interface: Interface, lut_inputs: int, pipeline: str, stream: bool
) -> tuple[str, int]:
    """The Verilog of a core, and its latency in cycles."""
    choice = Pipeline.parse(pipeline)
    if choice.kind != "comb":
        luts = map_to_luts(write(network, module, lut_inputs=lut_inputs), module, lut_inputs)
        latency = choice.stages(max(luts.levels(), default=0))
        return pipelined_verilog(luts, latency, module, stream, interface, layer_titles(network)), latency
    if stream:
        return streamed_verilog(network, module, interface, lut_inputs), 0
    return write(network, module, interface, lut_inputs), 0


def lut_depth(network: Network, lut_inputs: int) -> int:
    """How many look-up tables follow each other on the longest path of a network's core.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.xor([a, b])])
    >>> lut_depth(n, 4)
    1
    """
    luts = map_to_luts(write(network, MODULE, lut_inputs=lut_inputs), MODULE, lut_inputs)
    return max(luts.levels(), default=0)


def described_output(output: Output, classes: tuple[str, ...]) -> Port:
    """The port of an output.

    >>> described_output(Output("label", "integers", (9,), width=1), ("a", "b")).classes
    ('a', 'b')
    """
    if output.name == "label":
        return Port("label", port_width(output), classes=classes)
    return Port(output.name, port_width(output), fields=len(output.members), field_width=output.width)


def header(model_sha256: str, classes: tuple[str, ...], inputs: list[str]) -> tuple[str, ...]:
    """The comments at the top of a model's Verilog.

    >>> header("0" * 64, ("no", "yes"), [])
    ('Made by dbhw from model 0000000000000000.', 'label: 0 = no, 1 = yes')
    """
    return (f"Made by dbhw from model {model_sha256[:16]}.", *[f"label: {listed(classes)}"] * bool(classes), *inputs)
