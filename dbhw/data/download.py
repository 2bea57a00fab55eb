"""Published data files: from the folder in DBHW_DATA, a folder beside the project, or the cache; else downloaded.

A file is used only if its SHA-256 digest is the expected one.
"""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError

_BESIDE_THE_PROJECT = Path(__file__).parents[3] / "shared" / "data"
_SECONDS = 60
_PART = 1 << 16  # bytes between two looks at the progress


@dataclass(frozen=True)
class Source:
    """A data file: its path within a folder of data sets, its digest, and the URL it is published at."""

    path: str
    sha256: str
    url: str


def content(source: Source) -> bytes:
    """The content of a data file; one that is in no folder is downloaded into the cache.

    >>> content(Source("no/such", "0" * 64, "file:///no/such"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: data file no/such must be in the folder that DBHW_DATA names, or reachable at file:///no/such...
    """
    found = at_hand(source.path)
    if found is not None:
        return _checked(source, files.read(found), str(found))
    fetched = _checked(source, _fetch(source), source.url)
    kept = files.cache_folder() / source.path
    files.write_all(kept.parent, {kept.name: fetched})
    return fetched


def at_hand(path: str) -> Path | None:
    """The path of a data file on this machine, or None if it would have to be downloaded.

    >>> at_hand("no/such") is None
    True
    """
    named = os.environ.get("DBHW_DATA")
    folders = [*([Path(named)] if named else []), _BESIDE_THE_PROJECT, files.cache_folder()]
    return next((folder / path for folder in folders if (folder / path).is_file()), None)


def _fetch(source: Source) -> bytes:
    try:
        with urllib.request.urlopen(source.url, timeout=_SECONDS) as answer:
            size = int(answer.headers.get("Content-Length") or 0)
            with terminal.progress(size, f"downloading {source.path}") as bar:
                return b"".join(_parts(answer, bar))
    except (OSError, ValueError) as wrong:
        raise DbhwError(
            f"data file {source.path} must be in the folder that DBHW_DATA names, or reachable at {source.url}, "
            f"but: {wrong}"
        ) from wrong


def _parts(answer: IO[bytes], bar: terminal.Bar) -> Iterator[bytes]:
    while part := answer.read(_PART):
        bar.update(len(part))
        yield part


def _checked(source: Source, found: bytes, where: str) -> bytes:
    if files.sha256(found) != source.sha256:
        raise DbhwError(
            f"data file {where} must have the SHA-256 digest {source.sha256[:16]}…, not {files.sha256(found)[:16]}…; "
            "remove it and try again"
        )
    return found
