"""Boards, one file each: the file's name is the board's name, and being here is all the registration there is.

`flow` builds for a board and programs it; `host` talks to it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbhw.base.registry import Plugins
from dbhw.fpga import families
from dbhw.fpga.pll import Pll
from dbhw.tools import process

if TYPE_CHECKING:
    from amaranth.build import Platform, Resource

    from dbhw.boards.host.device import Device

__all__ = ["Board", "Device", "find", "names"]

PLUGINS = Plugins("board", __name__)

Pin = tuple[str | int, ...]  # the name and number of a resource, and the name of a subsignal if it has some


@dataclass(frozen=True)
class Board:
    """A board; its pins are those of a platform of amaranth-boards.

    `part_options` name the part to nextpnr and `pack_options` go to the packer: both are empty for a family without
    open place and route. `program` is the command that puts a bitstream on the board.
    """

    title: str
    family: str  # one of dbhw.fpga.families
    part: str
    luts: int
    ffs: int
    rams: int  # blocks of 4 kbit on iCE40, of 18 kbit on all others
    clock_hz: int
    link: str  # what the host plugs in
    wiring: str  # what connects where, for people
    platform: Callable[[], Platform]
    uart: Pin
    pass_led: Pin
    fail_led: Pin
    program: tuple[str, ...]
    baud: int = 1_000_000
    pll: Pll | None = None  # makes other clocks from this one
    speed_mhz: int = 0  # the clock that the noisy-XOR net of `make boards` reaches, to compare parts; 0: not known
    part_options: tuple[str, ...] = ()
    pack_options: tuple[str, ...] = ()
    resources: tuple[Resource, ...] = ()  # in addition to the platform's own
    dfu_id: tuple[int, int] | None = None  # vendor and product, if the bootloader needs a DFU suffix

    @property
    def open_tools(self) -> bool:
        """Whether open tools make its bitstream; if not, a build is a project for the vendor's tool."""
        return families.find(self.family).place_and_route is not None

    def missing_packages(self) -> list[str]:
        """The packages that a build for the board needs and that are not installed."""
        tools = families.find(self.family).place_and_route
        return process.missing(tools.packages) if tools else []

    def what_can_be_built(self) -> str:
        """What `dbhw build` makes for the board with the tools that are installed."""
        if project := families.find(self.family).project:
            return f"project for {project.tool}"
        return "nothing yet: pip install dbhw[boards]" if self.missing_packages() else "bitstream"

    def prepared_platform(self) -> Platform:
        """A new platform that has the board's own resources too."""
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
    # Imported on first use: listing boards needs no serial port.
    if name == "Device":
        return importlib.import_module(f"{__name__}.host.device").Device
    raise AttributeError(f"module 'dbhw.boards' has no attribute {name!r}")
