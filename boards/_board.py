"""What a board is: data about its part, its clock, its link and its lamps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dbhw.boards._pll import Pll

Pin = tuple[str | int, ...]  # A resource's name and number, and a subsignal's name where it has them.


@dataclass(frozen=True)
class Board:
    """A board, on top of a platform of amaranth-boards that knows its pins.

    `part_options` name the part to nextpnr, `pack_options` go to the packer, and `program` is the command that puts a
    bitstream on the board; a board of a family without open place and route has none of the first two.
    """

    title: str
    family: str  # one of dbhw.synth.TARGETS
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
