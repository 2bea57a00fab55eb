"""The tops that go onto a board around the emitted core: one behind a serial link, and one that tests itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from amaranth.back import rtlil
from amaranth.hdl import Cat, ClockSignal, Const, Instance, Module, ResetSignal, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from dbhw.model.model import Model
from dbhw.rtl.link.device import Link
from dbhw.rtl.link.protocol import Shape
from dbhw.rtl.link.uart import Receiver, Transmitter
from dbhw.rtl.loadable import LOAD_INPUTS
from dbhw.rtl.verilog.emit import Emitted
from dbhw.tools import yosys

# The input register, then the output register: from a whole example to its answer, beside the core's own latency.
LATENCY_CLOCKS = 2
# What the vectors of a self-test may take up: a few blocks of RAM in the smallest part.
_VECTOR_BITS = 16 * 1024
_MOST_VECTORS = 1024


def shape(emitted: Emitted) -> Shape:
    """How many bits the core takes, and how many it gives on all its ports.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> from dbhw.rtl.verilog.emit import emit
    >>> shape(emit(model))
    Shape(inputs=1, answer_bits=3)
    """
    manifest = emitted.manifest
    return Shape(manifest["inputs"][0]["width"], sum(port["width"] for port in manifest["outputs"]))


def answers(emitted: Emitted, model: Model, x: np.ndarray) -> list[int]:
    """The hard net's answers as the core's ports have them side by side, label lowest.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> from dbhw.rtl.verilog.emit import emit
    >>> answers(emit(model), model, np.array([[False], [True]]))
    [2, 5]
    """
    from dbhw.rtl.verilog.emit import vectors

    made = vectors(model, emitted, x)["outputs"]
    total = [0] * len(x)
    place = 0
    for port in emitted.manifest["outputs"]:
        total = [t | int(v, 16) << place for t, v in zip(total, made[port["name"]], strict=True)]
        place += port["width"]
    return total


class Served(wiring.Component):
    """The core behind a serial line."""

    def __init__(self, emitted: Emitted, divisor: int) -> None:
        self.emitted = emitted
        self.divisor = divisor
        super().__init__({"rx": In(1, init=1), "tx": Out(1, init=1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.receiver = receiver = Receiver(self.divisor)
        m.submodules.transmitter = transmitter = Transmitter(self.divisor)
        manifest = self.emitted.manifest
        message_bytes = manifest.get("weights", {"bytes": 0})["bytes"]
        m.submodules.link = link = Link(
            shape(self.emitted), manifest["model_sha256"], manifest["latency"], message_bytes
        )
        m.d.comb += [
            receiver.line.eq(self.rx),
            link.rx_valid.eq(receiver.valid),
            link.rx_data.eq(receiver.data),
            transmitter.valid.eq(link.tx_valid),
            transmitter.data.eq(link.tx_data),
            link.tx_ready.eq(transmitter.ready),
            self.tx.eq(transmitter.line),
            link.y.eq(_core(m, self.emitted, link.x, link)),
        ]
        return m


class SelfTest(wiring.Component):
    """The core, vectors in ROM, and two lamps: `passed` after a round without a mismatch, `failed` from the first.

    It never stops testing, and what has failed once stays failed.
    """

    def __init__(self, emitted: Emitted, model: Model, x: np.ndarray) -> None:
        self.emitted = emitted
        weights = [1 << i for i in range(x.shape[1])]
        inputs = [sum(w for w, bit in zip(weights, row, strict=True) if bit) for row in x.tolist()]
        self.rows = [a << x.shape[1] | i for i, a in zip(inputs, answers(emitted, model, x), strict=True)]
        super().__init__({"passed": Out(1), "failed": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        widths = shape(self.emitted)
        m.submodules.vectors = memory = Memory(
            shape=widths.inputs + widths.answer_bits, depth=len(self.rows), init=self.rows
        )
        read = memory.read_port()
        address = Signal(range(len(self.rows)))
        x, y = Signal(widths.inputs), Signal(widths.answer_bits)
        # Addresses, inputs and answers follow each other in a pipeline; `last` and `known` travel along.
        clocks = LATENCY_CLOCKS + self.emitted.manifest["latency"]
        expected = [Signal(widths.answer_bits, name=f"expected_{i}") for i in range(clocks)]
        last = [Signal(name=f"last_{i}") for i in range(clocks + 1)]
        known = [Signal(name=f"known_{i}") for i in range(clocks + 1)]
        m.d.comb += read.addr.eq(address)
        m.d.sync += [
            address.eq(address + 1),
            x.eq(read.data[: widths.inputs]),
            y.eq(_core(m, self.emitted, x)),
            Cat(expected).eq(Cat(read.data[widths.inputs :], *expected[:-1])),
            Cat(last).eq(Cat(address == len(self.rows) - 1, *last[:-1])),
            Cat(known).eq(Cat(1, *known[:-1])),
        ]
        with m.If(address == len(self.rows) - 1):
            m.d.sync += address.eq(0)
        with m.If(known[-1] & (y != expected[-1])):
            m.d.sync += [self.failed.eq(1), self.passed.eq(0)]
        with m.Elif(last[-1] & ~self.failed):
            m.d.sync += self.passed.eq(1)
        return m


def vector_count(emitted: Emitted) -> int:
    """How many vectors a self-test of this core holds.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> from dbhw.rtl.verilog.emit import emit
    >>> vector_count(emit(model))
    1024
    """
    widths = shape(emitted)
    return max(min(_VECTOR_BITS // (widths.inputs + widths.answer_bits), _MOST_VECTORS), 16)


def top_verilog(top: Any, name: str) -> str:
    """A top as Verilog, without its core, which is a file of its own.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> from dbhw.rtl.verilog.emit import emit
    >>> "module top" in top_verilog(SelfTest(emit(model), model, np.array([[False]])), "top")
    True
    """
    return yosys.verilog_from_rtlil(rtlil.convert(top, name=name, emit_src=False))


def _core(m: Module, emitted: Emitted, x: Value, load: Link | None = None) -> Value:
    """The emitted Verilog itself, so that what was proved and simulated is what goes onto the board."""
    outputs = {port["name"]: Signal(port["width"], name=port["name"]) for port in emitted.manifest["outputs"]}
    ports = {"i_x": x, **{f"o_{name}": port for name, port in outputs.items()}}
    if emitted.manifest["clock"]:
        ports["i_clk"] = ClockSignal()
    if "weights" in emitted.manifest:
        ports |= {"i_rst": ResetSignal(allow_reset_less=True), **_load_ports(load)}
    m.submodules.core = Instance(emitted.module, **ports)
    return Cat(outputs.values())


def _load_ports(link: Link | None) -> dict[str, Value]:
    """The load port on the link; without a link nothing is ever loaded."""
    if link is None:
        return {f"i_{name}": Const(0, width) for name, width in LOAD_INPUTS.items()}
    inputs = {f"i_{name}": getattr(link, name) for name in LOAD_INPUTS}
    return {**inputs, "o_load_ready": link.load_ready, "o_load_status": link.load_status}
