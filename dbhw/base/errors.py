"""The one exception of the toolkit: an input that cannot be used."""

from collections.abc import Iterable


class DbhwError(ValueError):
    """A wrong input, in one line: what it must be and what was found.

    >>> raise DbhwError("width must be at least 1, not 0")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: width must be at least 1, not 0
    """

    def __str__(self) -> str:
        """The message, in one line even where a user's file has a name of two."""
        return r"\n".join(super().__str__().splitlines())


def one_of(what: str, value: object, choices: Iterable[str]) -> DbhwError:
    """The error for a name that is not among the known ones.

    >>> print(one_of("target", "cpld", ["ice40", "xilinx"]))
    target must be one of ice40, xilinx, not 'cpld'
    """
    return DbhwError(f"{what} must be one of {', '.join(choices)}, not {value!r}")


def whole(what: str, value: object, least: int) -> None:
    """Refuses what is not a whole number of at least `least`.

    >>> whole("width", 0, 1)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: width must be a whole number of at least 1, not 0
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise DbhwError(f"{what} must be a whole number of at least {least}, not {value!r}")
