"""The device's side of the link: it hears requests, runs examples through the core, and answers.

A request is kept until its CRC is seen to be right, and only then read: nothing is computed from a frame that did not
come whole. While it answers it does not listen; what comes then is dropped up to the next frame.
"""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from dbhw.rtl import protocol
from dbhw.rtl.framing import CRC_BYTES, Deframer, Framer
from dbhw.rtl.protocol import Shape


class Link(wiring.Component):
    """Bytes in and out, and the registered core between `x` and `y`.

    `x` is a register that holds an example; `y` is taken into a register one clock after `x` is complete, or as many
    more as the core's own latency.
    """

    def __init__(self, shape: Shape, model_sha256: str, latency: int = 0) -> None:
        self.shape = shape
        self.latency = latency
        self.greeting = protocol.greeting(model_sha256, shape)
        ports = {
            "rx_valid": In(1),
            "rx_data": In(8),
            "tx_valid": Out(1),
            "tx_ready": In(1),
            "tx_data": Out(8),
            "x": Out(shape.inputs),
            "y": In(shape.answer_bits),
        }
        super().__init__(ports)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.deframer = deframer = Deframer()
        m.submodules.framer = framer = Framer()
        m.d.comb += [
            deframer.valid.eq(self.rx_valid),
            deframer.data.eq(self.rx_data),
            self.tx_valid.eq(framer.out_valid),
            self.tx_data.eq(framer.out),
            framer.out_ready.eq(self.tx_ready),
        ]
        request = _Request(m, deframer, self.shape)
        self._answer(m, deframer, framer, request)
        return m

    def _answer(self, m: Module, deframer: Deframer, framer: Framer, request: _Request) -> None:
        shape = self.shape
        m.submodules.greeting = memory = Memory(shape=8, depth=len(self.greeting), init=list(self.greeting))
        greeting = memory.read_port()
        done = Signal(range(max(len(self.greeting), shape.answer_bytes, shape.example_bytes) + 1))
        example = Signal(shape.example_bytes * 8)
        answer = Signal(shape.answer_bytes * 8)
        kind, echo = Signal(8), Signal(32)
        waited = Signal(range(self.latency + 2))  # clocks, for the core
        m.d.comb += [self.x.eq(example[: shape.inputs]), greeting.addr.eq(done)]
        with m.FSM():
            with m.State("listen"):
                m.d.comb += deframer.listen.eq(1)
                m.d.sync += [done.eq(0), request.read_address.eq(0)]
                with m.If(deframer.end & deframer.good):
                    m.d.sync += [kind.eq(request.answer_kind | protocol.REPLY), echo.eq(deframer.crc)]
                    m.next = "kind"
            with m.State("kind"):
                m.d.comb += [framer.valid.eq(1), framer.byte.eq(kind)]
                with m.If(framer.ready):
                    m.next = "echo"
            with m.State("echo"):
                m.d.comb += [framer.valid.eq(done != CRC_BYTES), framer.byte.eq(echo[:8])]
                with m.If(framer.ready):
                    m.d.sync += [echo.eq(echo >> 8), done.eq(done + 1)]
                with m.If(done == CRC_BYTES):
                    m.d.sync += done.eq(0)
                    with m.Switch(kind):
                        with m.Case(protocol.HELLO | protocol.REPLY):
                            m.next = "greeting fetch"
                        with m.Case(protocol.CLASSIFY | protocol.REPLY):
                            m.next = "example fetch"
                        with m.Default():
                            m.next = "reason"
            with m.State("reason"):
                m.d.comb += [framer.valid.eq(1), framer.byte.eq(request.reason)]
                with m.If(framer.ready):
                    m.next = "close"
            with m.State("greeting fetch"):
                m.next = "greeting"
            with m.State("greeting"):
                m.d.comb += [framer.valid.eq(1), framer.byte.eq(greeting.data)]
                with m.If(framer.ready):
                    m.d.sync += done.eq(done + 1)
                    with m.If(done == len(self.greeting) - 1):
                        m.next = "close"
                    with m.Else():
                        m.next = "greeting fetch"
            # The RAM gives a byte one clock after its address.
            with m.State("example fetch"):
                m.d.sync += request.read_address.eq(request.read_address + 1)
                m.next = "example"
            with m.State("example"):
                m.d.sync += [example.eq(Cat(example, request.read_data)[8:]), done.eq(done + 1)]
                with m.If(done == shape.example_bytes - 1):
                    m.d.sync += done.eq(0)
                    m.next = "core"
                with m.Else():
                    m.next = "example fetch"
            with m.State("core"):
                m.d.sync += [answer.eq(self.y), waited.eq(waited + 1)]
                with m.If(waited == self.latency):
                    m.d.sync += waited.eq(0)
                    m.next = "answer"
            with m.State("answer"):
                m.d.comb += [framer.valid.eq(1), framer.byte.eq(answer[:8])]
                with m.If(framer.ready):
                    m.d.sync += [answer.eq(Cat(answer[8:], Const(0, 8))), done.eq(done + 1)]
                    with m.If(done == shape.answer_bytes - 1):
                        m.d.sync += done.eq(0)
                        with m.If(request.read_address == request.payload_bytes):
                            m.next = "close"
                        with m.Else():
                            m.next = "example fetch"
            with m.State("close"):
                m.d.comb += framer.close.eq(1)
                with m.If(framer.closed):
                    m.next = "listen"


