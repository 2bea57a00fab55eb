"""Project IceStorm: the netlist that is in a bitstream of an iCE40, and where nextpnr has put what.

PyPI has the packer; `icebox_vlog`, which knows what the bits mean, comes from Debian's package `fpga-icestorm`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dbhw.base.errors import DbhwError
from dbhw.tools import process

_UNPACK, _READ = "yowasp-iceunpack", "icebox_vlog"
_PLACE = re.compile(r"X(\d+)/Y(\d+)/(?:lc(\d+)|ram)")
_MADE_UP = "_SB_"  # in names that Yosys gives to what has none


def recovered(bitstream: bytes, constraints: str, package: str, folder: Path) -> str:
    """The Verilog of a module `chip` that does what a bitstream says; its ports are the pins that constraints name.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     recovered(b"no bitstream", "set_io clk 21", "tq144", Path(folder))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: bitstream must be one for an iCE40, but it cannot be read...
    """
    (folder / "chip.bin").write_bytes(bitstream)
    (folder / "chip.pcf").write_text(constraints)
    unpack, read = process.find(_UNPACK, "to read a bitstream"), _found()
    try:
        process.run(_UNPACK, [unpack, "chip.bin", "chip.asc"], folder)
        return process.run(_READ, [read, "-s", "-p", "chip.pcf", "-d", package, "chip.asc"], folder)
    except process.ToolError as wrong:
        raise DbhwError(f"bitstream must be one for an iCE40, but it cannot be read: {wrong}") from wrong


def _found() -> str:
    try:
        return process.find(_READ, "to read a bitstream")
    except DbhwError as lacking:
        raise DbhwError(f"{lacking}: sim/install_icebox.sh .venv, or apt install fpga-icestorm") from lacking


def places(netlist: str, placed: str) -> dict[str, dict[str, list[str]]]:
    """Where registers and RAM blocks are, from the netlist that nextpnr took and the one that it wrote.

    Registers have the names of the wire that they drive, as far as they are not made up by synthesis.

    >>> cell = {"type": "ICESTORM_LC", "attributes": {"NEXTPNR_BEL": "X1/Y2/lc3"}, "parameters": {"DFF_ENABLE": "1"}}
    >>> nets = {"q": {"bits": [7, 8]}, "q_SB_DFF_Q": {"bits": [8]}}
    >>> module = {"cells": {"a": cell | {"connections": {"O": [5]}}}, "netnames": {"q[1]": {"bits": [5]}}}
    >>> tops = [json.dumps({"modules": {"top": each}}) for each in ({"netnames": nets}, module)]
    >>> places(*tops)
    {'registers': {'1 2 3': ['q[1]']}, 'blocks': {}}
    """
    before, after = (json.loads(text)["modules"]["top"] for text in (netlist, placed))
    wires = _names(before)
    others: dict[int, list[str]] = {}
    for name, wire in wires.items():
        others.setdefault(wire, []).append(name)
    driven = {wire: name for name, wire in _names(after).items()}
    found: dict[str, dict[str, list[str]]] = {"registers": {}, "blocks": {}}
    for name, cell in after["cells"].items():
        place = _PLACE.fullmatch(cell["attributes"].get("NEXTPNR_BEL", ""))
        if place and place[3] is None:
            found["blocks"][f"{place[1]} {place[2]}"] = [name.removesuffix("_RAM")]
        elif place and int(cell["parameters"]["DFF_ENABLE"], 2):
            called = driven[cell["connections"]["O"][0]]
            names = [other for other in others.get(wires.get(called, -1), []) if _MADE_UP not in other]
            found["registers"][" ".join(place.groups())] = names
    return found


def _names(module: Mapping[str, Any]) -> dict[str, int]:
    """The wires of a module by their names, bit by bit."""
    return {
        name if len(net["bits"]) == 1 else f"{name}[{i}]": wire
        for name, net in module["netnames"].items()
        for i, wire in enumerate(net["bits"])
    }
