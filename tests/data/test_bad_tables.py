"""Kinds of bad table: each gives an error of one line that says where and what to do, or a right result."""

import io
import pickle
import zipfile

import numpy as np
import pytest

from dbhw.data.readers import npz
from tests.kit.command_line import run
from tests.kit.tables import GOOD


def zipped(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def in_headers(archive, local, central, byte):
    """An archive with another byte at a place of each local header, and at one of each central header."""
    data = bytearray(archive)
    for mark, place in ((b"PK\x03\x04", local), (b"PK\x01\x02", central)):
        at = data.find(mark)
        while at >= 0:
            data[at + place] = byte
            at = data.find(mark, at + 4)
    return bytes(data)


def damaged(compression):
    """An archive whose first member has other bytes in its middle."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        archive.writestr("x.npy", np.random.default_rng(0).bytes(2000))
    data = file.getvalue()
    return data[:300] + b"\xff" * 20 + data[320:]


def header_of(shape):
    """An archive with the header of a large array, and nothing behind it."""
    array, file = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(array, {"descr": "<f8", "fortran_order": False, "shape": shape})
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("x.npy", array.getvalue())
    return file.getvalue()


def array_file():
    file = io.BytesIO()
    np.save(file, np.eye(3))
    return file.getvalue()


def with_objects():
    file = io.BytesIO()
    np.savez(file, x=np.array([[{}]], object), y=[0])
    return file.getvalue()


ERRORS = {
    # name: (content, options, what the error says); FILE is the file's name
    "empty file": ("", "", "data file FILE must have at least one row of values, but it is empty"),
    "blank lines only": ("\n\n\n", "", "must have at least one row of values, but it is empty"),
    "names only": ("a,b,kind\n", "", "must have at least one row of values, but it has none"),
    "short row": (GOOD + "1.5,3\n", "", "row 8 of FILE must have 3 cells like the first row, not 2"),
    "long row": (GOOD + "1,5,3,red\n", "", "row 8 of FILE must have 3 cells like the first row, not 4"),
    "short row after a blank line": (GOOD + "\n1.5,3\n", "", "row 9 of FILE must have 3 cells"),
    "wrong separator": (
        GOOD,
        "--separator semicolon",
        "with the separator semicolon it has one: leave --separator out",
    ),
    "unknown separator": (GOOD, "--separator dash", "separator must be one of comma, semicolon, tab, pipe, space"),
    "text among numbers": (
        GOOD + "heavy,3,red\n",
        "",
        "column weight of FILE must have numbers, but row 8 has 'heavy': correct it, or say --types weight=category",
    ),
    "units": (GOOD + "1.5 g,3,red\n", "", "column weight of FILE must have numbers, but row 8 has '1.5 g'"),
    "thousands": (GOOD + '1.5,"3,000",red\n', "", "column size of FILE must have numbers, but row 8 has '3,000'"),
    "underscores": (GOOD + "1_000,3,red\n", "", "column weight of FILE must have numbers, but row 8 has '1_000'"),
    "two decimal signs": ("a;kind\n1,5;r\n1.5;w\n", "", "must have one decimal sign, but it has both '1,5' and '1.5'"),
    "a point among decimal commas": ("a;kind\n1,5;r\n1,7;w\n1.5;w\n", "--decimal ,", "but row 4 has '1.5'"),
    "empty cell": (GOOD + ",3,red\n", "", "column weight of FILE must have a value in row 8, but the cell is empty"),
    "NaN": (GOOD + "nan,3,red\n", "", "column weight of FILE must have a value in row 8, but the cell is empty"),
    "empty label": (GOOD + "1.5,3,\n", "", "column kind of FILE must have a value in row 8, but the cell is empty"),
    "infinity": (GOOD + "inf,3,red\n", "", "column weight of FILE must have finite numbers, but row 8 has 'inf'"),
    "1e999": (GOOD + "-1e999,3,red\n", "", "column weight of FILE must have finite numbers, but row 8 has '-1e999'"),
    "one class": ("a,kind\n1,red\n2,red\n", "", "label kind of FILE must have at least two classes, but all are 'red'"),
    "a measurement as label": (
        "kind,price\n" + "".join(f"{i % 2},{i + 0.5}\n" for i in range(30)),
        "",
        "label price of FILE must be classes, but it has 30 different numbers such as 0.5",
    ),
    "too many classes": (
        "a,who\n" + "".join(f"{i % 7},n{i}\n" for i in range(1001)),
        "",
        "label who of FILE must have at most 1000 classes, not 1001",
    ),
    "labels beyond 53 bits": (
        "a,kind\n1,9007199254740993\n2,9007199254740995\n",
        "",
        "label kind of FILE must be whole numbers of at most 53 bits: say --types kind=category",
    ),
    "duplicate names": ("a,b,a\n1,2,r\n2,3,w\n", "", "columns 1 and 3 are both called 'a'; rename one of them"),
    "duplicate names but for spaces": ("a,b, a \n1,2,r\n2,3,w\n", "", "columns 1 and 3 are both called 'a'"),
    "first row with a typo": (
        "1.5x,3,1\n" + "1,2,3\n4,5,6\n",
        "",
        "'1.5x' in column 1 stands over numbers; say --header",
    ),
    "first row with an empty cell": ("1.5,,1\n1,2,3\n4,5,6\n", "", "the empty cell in column 2 stands over numbers"),
    "all of the first row wrong": (
        "1.5x,3x\n1,2\n4,5\n",
        "",
        "'1.5x' in column 1 stands over numbers; say --header yes",
    ),
    "names that are numbers": (
        "2019,2020,x\n1,2,0\n3,4,1\n",
        "",
        "'x' in column 3 stands over numbers; say --header yes",
    ),
    "header neither yes nor no": (GOOD, "--header maybe", "header must be one of yes, no, not 'maybe'"),
    "numbers under names that are none": (
        GOOD,
        "--header no",
        "column x0 of FILE must have numbers, but row 1 has 'wei",
    ),
    "dates": (
        "day,kind\n2024-01-05,r\n2024-01-06,w\n2024-01-06,w\n",
        "",
        "column day must be numbers or words, not dates such as '2024-01-05': leave it out with --drop day",
    ),
    "times": (
        "at,kind\n12:30,r\n13:45,w\n13:45,r\n",
        "",
        "column at must be numbers or words, not dates such as '12:30'",
    ),
    "label only": (
        "kind\nred\nwhite\n",
        "",
        "must have a column besides the label kind that is of use, but it has none",
    ),
    "constants only": ("a,kind\n1,red\n1,white\n", "", "must have a column besides the label kind that is of use"),
    "unknown label": (
        GOOD,
        "--label colour",
        "column of --label must be one of weight, size, kind in FILE, not 'colour'",
    ),
    "unknown column": (
        GOOD,
        "--columns weight,colour",
        "column of --columns must be one of weight, size, kind in FILE",
    ),
    "unknown column to drop": (
        GOOD,
        "--drop colour",
        "column of --drop must be one of weight, size, kind in FILE, not",
    ),
    "unknown type": (GOOD, "--types size=word", "type of column size must be one of bit, integer, real, category"),
    "type without a column": (
        GOOD,
        "--types real",
        "types must be columns with their values, such as a=1,b=2, not 'real'",
    ),
    "type that is wrong": (
        GOOD,
        "--types size=bit",
        "column size of FILE must be bit as --types says, but row 2 has 9",
    ),
    "fractions as integers": (GOOD, "--types weight=integer", "must be integer as --types says, but row 2 has 5.5"),
    "words as numbers": (
        "a,kind\nx,r\ny,w\nx,w\n",
        "--types a=real",
        "column a of FILE must have numbers, but row 2 has",
    ),
    "wide column": (GOOD, "--bits size=99", "bits of column size must be at most 24, not 99"),
    "no width": (GOOD, "--bits size=wide", "bits of column size must be a number such as 8, s8 (signed) or u8"),
    "scale of zero": (GOOD, "--scale size=0", "scale of column size must be above 0, not 0.0"),
    "scale that is too fine": (GOOD, "--scale size=1e-9", "with the scale 1e-09 its values take 34"),
    "no scale": (GOOD, "--scale size=fine", "scale of column size must be a number, not 'fine'"),
    "unknown way with missing cells": (GOOD, "--missing guess", "missing must be one of error, drop, most, own-bit"),
    "no row without an empty cell": (
        "a,b,kind\n1,,r\n2,,w\n,2,w\n,3,r\n",
        "--missing drop",
        "must have a row without empty",
    ),
    "no groups": (GOOD, "--groups kind --label size", "groups must be at least 3, not 2"),
    "parts with other words": (GOOD, "--split-column kind --label size", "words train, validation and test, but row 2"),
    "shares": (GOOD, "--test-share 0.9 --validation-share 0.2", "validation and test must be shares from 0 to below 1"),
    "open quotes": (
        'a,kind\n1,"red\n2,white\n',
        "",
        "must have quotes in pairs and a separator after them: unexpected end",
    ),
    "text after quotes": ('a,kind\n1,"red"x\n2,w\n', "", "must have quotes in pairs and a separator after them"),
    "NUL bytes": (b"a,kind\n1,red\n2,wh\0te\n", "", "data file FILE must be text, but line 3 has a NUL byte"),
    "an Excel file": (
        b"PK\x03\x04rest",
        "",
        "must be text with a separator, not a ZIP archive or an Excel file: save it",
    ),
    "wrong encoding": (b"a,kind\n1,r\xe9\n", "--encoding utf-8", "data file FILE must be in the encoding utf-8"),
    "unknown encoding": (GOOD, "--encoding klingon", "encoding must be one that Python knows, such as utf-8"),
    "too many columns": (",".join(map(str, range(20_000))) + "\n", "", "must have at most 10000 columns, not 20000"),
    "a million columns": (
        "0," * 1_000_000 + "1\n",
        "",
        "must have at most 10000 columns and 1048576 characters in a line",
    ),
    "an endless line": (GOOD + "9" * (5 << 19), "", "but line 8 is longer"),
}
ZIPPED_ERRORS = {
    "no zip": (b"no zip", "must be a complete .npz file without Python objects: File is not a zip file"),
    "cut short": (zipped(x=np.eye(4), y=[0, 1, 0, 1])[:-30], "must be a complete .npz file without Python objects"),
    "a pickle": (pickle.dumps([1]), "must be a complete .npz file without Python objects"),
    "Python objects": (with_objects(), "must be a complete .npz file without Python objects: Object arrays cannot be"),
    "x without y": (zipped(x=np.eye(4)), "must hold arrays x and y, not ['x']"),
    "labels of another length": (zipped(x=np.eye(4), y=[0, 1]), "but y has the shape [2]"),
    "columns of several lengths": (zipped(a=[1, 2], kind=[0, 1, 0]), "but kind has the shape [3]"),
    "infinities": (zipped(x=[[np.inf], [1]], y=[0, 1]), "column x0 must have finite numbers, but row 1 has inf"),
    "complex numbers": (zipped(x=[[1j], [1]], y=[0, 1]), "column x0 must have numbers or words, not complex128"),
    "dates": (zipped(a=np.array(["2024-01-05"], "M8[D]"), y=[0]), "not dates such as '2024-01-05'"),
    "a class without a name": (
        zipped(x=[[0], [1]], y=[0, 2], classes=["a", "b"]),
        "must be below the 2 classes, not 2",
    ),
    "a damaged member": (damaged(zipfile.ZIP_DEFLATED), "must be a complete .npz file without Python objects"),
    "a damaged member by LZMA": (damaged(zipfile.ZIP_LZMA), "must be a complete .npz file without Python objects"),
    "an encrypted member": (in_headers(zipped(x=np.eye(4), y=[0] * 4), 6, 8, 1), "is encrypted"),
    "an unknown compression": (in_headers(zipped(x=np.eye(4), y=[0] * 4), 8, 10, 99), "method is not supported"),
    "terabytes": (header_of((10**12, 2)), "must be a complete .npz file without Python objects: Unable to allocate"),
    "a negative size": (header_of((-4, 2)), "must be a complete .npz file without Python objects"),
    "an array without an archive": (array_file(), "must be a complete .npz file without Python objects"),
    "rows of several types": (zipped(a=np.zeros(4, "i4,f8"), y=[0, 1] * 2), "column a must have numbers or words"),
    "characters beyond Unicode": (
        zipped(x=np.eye(4), y=np.array([0x61, 0x04000079] * 2, np.uint32).view("U1")),
        "must have Unicode characters in y, but some are none",
    ),
    "half a character": (
        zipped(x=np.eye(1), y=[0], features=np.array([0xD800], ">u4").view(">U1")),
        "must have Unicode characters in features, but some are none",
    ),
    "raw bytes": (zipped(x=np.zeros((4, 1), "V8"), y=[0, 1] * 2), "column x0 must have numbers or words, not |V8"),
    "nothing": (zipped(), "must hold arrays x and y, or an array for each column, but it holds none"),
}


def told_in_one_line(capsys, path, options=()):
    code, out, err = run(capsys, "data", path, *options)
    assert (code, out) == (2, "")
    assert err.startswith("dbhw: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_says_where_and_what(capsys, tmp_path, kind):
    content, options, message = ERRORS[kind]
    path = tmp_path / "beans.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    # What is shown is not refused, so that the user sees it; training, like --missing drop of the label, refuses.
    if "the cell is empty" in message:
        assert_training_refuses(path, message)
        return
    assert message.replace("FILE", str(path)) in told_in_one_line(capsys, path, options.split())


def assert_training_refuses(path, message):
    from dbhw.base.errors import DbhwError
    from dbhw.data.tables.examples import prepare
    from dbhw.data.tables.read import read

    with pytest.raises(DbhwError) as told:
        prepare(read(path))
    assert message.replace("FILE", str(path)) in str(told.value)
    assert "say --missing drop, most or own-bit" in str(told.value)


@pytest.mark.parametrize("kind", ZIPPED_ERRORS)
def test_an_error_of_a_npz_file(capsys, tmp_path, kind):
    content, message = ZIPPED_ERRORS[kind]
    (tmp_path / "beans.npz").write_bytes(content)
    assert message in told_in_one_line(capsys, tmp_path / "beans.npz")


def test_a_class_with_two_lines_in_its_name_is_told_in_one(capsys, tmp_path):
    np.savez(tmp_path / "a.npz", x=np.eye(3), y=["no", "yes", "no"], classes=["no\n", "yes"])
    assert r"must be one of no\n, yes, not 'no'" in told_in_one_line(capsys, tmp_path / "a.npz")


def test_a_npz_file_larger_than_memory(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(npz, "MOST_BYTES", 1000)
    np.savez(tmp_path / "a.npz", x=np.zeros((1000, 1)), y=np.zeros(1000))
    assert "must hold at most 1000 bytes, not" in told_in_one_line(capsys, tmp_path / "a.npz")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("beans.csv", "data file FILE must be a file, not a folder"),
        ("no/such.csv", "file FILE must be readable: No such file or directory"),
        ("no/such.npz", "file FILE must be readable: No such file or directory"),
        ("no/such.parquet", "file FILE must be readable: No such file or directory"),
        ("beans.xlsx", "must be one of .csv, .tsv, .txt, .data, .npz, .parquet, .pq, not '.xlsx'"),
    ],
)
def test_files_that_are_none(capsys, tmp_path, name, message):
    (tmp_path / "beans.csv").mkdir()
    assert message.replace("FILE", str(tmp_path / name)) in told_in_one_line(capsys, tmp_path / name)
