"""A serial line: eight data bits, lowest first, no parity, one stop bit."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.cdc import FFSynchronizer
from amaranth.lib.wiring import In, Out

from dbhw.base.errors import DbhwError

# With fewer cycles per bit, the start bit is seen too late to sample the bits near their middle.
LEAST_DIVISOR = 4
# A byte has ten bits. With a larger error of the rate, the last one is sampled too near an edge.
_MOST_ERROR = 0.02


def divisor(clock_hz: int, baud: int) -> int:
    """How many cycles a bit takes, with a `DbhwError` if the clock cannot make the baud rate.

    >>> divisor(12_000_000, 1_000_000)
    12
    """
    cycles = round(clock_hz / baud) if baud > 0 else 0
    if cycles < LEAST_DIVISOR:
        raise DbhwError(f"baud must be between 1 and {clock_hz // LEAST_DIVISOR} at {clock_hz} Hz, not {baud}")
    if abs(clock_hz / cycles - baud) > _MOST_ERROR * baud:
        raise DbhwError(f"baud must be within 2 % of {clock_hz} Hz divided by a whole number, not {baud}")
    return cycles


class Receiver(wiring.Component):
    """Receives bytes: `valid` is high for one cycle after the stop bit. A byte without a stop bit is dropped."""

    def __init__(self, divisor: int) -> None:
        self.divisor = divisor
        super().__init__({"line": In(1, init=1), "valid": Out(1), "data": Out(8)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        line = Signal(init=1)
        m.submodules.synchronizer = FFSynchronizer(self.line, line, init=1)
        timer = Signal(range(self.divisor))
        bits_left = Signal(range(9))
        m.d.sync += [self.valid.eq(0), timer.eq(timer - 1)]
        with m.FSM():
            with m.State("idle"), m.If(~line):
                m.d.sync += timer.eq(self.divisor // 2 - 1)
                m.next = "start"
            with m.State("start"), m.If(timer == 0):
                m.d.sync += [timer.eq(self.divisor - 1), bits_left.eq(8)]
                with m.If(line):
                    m.next = "idle"  # a glitch, not a start bit
                with m.Else():
                    m.next = "bits"
            with m.State("bits"), m.If(timer == 0):
                m.d.sync += timer.eq(self.divisor - 1)
                with m.If(bits_left == 0):
                    m.d.sync += self.valid.eq(line)
                    m.next = "stop"
                with m.Else():
                    m.d.sync += [self.data.eq(Cat(self.data[1:], line)), bits_left.eq(bits_left - 1)]
            # A line that stays low is a break; the line must be high before the next start bit.
            with m.State("stop"), m.If(line):
                m.next = "idle"
        return m


class Transmitter(wiring.Component):
    """Sends bytes: it takes one when `valid` and `ready` are both high."""

    def __init__(self, divisor: int) -> None:
        self.divisor = divisor
        super().__init__({"line": Out(1, init=1), "valid": In(1), "ready": Out(1), "data": In(8)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        timer = Signal(range(self.divisor))
        shift = Signal(9, init=0x1FF)
        bits_left = Signal(range(11))
        m.d.comb += [self.ready.eq(bits_left == 0), self.line.eq(shift[0])]
        with m.If(~self.ready):
            m.d.sync += timer.eq(timer - 1)
            with m.If(timer == 0):
                m.d.sync += [shift.eq(Cat(shift[1:], Const(1, 1))), bits_left.eq(bits_left - 1)]
                m.d.sync += timer.eq(self.divisor - 1)
        with m.Elif(self.valid):
            # The start bit and the data; the stop bit is shifted in after them.
            m.d.sync += [shift.eq(Cat(Const(0, 1), self.data)), bits_left.eq(10), timer.eq(self.divisor - 1)]
        return m
