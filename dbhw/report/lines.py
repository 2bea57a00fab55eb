"""Results as lines for people, with units and bars. Programs read the JSON instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbhw.base import terminal

if TYPE_CHECKING:
    from dbhw.boards.flow.build import Built
    from dbhw.fpga.place import Placed

_KINDS = ("LUTs", "FFs", "block RAMs")


def of_placed(placed: Placed) -> dict[str, str]:
    """What place and route reached for a core.

    >>> from dbhw.fpga.place import CriticalPath, Placed
    >>> path = CriticalPath("fed[2]", "core.lut_1_at1", 1, 0.76, 1.25)
    >>> of_placed(Placed("ecp5", "LFE5U-85F-6BG381", 498.5, [498.5], 28, 83640, 55, 83640, path))["longest path"]
    'fed[2] -> core.lut_1_at1: 1 cell between, 0.76 ns in cells, 1.25 ns in wires'
    """
    path = placed.critical_path
    between = f"{path.through} cell{'s' * (path.through != 1)} between"
    return {
        "part": placed.part,
        "LUTs with harness": terminal.bar(placed.luts, placed.luts_available),
        "FFs with harness": terminal.bar(placed.ffs, placed.ffs_available),
        "reaches": f"{placed.fmax_mhz:g} MHz, the median of {len(placed.fmax_by_seed)} placements",
        "longest path": f"{path.start} -> {path.end}: {between}, {path.logic_ns} ns in cells,"
        f" {path.routing_ns} ns in wires",
    }


def of_built(built: Built) -> dict[str, str | float]:
    """What a build made for a board, and what it costs.

    >>> from dbhw.boards.flow.build import Built
    >>> values = dict.fromkeys(Built.__annotations__, 1) | {"estimate": {"luts": 1, "ffs": 2, "rams": 3}}
    >>> lines = of_built(Built(**values))
    >>> lines["estimated"], lines["latency"]
    ('1 LUTs, 2 FFs, 3 block RAMs', '1 cycles, 1 ns')
    """
    fmax = "only the vendor's tool can tell" if built.fmax_mhz is None else f"{built.fmax_mhz:g} MHz"
    made = "a project for Vivado: run build_top.sh there" if built.bitstream is None else built.bitstream
    size = f", {built.bitstream_bytes} bytes" if built.bitstream_bytes else ""
    rates = {"inferences_in_core": f"{built.core_per_second} / s"}
    if built.link_per_second is not None:
        rates["inferences_over_link"] = f"at most {built.link_per_second} / s at {built.baud} baud"
    return {
        "board": built.board,
        "top": built.top,
        "weights": built.weights,
        "bitstream": f"{made}{size}",
        "LUTs": terminal.bar(built.luts, built.luts_available),
        "FFs": terminal.bar(built.ffs, built.ffs_available),
        "block_RAMs": terminal.bar(built.rams, built.rams_available),
        "estimated": ", ".join(f"{n} {kind}" for n, kind in zip(built.estimate.values(), _KINDS, strict=True)),
        "clock": f"{built.clock_mhz:g} MHz" + (", from the PLL" if built.clock_source == "PLL" else ""),
        "reaches": fmax,
        "latency": f"{built.latency_clocks} cycles, {built.latency_ns:g} ns",
        **rates,
        "seconds": built.seconds,
    }
