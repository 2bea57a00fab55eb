"""Xilinx 7-series. Vivado makes its bitstreams; Yosys synthesises for it to count and to prove."""

from dbhw.fpga.family import Family, Project, Stages

family = Family(
    synthesis="synth_xilinx -flatten",
    without_pins="-noiopad -noclkbuf",
    models="xilinx/cells_sim.v",
    luts={"LUT?": 1, "INV": 1},
    flip_flops="FD*",
    carries="CARRY?",
    rams={"RAMB18E1": 1, "RAMB36E1": 2},
    # All cells that Yosys knows make every stage slow; of those without pins, only these are used.
    stages=Stages("map_memory", "map_ffram", cells="xilinx/cells_sim.v", prepared="prepare"),
    lut_inputs=6,
    tables="-map +/xilinx/lut_map.v -D LUT_WIDTH=6",
    project=Project("Vivado", ("top.v", "top.xdc", "top.tcl", "build_top.sh"), "top.bit"),
)
