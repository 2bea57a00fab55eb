"""What a user may say about a table of data: the options, and what their values mean."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dbhw.base.errors import DbhwError, one_of

if TYPE_CHECKING:
    from dbhw.data.tables.options import TableOptions


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what a user may say about a table; `chosen` reads it."""
    add = parser.add_argument
    add("--label", help="the column of the classes (default: one called label, class, target or so, else the last)")
    add("--columns", help="use these columns only: a,b,c")
    add("--drop", help="leave these columns out: a,b,c")
    add("--types", help="what columns are, if not what they look like: a=category,b=real,c=integer,d=bit")
    add("--bits", help="the width of columns: a=12,b=s8 (s: signed, u: unsigned; else signed if there are negatives)")
    add("--scale", help="the step of columns, the sensor's resolution: a=0.5; the integer is (value - offset) / scale")
    add("--offset", help="the value of columns that becomes 0: a=-40")
    add("--missing", default="error", help="empty cells: error (default), drop the row, most frequent value, own-bit")
    add("--empty", help="further words that mean an empty cell: unknown,-999")
    add("--separator", help="comma, semicolon, tab, pipe or space (default: found out)")
    add("--decimal", help="the decimal sign, . or , (default: found out)")
    add("--header", help="whether the first row holds the columns' names, yes or no (default: found out)")
    add("--encoding", help="the encoding of the text, such as latin-1 (default: found out)")
    add("--test", help="a file with the rows to test on (default: a share of the rows)")
    add("--split-column", help="a column with the words train, validation and test")
    add("--groups", help="a column whose equal values stay in one part, such as a patient's number")
    add("--validation-share", type=float, default=0.15, help="the share of rows for validation (default 0.15)")
    add("--test-share", type=float, default=0.2, help="the share of rows for the test (default 0.2)")


def chosen(args: argparse.Namespace) -> TableOptions:
    """What the options say; --test is up to the command.

    >>> parser = argparse.ArgumentParser(); arguments(parser)
    >>> said = chosen(parser.parse_args(["--types", "a=real", "--bits", "a=s12", "--header", "no"]))
    >>> said.types, said.bits, said.header
    ({'a': 'real'}, {'a': (12, True)}, False)
    """
    from dbhw.data.tables import options

    if args.header not in (None, "yes", "no"):
        raise one_of("header", args.header, ["yes", "no"])
    return options.TableOptions(
        separator=options.SEPARATORS.get(args.separator, args.separator),
        decimal=args.decimal,
        header=None if args.header is None else args.header == "yes",
        encoding=args.encoding,
        empty=_list(args.empty),
        label=args.label,
        columns=_list(args.columns),
        drop=_list(args.drop),
        types=_pairs("types", args.types),
        bits={name: _width(name, value) for name, value in _pairs("bits", args.bits).items()},
        scale={name: _number("scale", name, value) for name, value in _pairs("scale", args.scale).items()},
        offset={name: _number("offset", name, value) for name, value in _pairs("offset", args.offset).items()},
        missing=args.missing,
        split_column=args.split_column,
        group_column=args.groups,
        validation=args.validation_share,
        test=args.test_share,
    )


def _list(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip()) if text else ()


def _pairs(option: str, text: str | None) -> dict[str, str]:
    """The values by column of `a=1,b=2`."""
    found = {}
    for part in _list(text):
        name, sign, value = part.rpartition("=")
        if not sign or not name.strip() or not value.strip():
            raise DbhwError(f"{option} must be columns with their values, such as a=1,b=2, not {text!r}")
        found[name.strip()] = value.strip()
    return found


def _width(name: str, value: str) -> tuple[int, bool | None]:
    digits = value.lstrip("su")
    if not digits.isdecimal() or len(value) - len(digits) > 1:
        raise DbhwError(
            f"bits of column {name} must be a number such as 8, s8 (signed) or u8 (unsigned), not {value!r}"
        )
    return int(digits), {"s": True, "u": False}.get(value[0])


def _number(what: str, name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError as wrong:
        raise DbhwError(f"{what} of column {name} must be a number, not {value!r}") from wrong
