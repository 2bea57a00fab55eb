"""The top levels for a board, around the emitted core: one with a serial link, and one that tests itself."""

from __future__ import annotations

import numpy as np
from amaranth.back import rtlil
from amaranth.hdl import Cat, ClockSignal, Const, EnableInserter, Instance, Module, Mux, ResetSignal, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from dbhw.model.model import Model
from dbhw.rtl.link.endpoint import Link
from dbhw.rtl.link.protocol import Shape
from dbhw.rtl.link.uart import Receiver, Transmitter
from dbhw.rtl.loadable import LOAD_INPUTS
from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.tools import yosys

# The input register and the output register: what a top adds to the core's own latency.
LATENCY_CYCLES = 2
# How large the test vectors of a self-test may be: a few block RAMs of the smallest part.
_VECTOR_BITS = 16 * 1024
_MOST_VECTORS = 1024


def shape(emitted: Emitted) -> Shape:
    """How many input bits the core has, and how many bits an answer has on all its output ports.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> from dbhw.rtl.verilog.emit import emit
    >>> shape(emit(model))
    Shape(inputs=1, answer_bits=3)
    """
    return Shape(emitted.manifest.input_bits, emitted.manifest.answer_bits)


def answers(emitted: Emitted, model: Model, x: np.ndarray) -> list[int]:
    """The hard net's answers as numbers: all output ports of the core side by side, the label lowest.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> from dbhw.rtl.verilog.emit import emit
    >>> answers(emit(model), model, np.array([[False], [True]]))
    [2, 5]
    """
    made = Vectors.of(model, emitted.manifest, x).outputs
    total = [0] * len(x)
    place = 0
    for port in emitted.manifest.outputs:
        total = [t | int(v, 16) << place for t, v in zip(total, made[port.name], strict=True)]
        place += port.width
    return total


