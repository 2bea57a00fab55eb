"""Digilent Arty Z7-20: Xilinx Zynq-7020; its USB serial port is the processor's, so the link needs an adapter."""

from amaranth.build import Attrs
from amaranth_boards.arty_z7 import ArtyZ720Platform
from amaranth_boards.resources import UARTResource

from dbhw.boards import Board

board = Board(
    title="Arty Z7-20",
    family="xilinx",
    part="xc7z020clg400-1",
    luts=53200,
    ffs=106400,
    rams=280,
    clock_hz=125_000_000,
    link="3.3 V serial adapter on Pmod JA",
    wiring="Adapter: its TX to JA3, its RX to JA2, GND to JA5. LED LD4 green: pass; red: fail. The clock comes from"
    " the Ethernet chip and runs without the processor.",
    platform=ArtyZ720Platform,
    resources=(UARTResource(0, rx="3", tx="2", conn=("pmod", 0), attrs=Attrs(IOSTANDARD="LVCMOS33")),),
    uart=("uart", 0),
    pass_led=("rgb_led", 0, "g"),
    fail_led=("rgb_led", 0, "r"),
    program=("openFPGALoader", "-b", "arty_z7_20", "{bitstream}"),
)