class _Request:
    """The request as it arrives: its kind, its payload in RAM, its length, and what its answer will be."""

    def __init__(self, m: Module, deframer: Deframer, shape: Shape) -> None:
        longest = shape.capacity + CRC_BYTES
        length = Signal(range(longest + 2))  # of payload and CRC; one above the longest stands for all that are longer
        kind = Signal(8)
        kind_seen = Signal()
        # The length modulo an example's bytes, behind by the CRC's.
        start = -CRC_BYTES % shape.example_bytes
        phase = Signal(range(max(shape.example_bytes, 2)), init=start)
        m.submodules.buffer = memory = Memory(shape=8, depth=shape.capacity, init=[])
        write, read = memory.write_port(), memory.read_port()
        self.read_address = Signal(range(shape.capacity + 1))
        self.read_data = read.data
        self.payload_bytes = Signal(range(shape.capacity + 1))
        self.answer_kind, self.reason = Signal(8), Signal(8)
        m.d.comb += [
            write.addr.eq(length),
            write.data.eq(deframer.byte),
            write.en.eq(deframer.byte_valid & kind_seen & (length < shape.capacity)),
            read.addr.eq(self.read_address),
        ]
        with m.If(deframer.byte_valid):
            with m.If(~kind_seen):
                m.d.sync += [kind.eq(deframer.byte), kind_seen.eq(1)]
            with m.Else():
                m.d.sync += length.eq(Mux(length > longest, length, length + 1))
                m.d.sync += phase.eq(Mux(phase == shape.example_bytes - 1, 0, phase + 1))
        reason = Signal(8)
        with m.If(length > longest):
            m.d.comb += reason.eq(protocol.TOO_LONG)
        with m.Elif(kind == protocol.HELLO):
            m.d.comb += reason.eq(Mux(length == CRC_BYTES, 0, protocol.WRONG_LENGTH))
        with m.Elif(kind == protocol.CLASSIFY):
            whole = (phase == 0) & (length != CRC_BYTES)
            m.d.comb += reason.eq(Mux(whole, 0, protocol.WRONG_LENGTH))
        with m.Else():
            m.d.comb += reason.eq(protocol.UNKNOWN_KIND)
        m.d.comb += self.answer_kind.eq(Mux(reason == 0, kind, protocol.ERROR))
        with m.If(deframer.end):
            m.d.sync += [kind_seen.eq(0), length.eq(0), phase.eq(start)]
            with m.If(deframer.good):
                m.d.sync += [self.payload_bytes.eq(length - CRC_BYTES), self.reason.eq(reason)]