class Served(wiring.Component):
    """The core behind a serial link."""

    def __init__(self, emitted: Emitted, divisor: int) -> None:
        self.emitted = emitted
        self.divisor = divisor
        super().__init__({"rx": In(1, init=1), "tx": Out(1, init=1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.receiver = receiver = Receiver(self.divisor)
        m.submodules.transmitter = transmitter = Transmitter(self.divisor)
        manifest = self.emitted.manifest
        message_bytes = manifest.weights.bytes if manifest.weights else 0
        m.submodules.link = link = Link(shape(self.emitted), manifest.model_sha256, manifest.latency, message_bytes)
        m.d.comb += [
            receiver.line.eq(self.rx),
            link.rx_valid.eq(receiver.valid),
            link.rx_data.eq(receiver.data),
            transmitter.valid.eq(link.tx_valid),
            transmitter.data.eq(link.tx_data),
            link.tx_ready.eq(transmitter.ready),
            self.tx.eq(transmitter.line),
            link.y.eq(_core(m, self.emitted, link.x, link.x_valid, link)),
        ]
        return m


class SelfTest(wiring.Component):
    """The core, test vectors in ROM, and two LEDs: `passed` after a round without mismatch, `failed` after the first.

    The test repeats forever, and `failed` stays high once it is high.
    """

    def __init__(self, emitted: Emitted, model: Model, x: np.ndarray) -> None:
        self.emitted = emitted
        x = model.input_bits(x)
        weights = [1 << i for i in range(x.shape[1])]
        inputs = [sum(w for w, bit in zip(weights, row, strict=True) if bit) for row in x.tolist()]
        self.rows = [a << x.shape[1] | i for i, a in zip(inputs, answers(emitted, model, x), strict=True)]
        super().__init__({"passed": Out(1), "failed": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m, test = Module(), Module()
        widths, folded = shape(self.emitted), self.emitted.manifest.fold > 1
        test.submodules.vectors = memory = Memory(
            shape=widths.inputs + widths.answer_bits, depth=len(self.rows), init=self.rows
        )
        read = memory.read_port()
        address = Signal(range(len(self.rows)))
        x, y = Signal(widths.inputs), Signal(widths.answer_bits)
        # Addresses, inputs and answers follow each other in a pipeline; `last` and `known` travel along.
        # A folded core has all its latency between two of their moves.
        start = self._paced(m, test) if folded else Const(0)
        latency = LATENCY_CYCLES + (0 if folded else self.emitted.manifest.latency)
        expected = [Signal(widths.answer_bits, name=f"expected_{i}") for i in range(latency)]
        last = [Signal(name=f"last_{i}") for i in range(latency + 1)]
        known = [Signal(name=f"known_{i}") for i in range(latency + 1)]
        test.d.comb += read.addr.eq(address)
        test.d.sync += [
            address.eq(address + 1),
            x.eq(read.data[: widths.inputs]),
            y.eq(_core(m, self.emitted, x, start)),
            Cat(expected).eq(Cat(read.data[widths.inputs :], *expected[:-1])),
            Cat(last).eq(Cat(address == len(self.rows) - 1, *last[:-1])),
            Cat(known).eq(Cat(1, *known[:-1])),
        ]
        with test.If(address == len(self.rows) - 1):
            test.d.sync += address.eq(0)
        with test.If(known[-1] & (y != expected[-1])):
            test.d.sync += [self.failed.eq(1), self.passed.eq(0)]
        with test.Elif(last[-1] & ~self.failed):
            test.d.sync += self.passed.eq(1)
        if not folded:
            m.submodules.test = test
        return m

    def _paced(self, m: Module, test: Module) -> Value:
        """Lets the test move as often as a folded core can follow. The result is high when there is a new input."""
        period = self.emitted.manifest.interval + 1
        tick = Signal(range(period))
        m.d.sync += tick.eq(Mux(tick == period - 1, 0, tick + 1))
        m.submodules.test = EnableInserter(tick == 0)(test)
        return tick == 1


def vector_count(emitted: Emitted) -> int:
    """How many test vectors a self-test of this core has room for.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> from dbhw.rtl.verilog.emit import emit
    >>> vector_count(emit(model))
    1024
    """
    widths = shape(emitted)
    return max(min(_VECTOR_BITS // (widths.inputs + widths.answer_bits), _MOST_VECTORS), 16)


def top_verilog(top: wiring.Component, name: str) -> str:
    """A top level as Verilog, without its core, which is a separate file.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> from dbhw.rtl.verilog.emit import emit
    >>> "module top" in top_verilog(SelfTest(emit(model), model, np.array([[False]])), "top")
    True
    """
    return yosys.verilog_from_rtlil(rtlil.convert(top, name=name, emit_src=False))


def _core(m: Module, emitted: Emitted, x: Value, start: Value, load: Link | None = None) -> Value:
    """An instance of the emitted Verilog, so that the board gets exactly what was proved and simulated.

    A folded core begins where `start` is high.
    """
    outputs = {port.name: Signal(port.width, name=port.name) for port in emitted.manifest.outputs}
    ports = {**_data_ports(emitted, x), **{f"o_{name}": port for name, port in outputs.items()}}
    if emitted.manifest.clock:
        ports["i_clk"] = ClockSignal()
    if emitted.manifest.stream:  # Answers are taken at once, and a core that keeps them shows them until the next one.
        ports |= {"i_rst": ResetSignal(allow_reset_less=True), "i_x_valid": start, "i_y_ready": Const(1)}
    if emitted.manifest.weights:
        ports |= {"i_rst": ResetSignal(allow_reset_less=True), **_load_ports(load)}
    m.submodules.core = Instance(emitted.module, **ports)
    return Cat(outputs.values())


def _data_ports(emitted: Emitted, x: Value) -> dict[str, Value]:
    """The bits of an example at the data inputs, port by port."""
    found, first = {}, 0
    for port in emitted.manifest.inputs:
        found[f"i_{port.name}"] = x[first : first + port.width]
        first += port.width
    return found


def _load_ports(link: Link | None) -> dict[str, Value]:
    """Connects the load port to the link. Without a link, nothing is ever loaded."""
    if link is None:
        return {f"i_{port.name}": Const(0, port.width) for port in LOAD_INPUTS}
    inputs = {f"i_{port.name}": getattr(link, port.name) for port in LOAD_INPUTS}
    return {**inputs, "o_load_ready": link.load_ready, "o_load_status": link.load_status}
