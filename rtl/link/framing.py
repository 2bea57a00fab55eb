"""Frames on a serial line: SLIP (RFC 1055) around the bytes and their CRC-32, lowest byte first.

A frame starts and ends with END, which never occurs inside it. The receiver therefore recovers at the next frame after
any noise, without a length field and without a timeout.
"""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

END, ESCAPE, ESCAPED_END, ESCAPED_ESCAPE = 0xC0, 0xDB, 0xDC, 0xDD
CRC_BYTES = 4
_CRC_START = 0xFFFF_FFFF
_CRC_POLYNOMIAL = 0xEDB8_8320  # of IEEE 802.3, reflected
_CRC_RESIDUE = 0xDEBB_20E3  # the remainder of a message followed by its own CRC
_SMALLEST = 1 + CRC_BYTES


def crc_step(crc: Value, bit: Value) -> Value:
    """The CRC after one more bit. One bit per cycle needs little logic, and is much faster than the serial line.

    >>> len(crc_step(Signal(32), Signal()))
    32
    """
    return (crc >> 1) ^ Mux(crc[0] ^ bit, Const(_CRC_POLYNOMIAL, 32), Const(0, 32))


class Deframer(wiring.Component):
    """Takes frames apart: bytes of the line go in, bytes of frames come out.

    `byte_valid` is high for each byte of a frame, including its CRC. `end` is high at the end of a frame, and `good` if
    the frame is undamaged; `crc` then is its CRC. A frame with a byte that arrives while `listen` is low is damaged.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "valid": In(1),
                "data": In(8),
                "listen": In(1),
                "byte_valid": Out(1),
                "byte": Out(8),
                "end": Out(1),
                "good": Out(1),
                "crc": Out(32),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        remainder = Signal(32, init=_CRC_START)
        bits_left = Signal(range(9))
        work = Signal(8)
        escaped = Signal()
        spoiled = Signal()
        length = Signal(range(_SMALLEST + 1))
        m.d.comb += [
            self.byte.eq(Mux(escaped, Mux(self.data == ESCAPED_END, END, ESCAPE), self.data)),
            self.good.eq(~spoiled & ~escaped & (length == _SMALLEST) & (remainder == _CRC_RESIDUE)),
        ]
        with m.If(bits_left != 0):
            m.d.sync += [remainder.eq(crc_step(remainder, work[0])), work.eq(work >> 1), bits_left.eq(bits_left - 1)]
        with m.If(self.valid):
            with m.If(self.data == END):
                m.d.comb += self.end.eq(1)
                m.d.sync += [remainder.eq(_CRC_START), bits_left.eq(0), escaped.eq(0), spoiled.eq(0), length.eq(0)]
            with m.Elif(self.listen & ~spoiled):
                m.d.comb += self.byte_valid.eq(escaped | (self.data != ESCAPE))
                m.d.sync += escaped.eq(~escaped & (self.data == ESCAPE))
                with m.If(escaped & (self.data != ESCAPED_END) & (self.data != ESCAPED_ESCAPE)):
                    m.d.sync += spoiled.eq(1)
                with m.If(self.byte_valid):
                    m.d.sync += [work.eq(self.byte), bits_left.eq(8), self.crc.eq(Cat(self.crc[8:], self.byte))]
                    m.d.sync += length.eq(Mux(length == _SMALLEST, length, length + 1))
            with m.Else():
                m.d.sync += spoiled.eq(1)
        return m


class Framer(wiring.Component):
    """Makes frames: bytes of frames go in, bytes for the line come out.

    The first byte opens a frame. `close` ends it with its CRC, and must stay high until `closed` is high.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "valid": In(1),
                "ready": Out(1),
                "byte": In(8),
                "close": In(1),
                "closed": Out(1),
                "out_valid": Out(1),
                "out_ready": In(1),
                "out": Out(8),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        crc = Signal(32)
        work, byte = Signal(8), Signal(8)
        bits_left, tail_left = Signal(range(9)), Signal(range(CRC_BYTES + 1))
        in_tail = Signal()
        with m.FSM():
            with m.State("closed"), m.If(self.valid):
                m.d.comb += [self.out_valid.eq(1), self.out.eq(END)]
                with m.If(self.out_ready):
                    m.d.sync += [crc.eq(_CRC_START), in_tail.eq(0)]
                    m.next = "open"
            with m.State("open"):
                with m.If(self.close):
                    m.d.sync += [crc.eq(~crc), in_tail.eq(1), tail_left.eq(CRC_BYTES)]
                    m.next = "tail"
                with m.Elif(self.valid):
                    m.d.comb += self.ready.eq(1)
                    m.d.sync += [byte.eq(self.byte), work.eq(self.byte), bits_left.eq(8)]
                    m.next = "crc"
            with m.State("crc"):
                with m.If(bits_left == 0):
                    m.next = "emit"
                with m.Else():
                    m.d.sync += [crc.eq(crc_step(crc, work[0])), work.eq(work >> 1), bits_left.eq(bits_left - 1)]
            self._emit(m, byte, in_tail)
            with m.State("tail"):
                with m.If(tail_left == 0):
                    m.d.comb += [self.out_valid.eq(1), self.out.eq(END)]
                    with m.If(self.out_ready):
                        m.d.comb += self.closed.eq(1)
                        m.next = "closed"
                with m.Else():
                    m.d.sync += [byte.eq(crc[:8]), crc.eq(crc >> 8), tail_left.eq(tail_left - 1)]
                    m.next = "emit"
        return m

    def _emit(self, m: Module, byte: Value, in_tail: Value) -> None:
        """Sends a byte, as two if it must be escaped."""
        special = Signal()
        m.d.comb += special.eq((byte == END) | (byte == ESCAPE))

        def go_on() -> None:
            with m.If(in_tail):
                m.next = "tail"
            with m.Else():
                m.next = "open"

        with m.State("emit"):
            m.d.comb += [self.out_valid.eq(1), self.out.eq(Mux(special, ESCAPE, byte))]
            with m.If(self.out_ready):
                with m.If(special):
                    m.next = "escaped"
                with m.Else():
                    go_on()
        with m.State("escaped"):
            m.d.comb += [self.out_valid.eq(1), self.out.eq(Mux(byte == END, ESCAPED_END, ESCAPED_ESCAPE))]
            with m.If(self.out_ready):
                go_on()
