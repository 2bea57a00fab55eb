"""How long a proof may take, who is told what it is at, and where it is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dbhw.prove.certificates.record import Record


class OutOfTimeError(Exception):
    """A proof has taken as long as it may."""


def _nobody(_: str) -> None:
    """Is told, and says nothing."""


@dataclass(frozen=True)
class Watch:
    """A proof ends `seconds` after the watch was made, if they are given, and tells `say` what it begins.

    If there is a `record`, all that was compared is kept in it.

    >>> Watch(seconds=60).left() <= 60, Watch().left(most=5)
    (True, 5)
    >>> Watch(seconds=0).left()
    Traceback (most recent call last):
    ...
    dbhw.prove.watch.OutOfTimeError
    """

    seconds: float | None = None
    say: Callable[[str], None] = _nobody
    started: float = field(default_factory=time.monotonic)
    record: Record | None = None

    def left(self, most: float | None = None) -> float | None:
        """How many seconds the next tool may take, `most` at most; None if there is no limit."""
        if self.seconds is None:
            return most
        left = self.started + self.seconds - time.monotonic()
        if left <= 0:
            raise OutOfTimeError
        return left if most is None else min(left, most)
