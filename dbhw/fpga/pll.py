"""Clocks out of a board's PLL: which there are, which is nearest, and the primitive that makes it.

A PLL divides its input clock by `reference` and the clock of its oscillator, the VCO, by `output`. It holds the VCO
where `feedback` times the divided input is the VCO's clock, or, where it feeds back what goes out, the output's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from amaranth.hdl import ClockDomain, ClockSignal, Const, Elaboratable, Instance, Module, ResetSignal, Signal
from amaranth.lib import io, wiring
from amaranth.lib.cdc import ResetSynchronizer
from amaranth.lib.wiring import In, Out

from dbhw.base.errors import DbhwError

if TYPE_CHECKING:
    from dbhw.boards import Board

_MHZ = 1_000_000
# Block RAMs of the iCE40 read as zero for some microseconds after configuration; nothing may run before they do not.
_SECONDS_TO_START = 15e-6


@dataclass(frozen=True)
class Setting:
    """Divisors of a PLL, its frequencies in hertz, exact, and what goes out."""

    reference: int
    feedback: int
    output: int
    pfd_hz: Fraction  # where the divided input meets the feedback
    vco_hz: Fraction
    hz: Fraction


@dataclass(frozen=True)
class Pll:
    """A PLL: frequencies it works at, in MHz from least to most, its divisors, and how it is instantiated.

    `ports` are the primitive's for input, output and lock; `others` gives its parameters and the rest of its ports.
    With `takes_pin` the input is the clock's pin itself.
    """

    primitive: str
    ports: tuple[str, str, str]
    others: Callable[[Setting], dict[str, Any]]
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

    >>> max(setting.hz for setting in settings(ICE40, 12_000_000))
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
                # Fractions are slow, so this is the VCO's clock times the divisor of the input.
                vco = input_hz * feedback * (output if pll.feeds_output_back else 1)
                if _within(vco, pll.vco_mhz, reference) and _within(vco, pll.output_mhz, reference * output):
                    hz = Fraction(vco, reference)
                    yield Setting(reference, feedback, output, pfd, hz, hz / output)


def nearest(pll: Pll, input_hz: int, asked_hz: float) -> Setting:
    """The setting with the highest frequency that is not above the one asked for.

    Of several, the one that divides its input least, so that the loop follows it closely, then the one whose VCO is
    farthest from its limits.

    >>> nearest(ICE40, 12_000_000, 50_000_000).hz
    Fraction(49500000, 1)
    >>> nearest(ICE40, 12_000_000, 5_000_000)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: clock must be at least 16.125 MHz out of this PLL, which makes up to 270, not 5
    """
    low = [setting for setting in settings(pll, input_hz) if setting.hz <= asked_hz]
    if not low:
        slowest, most = (float(hz) / _MHZ for hz in (least(pll, input_hz), fastest(pll, input_hz)))
        raise DbhwError(
            f"clock must be at least {slowest:g} MHz out of this PLL, which makes up to {most:g},"
            f" not {asked_hz / _MHZ:g}"
        )
    middle = sum(pll.vco_mhz) / 2 * _MHZ
    return max(low, key=lambda setting: (setting.hz, -setting.reference, -abs(setting.vco_hz - middle)))


def least(pll: Pll, input_hz: int) -> Fraction:
    """The slowest clock there is.

    >>> least(ICE40, 12_000_000)
    Fraction(16125000, 1)
    """
    return min(setting.hz for setting in settings(pll, input_hz))


def fastest(pll: Pll, input_hz: int) -> Fraction:
    """The fastest clock there is.

    >>> fastest(ICE40, 12_000_000)
    Fraction(270000000, 1)
    """
    return max(setting.hz for setting in settings(pll, input_hz))


@dataclass(frozen=True)
class Clock:
    """A clock for the logic, in hertz: the board's own, or out of its PLL with a setting."""

    hz: Fraction
    setting: Setting | None = None

    @property
    def megahertz(self) -> float:
        return float(self.hz) / _MHZ


def clock(name: str, board: Board, asked: str) -> Clock:
    """The clock that `board` or a number of megahertz asks for on a board; for `fastest`, the most its PLL makes.

    >>> from dbhw import boards
    >>> clock("icestick", boards.find("icestick"), "31").megahertz
    30.75
    """
    if asked == "board":
        return Clock(Fraction(board.clock_hz))
    try:
        megahertz = math.inf if asked == "fastest" else float(asked)
    except ValueError:
        megahertz = 0
    if not megahertz > 0 or (megahertz == math.inf and asked != "fastest"):
        raise DbhwError(f"clock must be board, fastest or a number of MHz, not {asked!r}")
    return below(name, board, megahertz * _MHZ)


def below(name: str, board: Board, hz: float) -> Clock:
    """The fastest clock of a board's PLL that is not above a frequency.

    >>> from dbhw import boards
    >>> below("arty_a7", boards.find("arty_a7"), 50e6)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: clock must be board on board arty_a7, for which no PLL is known to work with open tools
    """
    if board.pll is None:
        raise DbhwError(f"clock must be board on board {name}, for which no PLL is known to work with open tools")
    setting = nearest(board.pll, board.clock_hz, hz)
    return Clock(setting.hz, setting)


