"""Data files: found, fetched once, and never taken with a wrong digest."""

import pytest

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.data import download
from dbhw.data.download import Source, content


@pytest.fixture
def published(tmp_path, monkeypatch):
    """A file that is published, on a machine that has nothing yet."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.txt").write_text("published")
    monkeypatch.setattr(download, "_BESIDE_THE_PROJECT", tmp_path / "nowhere")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("DBHW_DATA", raising=False)
    return Source("set/a.txt", files.sha256("published"), (tmp_path / "site" / "a.txt").as_uri())


def test_a_file_is_fetched_once(published, tmp_path):
    assert content(published) == b"published"
    (tmp_path / "site" / "a.txt").unlink()
    assert content(published) == b"published"


def test_the_users_folder_comes_first(published, tmp_path, monkeypatch):
    content(published)
    (tmp_path / "mine" / "set").mkdir(parents=True)
    (tmp_path / "mine" / "set" / "a.txt").write_text("published")
    monkeypatch.setenv("DBHW_DATA", str(tmp_path / "mine"))
    assert download.at_hand("set/a.txt") == tmp_path / "mine" / "set" / "a.txt"


def test_another_file_of_that_name_is_refused_and_not_kept(published, tmp_path):
    (tmp_path / "site" / "a.txt").write_text("tampered with")
    with pytest.raises(DbhwError, match=r"must have the SHA-256 digest \w{16}…, not \w{16}…; remove it and try again"):
        content(published)
    assert download.at_hand("set/a.txt") is None


def test_a_file_out_of_reach_is_told_in_one_line(published, tmp_path):
    (tmp_path / "site" / "a.txt").unlink()
    with pytest.raises(DbhwError, match=r"^data file set/a.txt must be in the folder that DBHW_DATA names, or reach"):
        content(published)
