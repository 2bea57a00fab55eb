"""The link in hardware: it receives requests, runs examples through the core, and sends replies.

A request is stored until its CRC has been checked, and only then acted on: a damaged frame has no effect. Bytes that
arrive during a reply are dropped, up to the start of the next frame.
"""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from dbhw.model.message import TAG_BYTES
from dbhw.rtl.link import protocol
from dbhw.rtl.link.framing import CRC_BYTES, Deframer, Framer
from dbhw.rtl.link.protocol import Shape

# Values of load_status, as in loader.v.
_LOADED, _OTHER_SHAPE, _WRONG_DIGEST = 1, 2, 3
_GREETING_SPACE = 64  # bytes of memory for a greeting


class Link(wiring.Component):
    """Bytes of the serial line on one side, the core on the other.

    `x` is a register that holds an example, and `x_valid` is high in the first cycle in which it is complete. `y` is
    stored one cycle later, plus the core's latency. If `message_bytes` is not 0, the core has a load port, and its
    weights come in messages of that many bytes.
    """

    def __init__(self, shape: Shape, model_sha256: str, latency: int = 0, message_bytes: int = 0) -> None:
        self.shape = shape
        self.latency = latency
        self.message_bytes = message_bytes
        self.greeting = protocol.greeting(model_sha256, shape)
        ports = {
            "rx_valid": In(1),
            "rx_data": In(8),
            "tx_valid": Out(1),
            "tx_ready": In(1),
            "tx_data": Out(8),
            "x": Out(shape.inputs),
            "x_valid": Out(1),
            "y": In(shape.answer_bits),
        }
        if message_bytes:
            ports |= {"load_valid": Out(1), "load_first": Out(1), "load_data": Out(8)}
            ports |= {"load_ready": In(1), "load_status": In(2)}
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
        request = _Request(m, deframer, self.shape, bool(self.message_bytes))
        _Answer(m, self, deframer, framer, request)
        return m


