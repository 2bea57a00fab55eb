"""What a user says about a table, where it is not to be found out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dbhw.base.errors import DbhwError, one_of

MISSING = ["error", "drop", "most", "own-bit"]
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "space": " "}
TYPES = ["bit", "integer", "real", "category"]


@dataclass(frozen=True)
class TableOptions:
    """How to read a table, what its columns are, and how its rows are split; None and empty: found out.

    `bits` holds the width of a column and whether it is signed (None: if it has negative numbers). `split_column` names
    a column with the words train, validation and test; rows with the same value of `group_column` stay together.

    >>> TableOptions(label="class", missing="drop").missing
    'drop'
    >>> TableOptions(missing="guess")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: missing must be one of error, drop, most, own-bit, not 'guess'
    """

    separator: str | None = None
    decimal: str | None = None
    header: bool | None = None
    encoding: str | None = None
    empty: tuple[str, ...] = ()  # further words that mean an empty cell
    label: str | None = None
    columns: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)  # types of columns that the table may lack
    bits: Mapping[str, tuple[int, bool | None]] = field(default_factory=dict)
    scale: Mapping[str, float] = field(default_factory=dict)
    offset: Mapping[str, float] = field(default_factory=dict)
    missing: str = "error"
    split_column: str | None = None
    group_column: str | None = None
    validation: float = 0.15
    test: float = 0.2

    def __post_init__(self) -> None:
        if self.missing not in MISSING:
            raise one_of("missing", self.missing, MISSING)
        if self.separator is not None and self.separator not in SEPARATORS.values():
            raise one_of("separator", self.separator, SEPARATORS)
        if self.decimal not in (None, ".", ","):
            raise one_of("decimal", self.decimal, [".", ","])
        for name, kind in self.types.items():
            if kind not in TYPES:
                raise one_of(f"type of column {name}", kind, TYPES)
        if not (0 <= self.validation < 1 and 0 <= self.test < 1 and self.validation + self.test < 1):
            shares = f"{self.validation} and {self.test}"
            raise DbhwError(f"validation and test must be shares from 0 to below 1 together, not {shares}")

    def for_another_file(self) -> TableOptions:
        """The options for a further file, such as one of test rows: it may lack columns, and is not split.

        >>> TableOptions(label="class", types={"a": "category"}).for_another_file().named()
        {}
        """
        kept = {
            name: getattr(self, name) for name in ("separator", "decimal", "header", "encoding", "empty", "missing")
        }
        return TableOptions(**kept, hints={**self.hints, **self.types})

    def named(self) -> dict[str, str]:
        """The columns that the options name, and in which option.

        >>> TableOptions(label="class", drop=("id",)).named()
        {'id': '--drop', 'class': '--label'}
        """
        single = {"--label": self.label, "--split-column": self.split_column, "--groups": self.group_column}
        several = {"--columns": self.columns, "--drop": self.drop, "--types": self.types}
        several |= {"--bits": self.bits, "--scale": self.scale, "--offset": self.offset}
        found = {name: option for option, name in single.items() if name is not None}
        return {**{name: option for option, names in several.items() for name in names}, **found}
