"""Compiled nets and simulations in the user's cache folder, under a digest: a damaged one is not used."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from dbhw.base import files
from dbhw.base.errors import DbhwError

_DIGEST_BYTES = 32
_MOST_BYTES = 512 << 20  # of all that is kept; the ones not used for longest go


def folder() -> Path:
    """Where compiled nets and simulations are kept: the folder in DBHW_COMPILED, or one in the user's cache folder.

    >>> folder().is_absolute()
    True
    """
    return Path(os.environ.get("DBHW_COMPILED") or files.cache_folder() / "compiled")


def fetch(key: str) -> bytes | None:
    """What was kept under a key; None if nothing was, or not all of it, or something else.

    >>> fetch("no such key") is None
    True
    """
    place = path(key)
    try:
        if not _own(place.parent):
            return None
        content = place.read_bytes()
    except OSError:
        return None
    kept, digest = content[:-_DIGEST_BYTES], content[-_DIGEST_BYTES:]
    if digest != _digest(key, kept):
        return None
    with contextlib.suppress(OSError):
        os.utime(place)
    return kept


def keep(key: str, content: bytes) -> str:
    """Keeps something under a key. Returns why that did not work, or an empty text.

    >>> keep("example", b"abc"), fetch("example")
    ('', b'abc')
    """
    place = path(key)
    try:
        place.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        if not _own(place.parent):
            return f"folder {place.parent} is not only the user's own"
        files.write(place, content + _digest(key, content))
        _shrink(place.parent)
    except DbhwError as wrong:
        return str(wrong)
    except OSError as wrong:
        return f"folder {place.parent} cannot be written: {wrong.strerror}"
    return ""


def once(key: str, make: Callable[[], bytes]) -> bytes:
    """What was kept under a key, or what is made now and then kept. Of several processes, one makes it.

    >>> once("example of once", lambda: b"abc"), once("example of once", lambda: b"other")
    (b'abc', b'abc')
    """
    found = fetch(key)
    if found is None:
        with _alone():
            found = fetch(key)
            if found is None:
                found = make()
                keep(key, found)
    return found


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Waits for other processes that make something; not where the folder cannot be locked."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            folder().mkdir(parents=True, mode=0o700, exist_ok=True)
            opened = os.open(folder(), os.O_RDONLY)
            stack.callback(os.close, opened)
            fcntl.flock(opened, fcntl.LOCK_EX)  # ends with the process, however that ends
        yield


def path(key: str) -> Path:
    """Where something is kept under a key, with a digest after it.

    >>> path("example").parent == folder()
    True
    """
    return folder() / f"{files.sha256(key)[:40]}.so"


def _digest(key: str, content: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\0" + content).digest()


def _own(path: Path) -> bool:
    """Whether nobody else can put files into a folder: what is in it will be run."""
    state = path.stat()
    return state.st_uid == os.geteuid() and not state.st_mode & 0o022


def _shrink(path: Path) -> None:
    states = [(state.stat(), state) for state in path.glob("*.so")]
    left = sum(state.st_size for state, _ in states)
    for state, old in sorted(states, key=lambda pair: pair[0].st_mtime):
        if left <= _MOST_BYTES:
            break
        old.unlink(missing_ok=True)
        left -= state.st_size
