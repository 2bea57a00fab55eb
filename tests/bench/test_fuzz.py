"""The fuzzer: what it damages is valid, and a reader with a fault is found."""

import random
import subprocess

import pytest

from bench import fuzz_files, fuzz_found, fuzz_readers
from dbhw.base.errors import DbhwError


@pytest.mark.parametrize("name", fuzz_readers.readers())
def test_what_is_damaged_is_valid(name):
    kind = fuzz_readers.readers()[name]
    assert all(kind.read(raw) is not None for raw in kind.valid)


@pytest.mark.parametrize("name", ["model content", "npz content", "reply"])
def test_what_is_behind_a_checksum_is_reached(name):
    """Damage is refused for what it says, and not for its checksum."""
    kind, chance, told = fuzz_readers.readers()[name], random.Random(0), set()
    for _ in range(60):
        try:
            kind.read(fuzz_files.damaged(kind.valid[0], chance))
        except DbhwError as refused:
            told.add(str(refused).partition(" not ")[0])
    assert len(told) >= 3
    assert not any("digest" in message for message in told)


def reads_all_but_quotes(raw):
    if b'"' in raw:
        raise KeyError("quote")
    if b"\n" in raw:
        raise TypeError("a line")


def test_a_faulty_reader_is_found_once_for_each_fault(monkeypatch, tmp_path):
    monkeypatch.setattr(fuzz_found, "FOUND", tmp_path / "found")
    monkeypatch.setattr(fuzz_readers, "readers", lambda: {"all": fuzz_readers.Kind((b"a",), reads_all_but_quotes)})
    done = fuzz_files.at_random(0.01, 0)
    assert done["all"] > done["failures"] > 2
    written = [path.read_text() for path in (tmp_path / "found").iterdir()]
    assert len(written) == 2
    assert all("fuzz_readers.check_file" in text for text in written)


def test_a_reader_that_had_to_be_stopped_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(fuzz_found, "FOUND", tmp_path / "found")
    (tmp_path / "stopped-timeout").write_bytes(b"slow")
    ended = subprocess.CompletedProcess([], 70, "", "ALARM\nSUMMARY: libFuzzer: timeout\n")
    assert fuzz_files.outcome("rule", tmp_path, ended) == {"failures": 1}
    (test,) = (tmp_path / "found").iterdir()
    assert "libFuzzer: timeout" in test.read_text()
    (tmp_path / "stopped-timeout").unlink()
    with pytest.raises(RuntimeError, match="atheris must run for rule, but it ended with 70"):
        fuzz_files.outcome("rule", tmp_path, ended)
