"""Input bits as bytes of eight: an eighth of the memory that booleans take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dbhw.base.errors import DbhwError


@dataclass(frozen=True)
class Packed:
    """Rows of bytes (examples, bytes): input i of an example is bit i % 8 of byte i // 8, the lowest bit first.

    `model.predict` takes it in place of booleans. The rows may be a memory map.

    >>> Packed(np.packbits([[1, 0, 1]], axis=1, bitorder="little")).rows.tolist()
    [[5]]
    """

    rows: np.ndarray

    def __post_init__(self) -> None:
        if not isinstance(self.rows, np.ndarray) or self.rows.dtype != np.uint8 or self.rows.ndim != 2:
            found = getattr(self.rows, "dtype", type(self.rows).__name__)
            raise DbhwError(f"packed rows must be an array of bytes (examples, bytes), not {found}")

    @classmethod
    def of(cls, bits: ArrayLike) -> Packed:
        """Packs booleans (examples, inputs).

        >>> Packed.of([[True, False, True]]).rows.tolist()
        [[5]]
        """
        return cls(np.packbits(np.asarray(bits, bool), axis=1, bitorder="little"))

    def check(self, inputs: int) -> None:
        """Refuses rows that are not for so many inputs.

        >>> Packed.of([[True]]).check(9)
        Traceback (most recent call last):
        ...
        dbhw.base.errors.DbhwError: packed rows must have 2 bytes for 9 inputs, not 1
        """
        if self.rows.shape[1] != -(-inputs // 8):
            raise DbhwError(
                f"packed rows must have {-(-inputs // 8)} bytes for {inputs} inputs, not {self.rows.shape[1]}"
            )

    def bits(self, inputs: int) -> np.ndarray:
        """The booleans (examples, inputs).

        >>> Packed.of([[True, False, True]]).bits(3).tolist()
        [[True, False, True]]
        """
        return np.unpackbits(self.rows, axis=1, count=inputs, bitorder="little").view(bool)
