"""Digilent Arty A7-35: Xilinx Artix-7 with an FT2232H, whose second channel is the serial link."""

from amaranth_boards.arty_a7 import ArtyA7_35Platform

from dbhw.boards import Board

board = Board(
    title="Arty A7-35",
    family="xilinx",
    part="xc7a35ticsg324-1L",
    luts=20800,
    ffs=41600,
    rams=100,
    clock_hz=100_000_000,
    link="USB, second port of the FT2232H",
    wiring="The micro-USB cable carries programming and the link. LED LD0 green: pass; red: fail.",
    platform=ArtyA7_35Platform,
    uart=("uart", 0),
    pass_led=("rgb_led", 0, "g"),
    fail_led=("rgb_led", 0, "r"),
    program=("openFPGALoader", "-b", "arty_a7_35t", "{bitstream}"),
)
