"""Lattice iCEstick: iCE40HX1K, the smallest part here, with an FT2232H, whose second channel is the serial link."""

from amaranth_boards.icestick import ICEStickPlatform

from dbhw.boards import Board
from dbhw.fpga.families import ice40

board = Board(
    title="iCEstick",
    family="ice40",
    part="iCE40HX1K-TQ144",
    luts=1280,
    ffs=1280,
    rams=16,
    clock_hz=12_000_000,
    link="USB, second port of the FT2232H",
    wiring="The stick goes into a USB port. Green LED D5: pass. Red LED D1: fail.",
    platform=ICEStickPlatform,
    uart=("uart", 0),
    pass_led=("led", 4),
    fail_led=("led", 0),
    part_options=("--hx1k", "--package", "tq144"),
    pll=ice40.PLL,
    speed_mhz=113,
    program=("iceprog", "{bitstream}"),
)
