"""Emitting: from a model to Verilog, RTLIL, a manifest and test vectors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from amaranth.back import rtlil

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.logic import passes
from dbhw.logic.network import Network, Output
from dbhw.model.model import Model
from dbhw.rtl.core.component import Core, layer_identifiers, port_width
from dbhw.rtl.core.luts import map_to_luts
from dbhw.rtl.core.schedule import Pipeline
from dbhw.rtl.verilog import structural
from dbhw.rtl.verilog.manifest import STREAM, Manifest, Port
from dbhw.rtl.verilog.pipeline import pipelined_verilog, streamed
from dbhw.rtl.verilog.readable import tidy
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.tools import yosys

MODULE = "net"
RTLIL_UP_TO = 20_000  # nodes; Yosys takes gigabytes to read larger nets back
LARGE = 300  # With more nodes than this, every kind of count becomes a module of its own.


@dataclass(frozen=True)
class Emitted:
    """What emitting made: the texts, the network they were made from, and that network before the passes."""

    network: Network
    verilog: str
    rtlil: str
    manifest: Manifest
    lowered: Network  # A proof starts from it, so that the passes are part of what is proved.

    @property
    def module(self) -> str:
        return self.manifest.module

    def save(self, folder: str | Path, vectors: Vectors, more: Mapping[str, bytes] | None = None) -> None:
        """Writes net.v, net.il, manifest.json and vectors.json, and more files if there are any."""
        contents: dict[str, str | bytes] = {
            **(more or {}),
            "net.v": self.verilog,
            **({"net.il": self._rtlil_text()} if len(self.network) <= RTLIL_UP_TO else {}),
            "vectors.json": vectors.text(),
            "manifest.json": self.manifest.text(),
        }
        files.write_all(folder, contents)
        if "net.il" not in contents:
            (Path(folder) / "net.il").unlink(missing_ok=True)  # another net's

    def _rtlil_text(self) -> str:
        return self.rtlil or yosys.rtlil_from_verilog(self.verilog)


def emit(
    model: Model,
    module: str = MODULE,
    lut_inputs: int = 6,
    pipeline: str = "comb",
    stream: bool = False,
    lowered: Network | None = None,
) -> Emitted:
    """The hardware of a model with constant weights, for look-up tables of 4 or 6 inputs.

    `pipeline` is `comb`, `stages=N` or `levels=N`. With `stream`, data moves under valid and ready. `lowered` is the
    model's network, if the caller has it already.

    >>> import numpy as np
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
      assign bits[0] = ~x;
      assign bits[1] = x;
      assign label = x;
    endmodule
    <BLANKLINE>
    """
    lowered = model.to_network() if lowered is None else lowered
    network = passes.simplify(lowered)
    made = emit_network(network, module, model.digest(), model.classes, lut_inputs, pipeline, stream)
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
    layers = layer_lines(network)
    header = _header(network, model_sha256, classes)
    il = ""
    if len(network) > LARGE:
        verilog = structural.write(network, module, layers, header, lambda parts: _small_modules(parts, lut_inputs))
    else:
        il = rtlil.convert(Core(network, lut_inputs), name=module, emit_src=False)
        verilog = tidy(yosys.verilog_from_rtlil(il), module, layers, header)
    latency = 0
    if choice.kind != "comb":
        luts = map_to_luts(verilog, module, lut_inputs)
        latency = choice.stages(max(luts.levels(), default=0))
        verilog = pipelined_verilog(luts, latency, module, stream, header)
    elif stream:
        verilog = streamed(verilog, module)
    if latency or stream:
        il = ""
    manifest = Manifest(
        module=module,
        inputs=(Port("x", len(network.input_names), features=tuple(network.input_names)),),
        outputs=tuple(described(o, classes) for o in network.outputs),
        pipeline=pipeline,
        latency=latency,
        clock="clk" if latency or stream else None,
        stream=STREAM if stream else None,
        model_sha256=model_sha256,
        verilog_sha256=files.sha256(verilog),
    )
    return Emitted(network, verilog, il, manifest, lowered=network)


def lut_depth(network: Network, lut_inputs: int) -> int:
    """How many look-up tables follow each other on the longest path of a network's core.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.xor([a, b])])
    >>> lut_depth(n, 4)
    1
    """
    return emit_network(network, MODULE, "", (), lut_inputs, "levels=1").manifest.latency


def layer_lines(network: Network) -> dict[str, str]:
    """What the wires of each layer start with, and one line about it.

    >>> n = Network(); n.begin_layer("majority 9 -> 1")
    >>> layer_lines(n)
    {'inputs_0': 'inputs', 'majority_1': 'majority 9 -> 1'}
    """
    return dict(zip(layer_identifiers(network), map(printable, network.layer_names), strict=True))


def _small_modules(networks: dict[str, Network], lut_inputs: int) -> str:
    """The Verilog of small networks, by the names of their modules; Yosys is started once for all."""
    il = [rtlil.convert(Core(network, lut_inputs), name=name, emit_src=False) for name, network in networks.items()]
    # Yosys sorts modules by name.
    written = re.split(r"^endmodule\n", yosys.verilog_from_rtlil("\n".join(il)), flags=re.MULTILINE)
    texts = {name: next(w for w in written if re.search(rf"^module {name}\(", w, re.MULTILINE)) for name in networks}
    return "\n".join(tidy(texts[name], name, layer_lines(n), []) for name, n in networks.items())


def described(output: Output, classes: tuple[str, ...]) -> Port:
    """The port of an output.

    >>> described(Output("scores", "integers", (7, 9), width=3), ("a", "b"))
    Port(name='scores', width=6, features=None, classes=None, fields=2, field_width=3)
    """
    if output.name == "label":
        return Port("label", port_width(output), classes=classes)
    return Port(output.name, port_width(output), fields=len(output.members), field_width=output.width)


def _header(network: Network, model_sha256: str, classes: tuple[str, ...]) -> list[str]:
    named = [f"x[{i}] = {printable(name)}" for i, name in enumerate(network.input_names) if name != f"x{i}"]
    lines = [f"Made by dbhw from model {model_sha256[:16]}.", f"label: {_listed(classes)}"]
    return lines + [f"inputs: {', '.join(named)}"] * bool(named)


def _listed(classes: tuple[str, ...]) -> str:
    return ", ".join(f"{i} = {printable(name)}" for i, name in enumerate(classes))


def printable(name: str) -> str:
    """A user's name as it may stand in a comment, which a line break would end.

    >>> printable("a\\nb")
    'a?b'
    """
    return "".join(c if c.isprintable() else "?" for c in name)
