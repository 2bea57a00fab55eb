"""How a text file writes its table: encoding, separator, decimal sign; found out from its beginning, or told."""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dbhw.base.errors import DbhwError
from dbhw.data.readers import cells
from dbhw.data.tables.options import SEPARATORS, TableOptions

MOST_COLUMNS = 10_000
LONGEST_LINE = 1 << 20
_SAMPLE = 1 << 20
_ROWS = 200  # of the beginning are looked at
_ORDER = "\t;|, "  # a separator that occurs equally often in every row is meant; commas and spaces are also in words
_MARKS = [
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
_OTHERS = {
    b"PK\x03\x04": "a ZIP archive or an Excel file",
    b"PAR1": "a Parquet file",
    b"\x1f\x8b": "a gzip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel file",
    b"%PDF": "a PDF",
    b"\x93NUMPY": "a NumPy file",
}
_WITH_COMMA = re.compile(r"[+-]?\d*,\d+(e[+-]?\d+)?", re.IGNORECASE)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")
_WITH_POINT = re.compile(r"[+-]?(\d*\.\d+|\d+\.)(e[+-]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """How a text file writes its table, and its first rows."""

    encoding: str
    separator: str
    decimal: str
    beginning: list[list[str]]


def find(path: str | Path, options: TableOptions) -> Dialect:
    """The dialect of a file.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "beans.csv"
    >>> _ = path.write_text("weight;kind\\n1,5;red\\n2,5;white\\n")
    >>> found = find(path, TableOptions())
    >>> found.encoding, found.separator, found.decimal
    ('utf-8', ';', ',')
    """
    raw = _start(path)
    encoding = options.encoding or _encoding(path, raw)
    text = _decoded(path, raw, encoding)
    check_text(path, text)
    lines = _lines(path, text, whole=len(raw) < _SAMPLE)
    separator = options.separator or _separator(lines)
    rows = [row for row in parsed(lines, separator, strict=False) if row][:_ROWS]
    if rows and len(rows[0]) > MOST_COLUMNS:
        raise DbhwError(f"data file {path} must have at most {MOST_COLUMNS} columns, not {len(rows[0])}")
    return Dialect(encoding, separator, options.decimal or _decimal(path, rows, separator), rows)


def parsed(lines: Iterable[str], separator: str, strict: bool = True) -> Iterator[list[str]]:
    """The rows of lines, as lists of cells; a blank line is an empty list.

    >>> list(parsed(['a,"b,c"\\n'], ","))
    [['a', 'b,c']]
    """
    return csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=strict)


def _start(path: str | Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_SAMPLE)
    except OSError as wrong:
        raise DbhwError(f"file {path} must be readable: {wrong.strerror}") from wrong


def _encoding(path: str | Path, raw: bytes) -> str:
    for magic, what in _OTHERS.items():
        if raw.startswith(magic):
            raise DbhwError(f"data file {path} must be text with a separator, not {what}: save it as CSV")
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return encoding
    zeros = [raw[i::2].count(0) / max(len(raw[i::2]), 1) for i in (0, 1)]
    if max(zeros) > 0.4 and min(zeros) < 0.1:  # UTF-16 of mostly ASCII, without its mark
        return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(raw)
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _decoded(path: str | Path, raw: bytes, encoding: str) -> str:
    try:
        return codecs.getincrementaldecoder(encoding)().decode(raw)
    except LookupError as wrong:
        raise DbhwError(
            f"encoding must be one that Python knows, such as utf-8 or latin-1, not {encoding!r}"
        ) from wrong
    except UnicodeError as wrong:
        raise not_decoded(path, encoding, wrong) from wrong


def not_decoded(path: str | Path, encoding: str, wrong: UnicodeError) -> DbhwError:
    """The error for a file that is not in its encoding.

    >>> print(not_decoded("beans.csv", "utf-8", UnicodeError("no")))
    data file beans.csv must be in the encoding utf-8: no; say --encoding
    """
    return DbhwError(f"data file {path} must be in the encoding {encoding}: {wrong}; say --encoding")


def check_text(path: str | Path, text: str, before: int = 0) -> None:
    """Refuses what is no text: it has a NUL byte. `before` lines came before it.

    >>> check_text("beans.csv", "a\\n\\0")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: data file beans.csv must be text, but line 2 has a NUL byte
    """
    if "\0" in text:
        line = before + count_lines(text[: text.index("\0")]) + 1
        raise DbhwError(f"data file {path} must be text, but line {line} has a NUL byte")


def count_lines(text: str) -> int:
    """How many lines end in a text.

    >>> count_lines("a\\nb\\nc")
    2
    """
    return text.count("\n") or text.count("\r")


def _lines(path: str | Path, text: str, whole: bool) -> list[str]:
    if not whole:
        end = max(text.rfind("\n"), text.rfind("\r"))
        if end < 0:
            raise too_long(path, 1)
        text = text[: end + 1]
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
    return [line for line in lines if line]


def too_long(path: str | Path, line: int) -> DbhwError:
    """The error for a line without an end.

    >>> print(too_long("beans.csv", 1))
    data file beans.csv must have at most 10000 columns and 1048576 characters in a line, but line 1 is longer
    """
    limits = f"at most {MOST_COLUMNS} columns and {LONGEST_LINE} characters in a line"
    return DbhwError(f"data file {path} must have {limits}, but line {line} is longer")


def _separator(lines: list[str]) -> str:
    """The first separator that all rows have equally often; else the one that most rows agree on."""
    agreement: dict[str, float] = {}
    for separator in _ORDER:
        widths = [len(row) for row in parsed(lines[:_ROWS], separator, strict=False) if row]
        width, rows = Counter(widths).most_common(1)[0] if widths else (0, 0)
        agreement[separator] = rows / len(widths) if width > 1 else 0
    best = max(agreement.values(), default=0)
    return next(s for s in _ORDER if agreement[s] == best) if best else ","


def _decimal(path: str | Path, rows: list[list[str]], separator: str) -> str:
    found = {cell.strip() for row in rows for cell in row}
    commas = [cell for cell in found if _WITH_COMMA.fullmatch(cell)]
    if separator == ",":  # then 1,234 in quotes has a separator of thousands
        commas = [cell for cell in commas if not _THOUSANDS.fullmatch(cell)]
    points = [cell for cell in found if _WITH_POINT.fullmatch(cell)]
    if commas and points:
        both = f"both {cells.shown(min(commas))} and {cells.shown(min(points))}"
        raise DbhwError(
            f"data file {path} must have one decimal sign, but it has {both}: say --decimal . or --decimal ,"
        )
    return "," if commas else "."


def separator_name(separator: str) -> str:
    """The name of a separator, as users say it.

    >>> separator_name(";")
    'semicolon'
    """
    return next(name for name, sign in SEPARATORS.items() if sign == separator)
