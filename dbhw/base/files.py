"""Writing files so that an interrupted write leaves the old one, and errors that say what went wrong."""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from dbhw.base.errors import DbhwError


def write(path: str | Path, content: str | bytes) -> None:
    """Writes a file whole or not at all.

    >>> folder = Path(tempfile.mkdtemp())
    >>> write(folder / "a.txt", "hello"); (folder / "a.txt").read_text()
    'hello'
    """
    path = Path(path)
    data = content.encode() if isinstance(content, str) else content
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as wrong:
        raise _cannot_write(path, wrong) from wrong
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as wrong:
        Path(temporary).unlink(missing_ok=True)
        raise _cannot_write(path, wrong) from wrong


def write_all(folder: str | Path, contents: Mapping[str, str | bytes]) -> None:
    """Writes several files into a folder, making it where it is missing.

    >>> folder = Path(tempfile.mkdtemp()) / "new"
    >>> write_all(folder, {"a": "1", "b": "2"}); sorted(p.name for p in folder.iterdir())
    ['a', 'b']
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise _cannot_write(folder, wrong) from wrong
    for name, content in contents.items():
        write(folder / name, content)


def read(path: str | Path) -> bytes:
    """The bytes of a file the user named.

    >>> read("/no/such/file")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file /no/such/file must be readable: No such file or directory
    """
    try:
        return Path(path).read_bytes()
    except OSError as wrong:
        raise DbhwError(f"file {path} must be readable: {wrong.strerror}") from wrong


def sha256(content: str | bytes) -> str:
    """The digest of a file's content, in hex.

    >>> sha256("")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def check_writable(path: str | Path) -> None:
    """Refuses a place that cannot be written, before long work is done for it.

    >>> check_writable("/no/such/a.dbnet")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: /no/such/a.dbnet must be a place that can be written: /no/such is not a folder
    """
    parent = Path(path).parent
    if not parent.is_dir():
        raise DbhwError(f"{path} must be a place that can be written: {parent} is not a folder")
    if Path(path).is_dir() or not os.access(parent, os.W_OK):
        raise DbhwError(f"{path} must be a place that can be written: it is a folder or in one that is closed")


def check_folder(path: str | Path) -> None:
    """The same for a folder that is made where it is missing.

    >>> check_folder("/dev/null/out")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: /dev/null/out must be a place that can be written: /dev/null is not an open folder
    """
    nearest = next(p for p in (Path(path).absolute(), *Path(path).absolute().parents) if p.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise DbhwError(f"{path} must be a place that can be written: {nearest} is not an open folder")


def _cannot_write(path: Path, wrong: OSError) -> DbhwError:
    return DbhwError(f"{path} must be a place that can be written: {wrong.strerror}")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
