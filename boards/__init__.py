"""Boards, one file each: the file's name is the board's name, and being here is all the registration there is.

`flow` builds for a board and programs it; `host` talks to it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbhw.base.registry import Plugins
from dbhw.fpga.pll import Pll

if TYPE_CHECKING:
    from dbhw.boards.host.device import Device

__all__ = ["Board", "Device", "find", "names"]

PLUGINS = Plugins("board", __name__)

Pin = tuple[str | int, ...]  # A resource's name and number, and a subsignal's name where it has them.


@dataclass(frozen=True)
class Board:
    """A board, on top of a platform of amaranth-boards that knows its pins.

    `part_options` name the part to nextpnr, `pack_options` go to the packer, and `program` is the command that puts a
    bitstream on the board; a board of a family without open place and route has none of the first two.
    """

    title: str
    family: str  # one of dbhw.fpga.synth.TARGETS
    part: str
    luts: int
    ffs: int
    rams: int  # blocks, of 4 kbit (iCE40), 18 kbit (all others)
    clock_hz: int
    link: str  # what the host plugs in
    wiring: str  # what connects where, for people
    platform: Callable[[], Any]
    uart: Pin
    pass_led: Pin
    fail_led: Pin
    program: tuple[str, ...]
    baud: int = 1_000_000
    pll: Pll | None = None  # what makes other clocks of this one
    speed_mhz: int = 0  # what the noisy-XOR net of `make boards` reaches, to tell how fast parts are; 0: not known
    part_options: tuple[str, ...] = ()
    pack_options: tuple[str, ...] = ()
    resources: tuple[Any, ...] = ()  # what this toolkit wires beyond the platform's own
    dfu_id: tuple[int, int] | None = None  # vendor and product, where the bootloader asks for a DFU suffix

    @property
    def open_tools(self) -> bool:
        """Whether a bitstream comes from open tools; otherwise a project for the vendor's."""
        return bool(self.part_options)

    def prepared_platform(self) -> Any:
        """A fresh platform with the board's own resources on it."""
        platform = self.platform()
        platform.add_resources(self.resources)
        return platform


def names() -> list[str]:
    """The names of all boards.

    >>> "icebreaker" in names()
    True
    """
    return PLUGINS.names()


def find(name: str) -> Board:
    """The board of that name.

    >>> find("icebreaker").part
    'iCE40UP5K-SG48'
    """
    return PLUGINS.module(name).board


def __getattr__(name: str) -> Any:
    # The host's side is imported when it is asked for: listing boards needs no serial port.
    if name == "Device":
        return importlib.import_module(f"{__name__}.host.device").Device
    raise AttributeError(f"module 'dbhw.boards' has no attribute {name!r}")
