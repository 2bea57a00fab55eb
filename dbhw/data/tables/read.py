"""Reading a table: a file by its ending, or what Python holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dbhw.base import terminal
from dbhw.base.errors import DbhwError, one_of
from dbhw.data.readers import arrays, npz, parquet, text
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.table import Table, unknown_column

_Reader = Callable[[str | Path, TableOptions, int | None], Table]
READERS: dict[str, _Reader] = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".data"), text.read),
    ".npz": npz.read,
    **dict.fromkeys((".parquet", ".pq"), parquet.read),
}
NOTHING_SAID = TableOptions()


def is_table(name: str | Path) -> bool:
    """Whether a name is that of a file with a table, by its ending.

    >>> is_table("beans.csv"), is_table("noisy-xor")
    (True, False)
    """
    return Path(name).suffix.lower() in READERS


@terminal.working("reading the table")
def read(path: str | Path, options: TableOptions = NOTHING_SAID, cells_kept: int | None = None) -> Table:
    """The table of a file; of more than `cells_kept` cells (default 40 million) a random sample of the rows.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "beans.tsv"
    >>> _ = path.write_text("weight\\tkind\\n1.5\\tred\\n2\\twhite\\n")
    >>> list(read(path).columns), read(path).first_row
    (['weight', 'kind'], 2)
    """
    if Path(path).is_dir():
        raise DbhwError(f"data file {path} must be a file, not a folder")
    suffix = Path(path).suffix.lower()
    if suffix not in READERS:
        raise one_of(f"ending of data file {path}", suffix, READERS)
    table = READERS[suffix](path, options, cells_kept)
    for name, option in options.named().items():
        if name not in table.columns and name not in options.drop:
            raise unknown_column(str(path), name, option, list(table.columns))
    return table


def of_frame(x: Any, y: Any = None, name: str = "data") -> Table:
    """The table of a pandas frame, a mapping from names to columns, or an array; `y` are the labels.

    >>> of_frame([[1, 2], [3, 4]]).columns["x1"].tolist()
    [2.0, 4.0]
    """
    return arrays.of_frame(x, y, name)