class _Answer:
    """The replies, as a state machine with a method for each kind of request."""

    def __init__(self, m: Module, link: Link, deframer: Deframer, framer: Framer, request: _Request) -> None:
        self.m, self.link, self.shape = m, link, link.shape
        self.deframer, self.framer, self.request = deframer, framer, request
        most = max(len(link.greeting), self.shape.answer_bytes, self.shape.example_bytes, protocol.PLACE_BYTES)
        self.done = Signal(range(most + 1))  # bytes of the current item that are done
        self.kind, self.echo, self.reason = Signal(8), Signal(32), Signal(8)
        self.greeting = _Greeting(m, link.greeting, bool(link.message_bytes))
        with m.FSM():
            self._listen()
            self._head()
            self._error()
            self._hello()
            self._classify()
            if link.message_bytes:
                self._load()
            with m.State("close"):
                m.d.comb += framer.close.eq(1)
                with m.If(framer.closed):
                    m.next = "listen"

    def _say(self, byte: Value, enable: Value | int = 1) -> Value:
        """Offers a byte to the framer. The result is high when it is taken."""
        self.m.d.comb += [self.framer.valid.eq(enable), self.framer.byte.eq(byte)]
        return self.framer.ready

    def _listen(self) -> None:
        m, request = self.m, self.request
        with m.State("listen"):
            m.d.comb += self.deframer.listen.eq(1)
            m.d.sync += [self.done.eq(0), request.read_address.eq(0)]
            with m.If(self.deframer.end & self.deframer.good):
                m.d.sync += [self.kind.eq(request.answer_kind | protocol.REPLY), self.reason.eq(request.reason)]
                m.d.sync += self.echo.eq(self.deframer.crc)
                m.next = "kind"
                if self.link.message_bytes:
                    with m.If(request.answer_kind == protocol.LOAD):
                        m.next = "place fetch"

    def _head(self) -> None:
        """The start of every reply: its kind, and the CRC of the request."""
        m, done = self.m, self.done
        with m.State("kind"), m.If(self._say(self.kind)):
            m.d.sync += done.eq(0)
            m.next = "echo"
        with m.State("echo"):
            with m.If(self._say(self.echo[:8], done != CRC_BYTES)):
                m.d.sync += [self.echo.eq(self.echo >> 8), done.eq(done + 1)]
            with m.If(done == CRC_BYTES):
                m.d.sync += done.eq(0)
                with m.Switch(self.kind):
                    with m.Case(protocol.HELLO | protocol.REPLY):
                        m.next = "greeting fetch"
                    with m.Case(protocol.CLASSIFY | protocol.REPLY):
                        m.next = "example fetch"
                    if self.link.message_bytes:
                        with m.Case(protocol.LOAD | protocol.REPLY):
                            m.next = "received"
                    with m.Default():
                        m.next = "reason"

    def _error(self) -> None:
        with self.m.State("reason"), self.m.If(self._say(self.reason)):
            self.m.next = "close"

    def _hello(self) -> None:
        m, done = self.m, self.done
        m.d.comb += self.greeting.address.eq(done)
        with m.State("greeting fetch"):
            m.next = "greeting"
        with m.State("greeting"), m.If(self._say(self.greeting.data)):
            m.d.sync += done.eq(done + 1)
            with m.If(done == len(self.link.greeting) - 1):
                m.next = "close"
            with m.Else():
                m.next = "greeting fetch"

    def _classify(self) -> None:
        m, shape, request, done = self.m, self.shape, self.request, self.done
        example = Signal(shape.example_bytes * 8)
        answer = Signal(shape.answer_bytes * 8)
        waited = Signal(range(self.link.latency + 2))  # cycles, for the core
        m.d.comb += self.link.x.eq(example[: shape.inputs])
        # A byte comes out of the RAM one cycle after its address.
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
            m.d.comb += self.link.x_valid.eq(waited == 0)
            m.d.sync += [answer.eq(self.link.y), waited.eq(waited + 1)]
            with m.If(waited == self.link.latency):
                m.d.sync += waited.eq(0)
                m.next = "answer"
        with m.State("answer"), m.If(self._say(answer[:8])):
            m.d.sync += [answer.eq(Cat(answer[8:], Const(0, 8))), done.eq(done + 1)]
            with m.If(done == shape.answer_bytes - 1):
                m.d.sync += done.eq(0)
                with m.If(request.read_address == request.payload_bytes):
                    m.next = "close"
                with m.Else():
                    m.next = "example fetch"

    def _load(self) -> None:
        """The bytes go to the load port before the reply starts, since the reply says whether they were accepted."""
        m, link, request = self.m, self.link, self.request
        self.place = Signal(8 * protocol.PLACE_BYTES)  # from the request; then, in the reply, what was received
        self.received = Signal(range(link.message_bytes + 1))
        self.completes = Signal()
        m.d.comb += [link.load_data.eq(request.read_data), link.load_first.eq(self.received == 0)]
        self._load_place()
        self._load_weights()
        self._load_reply()

    def _load_place(self) -> None:
        m, request, place = self.m, self.request, self.place
        with m.State("place fetch"):
            m.d.sync += [request.read_address.eq(request.read_address + 1), self.completes.eq(0)]
            m.next = "place"
        with m.State("place"):
            m.d.sync += [place.eq(Cat(place[8:], request.read_data)), self.done.eq(self.done + 1)]
            m.next = "place fetch"
            with m.If(self.done == protocol.PLACE_BYTES - 1):
                m.next = "compare"
        with m.State("compare"):
            m.next = "settle"
            with m.If((place == 0) | (place == self.received)):
                m.d.sync += self.received.eq(place)
                m.next = "weights fetch"

    def _load_weights(self) -> None:
        m, link, request, received = self.m, self.link, self.request, self.received
        with m.State("weights fetch"):  # The address stays until the load port has taken the byte.
            m.next = "weights"
        with m.State("weights"):
            m.d.comb += link.load_valid.eq(1)
            with m.If(link.load_ready):
                with m.If(received != link.message_bytes):
                    self.greeting.hear(received, request.read_data)
                    m.d.sync += [received.eq(received + 1), self.completes.eq(received == link.message_bytes - 1)]
                m.d.sync += request.read_address.eq(request.read_address + 1)
                m.next = "weights fetch"
                with m.If(request.read_address == request.payload_bytes - 1):
                    m.next = "settle"

    def _load_reply(self) -> None:
        m, link, place, done = self.m, self.link, self.place, self.done
        with m.State("settle"), m.If(link.load_ready):
            m.d.sync += place.eq(self.received)
            with m.If(self.completes & (link.load_status == _LOADED)):
                self.greeting.take_heard()
            for status, reason in {_OTHER_SHAPE: protocol.OTHER_SHAPE, _WRONG_DIGEST: protocol.WRONG_DIGEST}.items():
                with m.If(link.load_status == status):
                    m.d.sync += [self.kind.eq(protocol.ERROR | protocol.REPLY), self.reason.eq(reason)]
            m.next = "kind"
        with m.State("received"), m.If(self._say(place[:8])):
            m.d.sync += [place.eq(place >> 8), done.eq(done + 1)]
            with m.If(done == protocol.PLACE_BYTES - 1):
                m.next = "close"


