"""A serial line: eight data bits, lowest first, no parity, one stop bit."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.cdc import FFSynchronizer
from amaranth.lib.wiring import In, Out

from dbhw.base.errors import DbhwError

# Below this, the edge of a start bit is seen too late to sample the bits near their middle.
LEAST_DIVISOR = 4
# A byte is ten bits long; off by more than this, its last bit is sampled too near an edge.
_MOST_ERROR = 0.02


def divisor(clock_hz: int, baud: int) -> int:
    """How many clocks a bit takes; a `DbhwError` where the clock cannot make the rate.

    >>> divisor(12_000_000, 1_000_000)
    12
    """
    clocks = round(clock_hz / baud) if baud > 0 else 0
    if clocks < LEAST_DIVISOR:
        raise DbhwError(f"baud must be between 1 and {clock_hz // LEAST_DIVISOR} at {clock_hz} Hz, not {baud}")
    if abs(clock_hz / clocks - baud) > _MOST_ERROR * baud:
        raise DbhwError(f"baud must be within 2 % of a whole part of {clock_hz} Hz, not {baud}")
    return clocks


class Receiver(wiring.Component):
    """Gives a byte with a strobe when its stop bit is seen. A byte without one is noise and is dropped."""

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
            # A line that stays low is a break; its end is no start bit.
            with m.State("stop"), m.If(line):
                m.next = "idle"
        return m


class Transmitter(wiring.Component):
    """Takes a byte when `valid` and `ready` are both high."""

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
            # The start bit, then the data; the stop bit is shifted in behind them.
            m.d.sync += [shift.eq(Cat(Const(0, 1), self.data)), bits_left.eq(10), timer.eq(self.divisor - 1)]
        return m
