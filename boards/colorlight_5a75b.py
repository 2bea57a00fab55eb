"""Colorlight 5A-75B, revision 7.0: an ECP5 board for LED walls; link and LED share the two pins of J19."""

from amaranth.build import Attrs, Pins, Resource
from amaranth_boards.colorlight_5a75b_r7_0 import Colorlight_5A75B_R70Platform

from dbhw.boards import Board
from dbhw.fpga.families import ecp5

board = Board(
    title="Colorlight 5A-75B",
    family="ecp5",
    part="LFE5U-25F-6BG256",
    luts=24288,
    ffs=24288,
    rams=56,
    clock_hz=25_000_000,
    link="3.3 V serial adapter on J19",
    wiring="Adapter: its TX to J19 KEY+, its RX to J19 DATA_LED-, GND to J19 GND. The LED on the board: pass."
    " Pin 1 of J1, a 5 V output, to an LED with a resistor: fail.",
    platform=Colorlight_5A75B_R70Platform,
    resources=(Resource("fail", 0, Pins("1", dir="o", conn=("j", 1)), Attrs(IO_TYPE="LVCMOS33")),),
    uart=("uart", 0),
    pass_led=("led", 0),
    fail_led=("fail", 0),
    part_options=("--25k", "--package", "CABGA256", "--speed", "6"),
    pack_options=("--compress",),
    pll=ecp5.PLL,
    speed_mhz=139,
    program=("openFPGALoader", "-c", "ft232", "-m", "{bitstream}"),
)
