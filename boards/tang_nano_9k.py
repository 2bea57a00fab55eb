"""Sipeed Tang Nano 9K: Gowin GW1NR-9 with a BL702, which is programmer and serial link."""

from amaranth_boards.tang_nano_9k import TangNano9kPlatform

from dbhw.boards import Board
from dbhw.fpga.families import gowin

board = Board(
    title="Tang Nano 9K",
    family="gowin",
    part="GW1NR-LV9QN88PC6/I5",
    luts=8640,
    ffs=6480,
    rams=26,
    clock_hz=27_000_000,
    link="USB, second port of the BL702",
    wiring="The USB-C cable carries programming and the link. LED 0, pin 10: pass. LED 5, pin 16: fail.",
    platform=TangNano9kPlatform,
    uart=("uart", 0),
    pass_led=("led", 0),
    fail_led=("led", 5),
    part_options=("--device", "GW1NR-LV9QN88PC6/I5", "--vopt", "family=GW1N-9C"),
    pack_options=("-d", "GW1N-9C", "--sspi_as_gpio", "--mspi_as_gpio"),
    pll=gowin.PLL_GW1NR_9,
    speed_mhz=130,
    program=("openFPGALoader", "-b", "tangnano9k", "{bitstream}"),
)
