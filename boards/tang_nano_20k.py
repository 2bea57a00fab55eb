"""Sipeed Tang Nano 20K: Gowin GW2AR-18 with a BL616, which is programmer and serial link.

amaranth-boards has no platform for it, so it is here. The pins are those of Sipeed's schematic of the board.
"""

from amaranth.build import Attrs, Clock, Connector, Pins, Resource
from amaranth.vendor import GowinPlatform
from amaranth_boards.resources import ButtonResources, LEDResources, UARTResource

from dbhw.boards import Board

_LEVELS = Attrs(IO_TYPE="LVCMOS33")


class TangNano20kPlatform(GowinPlatform):
    """The parts of the board that need no memory controller."""

    part = "GW2AR-LV18QN88C8/I7"
    family = "GW2AR-18C"
    default_clk = "clk27"
    resources = [
        Resource("clk27", 0, Pins("4", dir="i"), Clock(27e6), _LEVELS),
        # The LEDs light when their pins are low, the buttons S1 and S2 are high when pressed.
        *LEDResources(pins="15 16 17 18 19 20", invert=True, attrs=_LEVELS),
        *ButtonResources(pins="88 87", attrs=_LEVELS),
        UARTResource(0, rx="70", tx="69", attrs=Attrs(IO_TYPE="LVCMOS33", PULL_MODE="UP")),
    ]
    connectors: list[Connector] = []


board = Board(
    title="Tang Nano 20K",
    family="gowin",
    part="GW2AR-LV18QN88C8/I7",
    luts=20736,
    ffs=15552,
    rams=46,
    clock_hz=27_000_000,
    link="USB, second port of the BL616",
    wiring="The USB-C cable carries programming and the link. LED 0, pin 15: pass. LED 5, pin 20: fail.",
    platform=TangNano20kPlatform,
    uart=("uart", 0),
    pass_led=("led", 0),
    fail_led=("led", 5),
    part_options=("--device", "GW2AR-LV18QN88C8/I7", "--vopt", "family=GW2A-18C"),
    pack_options=("-d", "GW2A-18C", "--sspi_as_gpio", "--mspi_as_gpio"),
    # No PLL: with one on this part, nextpnr 0.11 was seen not to come back from placing.
    program=("openFPGALoader", "-b", "tangnano20k", "{bitstream}"),
)