class _Greeting:
    """The payload of the reply to HELLO. If weights are loadable, the model's SHA-256 in it changes with them.

    The memory then has three greetings: of the model after a reset, of the model in use, and of the model that is being
    received.
    """

    def __init__(self, m: Module, greeting: bytes, loadable: bool) -> None:
        self.m = m
        bank = list(greeting) + [0] * (_GREETING_SPACE - len(greeting))
        content = bank * 3 if loadable else bank
        m.submodules.greeting = memory = Memory(shape=8, depth=len(content), init=content)
        read = memory.read_port()
        self.address, self.data = Signal(range(_GREETING_SPACE)), read.data
        self.held = Signal(2)
        self.heard = Signal(2)
        m.d.comb += [read.addr.eq(Cat(self.address, self.held)), self.heard.eq(Mux(self.held == 1, 2, 1))]
        if loadable:
            self.write = memory.write_port()

    def hear(self, place: Value, byte: Value) -> None:
        """Stores a byte of a message if it belongs to the model's SHA-256."""
        first = protocol.IDENTITY.start
        within = Signal(range(_GREETING_SPACE))
        self.m.d.comb += [
            within.eq(place - TAG_BYTES + first),
            self.write.addr.eq(Cat(within, self.heard)),
            self.write.data.eq(byte),
            self.write.en.eq((place >= TAG_BYTES) & (place < TAG_BYTES + protocol.IDENTITY.stop - first)),
        ]

    def take_heard(self) -> None:
        """Makes the received model the one in use."""
        self.m.d.sync += self.held.eq(self.heard)


class _Request:
    """The request as it arrives: its kind, its length, its payload in RAM, and the kind of its reply."""

    def __init__(self, m: Module, deframer: Deframer, shape: Shape, loadable: bool) -> None:
        longest = shape.capacity + CRC_BYTES
        length = Signal(range(longest + 2))  # of payload and CRC, or longest + 1 if it is longer
        kind = Signal(8)
        kind_seen = Signal()
        # The length of the payload modulo that of an example; the CRC is subtracted in advance.
        start = -CRC_BYTES % shape.example_bytes
        phase = Signal(range(max(shape.example_bytes, 2)), init=start)
        m.submodules.buffer = memory = Memory(shape=8, depth=shape.capacity, init=[])
        write, read = memory.write_port(), memory.read_port()
        self.read_address = Signal(range(shape.capacity + 1))
        self.read_data = read.data
        self.payload_bytes = Signal(range(shape.capacity + 1))
        self.answer_kind, self.reason = Signal(8), Signal(8)  # for the frame that ends in this cycle
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
        self._check(m, kind, length, longest, (phase == 0) & (length != CRC_BYTES), loadable)
        with m.If(deframer.end):
            m.d.sync += [kind_seen.eq(0), length.eq(0), phase.eq(start)]
            with m.If(deframer.good):
                m.d.sync += self.payload_bytes.eq(length - CRC_BYTES)

    def _check(self, m: Module, kind: Value, length: Value, longest: int, whole: Value, loadable: bool) -> None:
        """Decides whether the request is accepted; `whole` says that it holds whole examples."""
        with m.If(length > longest):
            m.d.comb += self.reason.eq(protocol.TOO_LONG)
        with m.Elif(kind == protocol.HELLO):
            m.d.comb += self.reason.eq(Mux(length == CRC_BYTES, 0, protocol.WRONG_LENGTH))
        with m.Elif(kind == protocol.CLASSIFY):
            m.d.comb += self.reason.eq(Mux(whole, 0, protocol.WRONG_LENGTH))
        with m.Elif(kind == protocol.LOAD):
            some = length > CRC_BYTES + protocol.PLACE_BYTES
            wrong = Mux(some, 0, protocol.WRONG_LENGTH) if loadable else protocol.NOT_LOADABLE
            m.d.comb += self.reason.eq(wrong)
        with m.Else():
            m.d.comb += self.reason.eq(protocol.UNKNOWN_KIND)
        m.d.comb += self.answer_kind.eq(Mux(self.reason == 0, kind, protocol.ERROR))