class PllClock(Elaboratable):
    """Drives the clock domain `sync` from a PLL, in reset until the PLL has locked, and whenever it has not."""

    def __init__(self, pll: Pll, setting: Setting) -> None:
        self.pll = pll
        self.setting = setting

    def elaborate(self, platform: Any) -> Module:
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
    """Says `ready` so many clocks of the domain `starting` after the PLL has locked, and no more when it has not."""

    def __init__(self, clocks: int) -> None:
        self.clocks = clocks
        super().__init__({"locked": In(1), "ready": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.unlocked = ResetSynchronizer(~self.locked, domain="starting")
        timer = Signal(range(self.clocks + 1))
        with m.If(timer == self.clocks):
            m.d.starting += self.ready.eq(1)
        with m.Else():
            m.d.starting += timer.eq(timer + 1)
        return m


def _within(hz: int, megahertz: tuple[float, float], times: int = 1) -> bool:
    """Whether a frequency is so many times one within limits."""
    return megahertz[0] * _MHZ * times <= hz <= megahertz[1] * _MHZ * times


def _ice40(setting: Setting) -> dict[str, Any]:
    """Of Lattice's TN1251; the filter is chosen by the frequency where input and feedback meet."""
    bounds = (17, 26, 44, 66, 101)
    return {
        "p_FEEDBACK_PATH": "SIMPLE",
        "p_DIVR": Const(setting.reference - 1, 4),
        "p_DIVF": Const(setting.feedback - 1, 7),
        "p_DIVQ": Const(setting.output.bit_length() - 1, 3),
        "p_FILTER_RANGE": Const(1 + sum(setting.pfd_hz >= bound * _MHZ for bound in bounds), 3),
        "i_RESETB": Const(1),
        "i_BYPASS": Const(0),
    }


def _ecp5(setting: Setting) -> dict[str, Any]:
    """Of Lattice's TN1263; the analogue settings are those that Project Trellis has seen Lattice's tool choose."""
    return {
        "a_ICP_CURRENT": "12",
        "a_LPF_RESISTOR": "8",
        "a_MFG_ENABLE_FILTEROPAMP": "1",
        "a_MFG_GMCREF_SEL": "2",
        "p_PLLRST_ENA": "DISABLED",
        "p_INTFB_WAKE": "DISABLED",
        "p_STDBY_ENABLE": "DISABLED",
        "p_DPHASE_SOURCE": "DISABLED",
        "p_OUTDIVIDER_MUXA": "DIVA",
        "p_CLKOP_ENABLE": "ENABLED",
        "p_CLKOP_DIV": setting.output,
        "p_CLKOP_CPHASE": setting.output // 2,
        "p_CLKOP_FPHASE": 0,
        "p_CLKFB_DIV": setting.feedback,
        "p_CLKI_DIV": setting.reference,
        "p_FEEDBK_PATH": "CLKOP",
        **{f"i_{port}": Const(0) for port in ("RST", "STDBY", "PHASESEL0", "PHASESEL1", "PLLWAKESYNC", "ENCLKOP")},
        **{f"i_{port}": Const(1) for port in ("PHASEDIR", "PHASESTEP", "PHASELOADREG")},
    }


def _gowin(device: str, setting: Setting) -> dict[str, Any]:
    """Of Gowin's UG286."""
    return {
        "p_DEVICE": device,
        "p_FCLKIN": f"{float(setting.pfd_hz * setting.reference) / _MHZ:g}",
        "p_IDIV_SEL": setting.reference - 1,
        "p_FBDIV_SEL": setting.feedback - 1,
        "p_ODIV_SEL": setting.output,
        **{f"p_DYN_{what}_SEL": "false" for what in ("IDIV", "FBDIV", "ODIV")},
        "p_DYN_DA_EN": "false",
        "p_CLKFB_SEL": "internal",
        **{f"p_{output}_BYPASS": "false" for output in ("CLKOUT", "CLKOUTP", "CLKOUTD")},
        **{f"i_{port}": Const(0) for port in ("RESET", "RESET_P", "CLKFB")},
        **{f"i_{port}": Const(0, 6) for port in ("FBDSEL", "IDSEL", "ODSEL")},
        **{f"i_{port}": Const(0, 4) for port in ("PSDA", "DUTYDA", "FDLY")},
    }


# Limits of the iCE40 LP/HX and UltraPlus data sheets.
ICE40 = Pll(
    primitive="SB_PLL40_CORE",
    ports=("REFERENCECLK", "PLLOUTGLOBAL", "LOCK"),
    others=_ice40,
    input_mhz=(10, 133),
    pfd_mhz=(10, 133),
    vco_mhz=(533, 1066),
    output_mhz=(16, 275),
    references=range(1, 17),
    feedbacks=range(1, 129),
    outputs=tuple(1 << q for q in range(1, 7)),
    feeds_output_back=False,
)
# Where the clock's pin is the PLL's own: the PLL takes it before any buffer does.
ICE40_PAD = replace(ICE40, primitive="SB_PLL40_PAD", ports=("PACKAGEPIN", "PLLOUTGLOBAL", "LOCK"), takes_pin=True)

# Limits of the ECP5 data sheet, and Project Trellis' for the output and its feedback.
ECP5 = Pll(
    primitive="EHXPLLL",
    ports=("CLKI", "CLKOP", "LOCK"),
    others=_ecp5,
    input_mhz=(8, 400),
    pfd_mhz=(3.125, 400),
    vco_mhz=(400, 800),
    output_mhz=(10, 400),
    references=range(1, 129),
    feedbacks=range(1, 81),
    outputs=range(1, 129),
    feeds_output_back=True,
    feedback_port="CLKFB",
)

# Limits of data sheet DS117 for the speed grade C6/I5.
GW1NR_9 = Pll(
    primitive="rPLL",
    ports=("CLKIN", "CLKOUT", "LOCK"),
    others=partial(_gowin, "GW1NR-9C"),
    input_mhz=(3, 400),
    pfd_mhz=(3, 400),
    vco_mhz=(400, 1200),
    output_mhz=(3.125, 600),
    references=range(1, 65),
    feedbacks=range(1, 65),
    outputs=(2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128),
    feeds_output_back=True,
)
