"""TinyFPGA BX: iCE40LP8K; its USB port is the bootloader's alone, so the link needs an adapter."""

from amaranth.build import Attrs, Pins, Resource
from amaranth_boards.resources import UARTResource
from amaranth_boards.tinyfpga_bx import TinyFPGABXPlatform

from dbhw.boards import Board
from dbhw.fpga.families import ice40

_LEVELS = Attrs(IO_STANDARD="SB_LVCMOS")

board = Board(
    title="TinyFPGA BX",
    family="ice40",
    part="iCE40LP8K-CM81",
    luts=7680,
    ffs=7680,
    rams=32,
    clock_hz=16_000_000,
    link="3.3 V serial adapter on pins 1 and 2",
    wiring="Adapter: its TX to pin 1, its RX to pin 2, GND to G. The LED on the board: pass. Pin 3, to an LED with"
    " a resistor: fail.",
    platform=TinyFPGABXPlatform,
    resources=(
        UARTResource(0, rx="1", tx="2", conn=("gpio", 0), attrs=_LEVELS),
        Resource("fail", 0, Pins("3", dir="o", conn=("gpio", 0)), _LEVELS),
    ),
    uart=("uart", 0),
    pass_led=("led", 0),
    fail_led=("fail", 0),
    part_options=("--lp8k", "--package", "cm81"),
    pll=ice40.PLL,
    speed_mhz=72,
    program=("tinyprog", "-p", "{bitstream}"),
)
