"""Files and names: what cannot be written is refused with the reason, and identifiers never collide."""

import os

import pytest

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.base.names import identifiers


def test_a_folder_is_no_file_to_write(tmp_path):
    with pytest.raises(DbhwError, match=f"^{tmp_path} must be a file, not a folder$"):
        files.check_writable(tmp_path)


@pytest.mark.parametrize("check", [files.check_writable, files.check_folder])
def test_a_folder_without_permission_is_named(check, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    path = tmp_path / "a"
    with pytest.raises(
        DbhwError, match=f"^{path} must be a place that can be written: no permission to write to folder {tmp_path}$"
    ):
        check(path)


def test_what_can_be_written_passes_and_is_not_made(tmp_path):
    files.check_writable(tmp_path / "a")
    files.check_folder(tmp_path / "b" / "c")
    assert list(tmp_path.iterdir()) == []


def test_several_files_are_written_into_a_new_folder(tmp_path):
    files.write_all(tmp_path / "new", {"a": "text", "b": b"\0"})
    assert (files.read(tmp_path / "new" / "a"), files.read(tmp_path / "new" / "b")) == (b"text", b"\0")


def test_identifiers_are_legal_and_different():
    found = identifiers(["a-b", "a_b", "class", "", "1", "é", "a b"])
    assert all(name.isidentifier() for name in found)
    assert len(set(found)) == len(found)
