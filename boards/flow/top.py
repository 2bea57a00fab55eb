"""A top wired to a board's pins."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from amaranth.hdl import ClockDomain, Elaboratable, Module
from amaranth.lib import io

from dbhw.boards import Board, Pin
from dbhw.fpga.pll import PllClock, Setting
from dbhw.rtl.link.tops import SelfTest, Served

if TYPE_CHECKING:
    from amaranth.build import Platform


class OnBoard(Elaboratable):
    """A core with its link on the board's serial pins, or a self-test on its LEDs; on its own clock or on its PLL's."""

    def __init__(self, board: Board, top: Served | SelfTest, setting: Setting | None = None) -> None:
        self.board = board
        self.top = top
        self.setting = setting

    def elaborate(self, platform: Platform) -> Module:
        m = Module()
        m.submodules.top = top = self.top
        if self.setting is not None and self.board.pll is not None:
            m.domains += ClockDomain("sync")
            m.submodules.clock = PllClock(self.board.pll, self.setting)

        @cache
        def resource(name: str, number: int) -> Any:
            return platform.request(name, number, dir="-")

        def port(pin: Pin) -> Any:
            found = resource(*pin[:2])
            return getattr(found, str(pin[2])) if len(pin) > 2 else found

        if isinstance(top, Served):
            uart = port(self.board.uart)
            m.submodules.rx = rx = io.Buffer("i", uart.rx)
            m.submodules.tx = tx = io.Buffer("o", uart.tx)
            m.d.comb += [top.rx.eq(rx.i), tx.o.eq(top.tx)]
        else:
            m.submodules.passed = passed = io.Buffer("o", port(self.board.pass_led))
            m.submodules.failed = failed = io.Buffer("o", port(self.board.fail_led))
            m.d.comb += [passed.o.eq(top.passed), failed.o.eq(top.failed)]
        return m
