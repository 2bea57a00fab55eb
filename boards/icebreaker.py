"""1BitSquared iCEBreaker: iCE40UP5K with an FT2232H, whose second channel is the serial link."""

from amaranth_boards.icebreaker import ICEBreakerPlatform

from dbhw.boards import Board
from dbhw.fpga.families import ice40

board = Board(
    title="iCEBreaker",
    family="ice40",
    part="iCE40UP5K-SG48",
    luts=5280,
    ffs=5280,
    rams=30,
    clock_hz=12_000_000,
    link="USB, second port of the FT2232H",
    wiring="The micro-USB cable carries programming and the link. Green LED: pass. Red LED: fail.",
    platform=ICEBreakerPlatform,
    uart=("uart", 0),
    pass_led=("led_g", 0),
    fail_led=("led_r", 0),
    part_options=("--up5k", "--package", "sg48"),
    pll=ice40.PLL_PAD,
    speed_mhz=45,
    program=("iceprog", "{bitstream}"),
)
