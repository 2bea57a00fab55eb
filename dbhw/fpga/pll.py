"""PLLs: the clocks that one makes from its input, the setting for a clock that is asked for, and the hardware.

A PLL divides its input clock by `reference`, and the clock of its oscillator, the VCO, by `output`. The VCO's clock is
the divided input times `feedback`; in a PLL that feeds its output back, the output is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from amaranth.hdl import ClockDomain, ClockSignal, Elaboratable, Instance, Module, ResetSignal, Signal
from amaranth.lib import io, wiring
from amaranth.lib.cdc import ResetSynchronizer
from amaranth.lib.wiring import In, Out

from dbhw.base.errors import DbhwError

if TYPE_CHECKING:
    from amaranth.build import Platform

MHZ = 1_000_000
# Block RAMs of the iCE40 read as zero for some microseconds after configuration: nothing may run before that is over.
_SECONDS_TO_START = 15e-6


@dataclass(frozen=True)
class Setting:
    """The divisors of a PLL, and its exact frequencies in hertz."""

    reference: int
    feedback: int
    output: int
    pfd_hz: Fraction  # at the phase detector, which compares the divided input with the feedback
    vco_hz: Fraction
    hz: Fraction  # of the output


@dataclass(frozen=True)
class Pll:
    """A PLL: its least and greatest frequencies in MHz, its divisors, and its primitive.

    `ports` are the primitive's for input, output and lock; `others` gives its parameters and its other ports.
    With `takes_pin` the input is the clock's pin itself.
    """

    primitive: str
    ports: tuple[str, str, str]
    others: Callable[[Setting], dict[str, object]]
    input_mhz: tuple[float, float]
    pfd_mhz: tuple[float, float]
    vco_mhz: tuple[float, float]
    output_mhz: tuple[float, float]
    references: Sequence[int]
    feedbacks: Sequence[int]
    outputs: Sequence[int]
    feeds_output_back: bool
    feedback_port: str = ""
    takes_pin: bool = False


@cache
def settings(pll: Pll, input_hz: int) -> tuple[Setting, ...]:
    """All settings of a PLL that keep to its limits.

    >>> from dbhw.fpga.families import ice40
    >>> max(setting.hz for setting in settings(ice40.PLL, 12_000_000))
    Fraction(270000000, 1)
    """
    return tuple(_settings(pll, input_hz)) if _within(input_hz, pll.input_mhz) else ()


def _settings(pll: Pll, input_hz: int) -> Iterator[Setting]:
    for reference in pll.references:
        pfd = Fraction(input_hz, reference)
        if not _within(input_hz, pll.pfd_mhz, reference):
            continue
        for feedback in pll.feedbacks:
            for output in pll.outputs:
                # Fractions are slow: this is an integer, the VCO's clock times the divisor of the input.
                vco = input_hz * feedback * (output if pll.feeds_output_back else 1)
                if _within(vco, pll.vco_mhz, reference) and _within(vco, pll.output_mhz, reference * output):
                    hz = Fraction(vco, reference)
                    yield Setting(reference, feedback, output, pfd, hz, hz / output)


def nearest(pll: Pll, input_hz: int, asked_hz: float) -> Setting:
    """The setting with the highest frequency that is not above the one asked for.

    Of several, the one that divides its input least, so that the loop follows it closely; of those, the one whose VCO
    is farthest from its limits.

    >>> from dbhw.fpga.families import ice40
    >>> nearest(ice40.PLL, 12_000_000, 50_000_000).hz
    Fraction(49500000, 1)
    >>> nearest(ice40.PLL, 12_000_000, 5_000_000)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: clock must be at least 16.125 MHz out of this PLL, which makes up to 270, not 5
    """
    low = [setting for setting in settings(pll, input_hz) if setting.hz <= asked_hz]
    if not low:
        slowest, most = (float(hz) / MHZ for hz in (least(pll, input_hz), fastest(pll, input_hz)))
        raise DbhwError(
            f"clock must be at least {slowest:g} MHz out of this PLL, which makes up to {most:g},"
            f" not {asked_hz / MHZ:g}"
        )
    middle = sum(pll.vco_mhz) / 2 * MHZ
    return max(low, key=lambda setting: (setting.hz, -setting.reference, -abs(setting.vco_hz - middle)))


def least(pll: Pll, input_hz: int) -> Fraction:
    """The slowest clock that a PLL makes.

    >>> from dbhw.fpga.families import ice40
    >>> least(ice40.PLL, 12_000_000)
    Fraction(16125000, 1)
    """
    return min(setting.hz for setting in settings(pll, input_hz))


def fastest(pll: Pll, input_hz: int) -> Fraction:
    """The fastest clock that a PLL makes.

    >>> from dbhw.fpga.families import ice40
    >>> fastest(ice40.PLL, 12_000_000)
    Fraction(270000000, 1)
    """
    return max(setting.hz for setting in settings(pll, input_hz))


class PllClock(Elaboratable):
    """Drives the clock domain `sync` from a PLL; the domain is in reset whenever the PLL is not locked."""

    def __init__(self, pll: Pll, setting: Setting) -> None:
        self.pll = pll
        self.setting = setting

    def elaborate(self, platform: Platform) -> Module:
        m = Module()
        clock, locked = Signal(name="pll_clock"), Signal(name="pll_locked")
        pin = platform.request(platform.default_clk, dir="-")
        if self.pll.takes_pin:
            source = pin.io
        else:
            m.submodules.buffer = buffer = io.Buffer("i", pin)
            source = buffer.i
        clock_in, clock_out, lock = self.pll.ports
        ports = {f"i_{clock_in}": source, f"o_{clock_out}": clock, f"o_{lock}": locked}
        if self.pll.feedback_port:
            ports[f"i_{self.pll.feedback_port}"] = clock
        # nextpnr knows the primitive and constrains its output.
        m.submodules.pll = Instance(self.pll.primitive, **ports, **self.pll.others(self.setting))

        m.domains += ClockDomain("starting", local=True)
        m.submodules.start = start = Start(int(self.setting.hz * Fraction(_SECONDS_TO_START)))
        m.d.comb += [
            ClockSignal("starting").eq(clock),
            ClockSignal("sync").eq(clock),
            start.locked.eq(locked),
            ResetSignal("sync").eq(~start.ready),
        ]
        return m


class Start(wiring.Component):
    """`ready` rises a number of cycles of the domain `starting` after the PLL has locked, and falls when it unlocks."""

    def __init__(self, cycles: int) -> None:
        self.cycles = cycles
        super().__init__({"locked": In(1), "ready": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.unlocked = ResetSynchronizer(~self.locked, domain="starting")
        timer = Signal(range(self.cycles + 1))
        with m.If(timer == self.cycles):
            m.d.starting += self.ready.eq(1)
        with m.Else():
            m.d.starting += timer.eq(timer + 1)
        return m


def _within(hz: int, megahertz: tuple[float, float], divisor: int = 1) -> bool:
    """Whether a frequency, divided, is within limits."""
    return megahertz[0] * MHZ * divisor <= hz <= megahertz[1] * MHZ * divisor
