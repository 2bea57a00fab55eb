"""Radiona ULX3S with the 85F part: ECP5 with an FT231X, which is the serial link."""

from amaranth_boards.ulx3s import ULX3S_85F_Platform

from dbhw.boards import Board
from dbhw.fpga.families import ecp5

board = Board(
    title="ULX3S-85F",
    family="ecp5",
    part="LFE5U-85F-6BG381",
    luts=83640,
    ffs=83640,
    rams=208,
    clock_hz=25_000_000,
    link="USB, port US1 (FT231X)",
    wiring="The cable in US1 carries programming and the link. LED 0: pass. LED 7: fail.",
    platform=ULX3S_85F_Platform,
    uart=("uart", 0),
    pass_led=("led", 0),
    fail_led=("led", 7),
    part_options=("--85k", "--package", "CABGA381", "--speed", "6"),
    pack_options=("--compress",),
    pll=ecp5.PLL,
    speed_mhz=139,
    program=("openFPGALoader", "-b", "ulx3s", "-m", "{bitstream}"),
)
