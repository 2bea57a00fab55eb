"""OrangeCrab r0.2 with the 25F part: ECP5; its USB port is the bootloader's alone, so the link needs an adapter."""

from amaranth.build import Attrs
from amaranth_boards.orangecrab_r0_2 import OrangeCrabR0_2_25FPlatform
from amaranth_boards.resources import UARTResource

from dbhw.boards import Board
from dbhw.fpga.families import ecp5

board = Board(
    title="OrangeCrab r0.2",
    family="ecp5",
    part="LFE5U-25F-8MG285",
    luts=24288,
    ffs=24288,
    rams=56,
    clock_hz=48_000_000,
    link="3.3 V serial adapter on pins 0 and 1",
    wiring="Adapter: its TX to pin 0, its RX to pin 1, GND to GND. Green LED: pass. Red LED: fail.",
    platform=OrangeCrabR0_2_25FPlatform,
    # A Feather board's pin 0 is RX and its pin 1 is TX, seen from the board.
    resources=(UARTResource(0, rx="0", tx="1", conn=("io", 0), attrs=Attrs(IO_TYPE="LVCMOS33")),),
    uart=("uart", 0),
    pass_led=("rgb_led", 0, "g"),
    fail_led=("rgb_led", 0, "r"),
    part_options=("--25k", "--package", "CSFBGA285", "--speed", "8"),
    pack_options=("--compress", "--freq", "38.8"),
    dfu_id=(0x1209, 0x5AF0),
    pll=ecp5.PLL,
    speed_mhz=183,
    program=("dfu-util", "-a", "0", "-D", "{bitstream}"),
)
