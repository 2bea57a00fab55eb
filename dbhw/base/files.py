"""Reading and writing files: an interrupted write leaves the old file, and an error says in one line what is wrong."""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from dbhw.base.errors import DbhwError


def write(path: str | Path, content: str | bytes) -> None:
    """Writes a whole file or, on an error, nothing.

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
    """Writes several files into a folder, which is made if it is missing, as are folders in the names of files.

    >>> folder = Path(tempfile.mkdtemp()) / "new"
    >>> write_all(folder, {"a": "1", "b/c": "2"}); sorted(p.name for p in folder.iterdir())
    ['a', 'b']
    """
    folder = Path(folder)
    for inner in {folder, *((folder / name).parent for name in contents)}:
        try:
            inner.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            raise _cannot_write(inner, wrong) from wrong
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


def digest(path: str | Path) -> str:
    """The SHA-256 of a file of any size, in hex.

    >>> path = Path(tempfile.mkdtemp()) / "a"
    >>> _ = path.write_bytes(b"hello"); digest(path) == sha256(b"hello")
    True
    """
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as wrong:
        raise DbhwError(f"file {path} must be readable: {wrong.strerror}") from wrong


def check_writable(path: str | Path) -> None:
    """Refuses a file that cannot be written, before the long work whose result it is to hold.

    >>> check_writable("/no/such/a.dbnet")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: /no/such/a.dbnet must be a place that can be written: /no/such is not a folder
    """
    if Path(path).is_dir():
        raise DbhwError(f"{path} must be a file, not a folder")
    _check_open(path, Path(path).parent)


def check_folder(path: str | Path) -> None:
    """Refuses a folder that cannot be written; one that is missing is fine if it can be made.

    >>> check_folder("/dev/null/out")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: /dev/null/out must be a place that can be written: /dev/null is not a folder
    """
    nearest = next(p for p in (Path(path).absolute(), *Path(path).absolute().parents) if p.exists())
    _check_open(path, nearest)


def cache_folder() -> Path:
    """The user's folder for what can be made or fetched again.

    >>> cache_folder().name
    'dbhw'
    """
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dbhw"


def _check_open(path: str | Path, folder: Path) -> None:
    if not folder.is_dir():
        raise DbhwError(f"{path} must be a place that can be written: {folder} is not a folder")
    if not os.access(folder, os.W_OK):
        raise DbhwError(f"{path} must be a place that can be written: no permission to write to folder {folder}")


def _cannot_write(path: Path, wrong: OSError) -> DbhwError:
    return DbhwError(f"{path} must be a place that can be written: {wrong.strerror}")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
