"""What a user may say beside the files that are imported."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """What a file may leave open.

    >>> Options(top="adder").classes is None
    True
    """

    top: str | None = None  # the module to import, of Verilog
    classes: int | None = None  # how many groups the last layer's outputs are summed up in
    inputs: int | None = None  # how many bits the first layer reads from
    bits: int | None = None  # of each input number, where a file has thresholds
    scale: float = 1.0  # input number i stands for offset + scale * i
    offset: float = 0.0
