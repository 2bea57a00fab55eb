"""Tables read back from files: random ones in random dialects, large ones as a sample, and from Python."""

import csv
import io
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbhw.base.errors import DbhwError
from dbhw.data.readers import text
from dbhw.data.readers.header import has_names
from dbhw.data.readers.sample import Sample
from dbhw.data.tables.examples import prepare
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.read import of_frame, read

LETTERS = st.text("abcxyzäß'\";,|. \t", min_size=1, max_size=8).map(str.strip)
WORDS = LETTERS.filter(lambda w: w and w.lower() not in ("na", "nan", "-", "?") and any(c in "abcxyz" for c in w))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-999, 999).map(float) | st.just(float("nan"))


@st.composite
def tables(draw):
    """Columns of numbers or words with empty cells; the last one is words, so that a header can be told."""
    rows = draw(st.integers(2, 12))
    names = draw(st.lists(WORDS, min_size=2, max_size=5, unique_by=lambda name: " ".join(name.split())))
    columns = {}
    for name in names[:-1]:
        kind = draw(st.sampled_from([NUMBERS, WORDS]))
        empty = float("nan") if kind is NUMBERS else ""
        values = draw(st.lists(kind | st.just(empty), min_size=rows, max_size=rows))
        columns[name] = np.array(values, float if kind is NUMBERS else object)
    columns[names[-1]] = np.array(draw(st.lists(WORDS, min_size=rows, max_size=rows)), object)
    return columns


def written(columns, separator, decimal, quoting, line_end):
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=separator, quoting=quoting, lineterminator=line_end)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(
            ["" if v != v else repr(float(v)).replace(".", decimal) if isinstance(v, float) else v for v in row]
        )
    return file.getvalue()


@settings(max_examples=60, deadline=None)
@given(
    tables(),
    st.sampled_from([(",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ","), ("|", "."), (",", ",")]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]),
)
def test_a_table_is_read_back_as_told(tmp_path_factory, columns, signs, quoting, line_end, encoding):
    separator, decimal = signs
    path = tmp_path_factory.getbasetemp() / "told.csv"
    content = written(columns, separator, decimal, quoting, line_end)
    path.write_bytes(content.encode(encoding))
    types = {" ".join(n.split()): "real" if v.dtype.kind == "f" else "category" for n, v in columns.items()}
    options = TableOptions(separator=separator, decimal=decimal, header=True, encoding=encoding, types=types)
    assert_same(read(path, options), columns)


def assert_same(table, columns):
    assert list(table.columns) == [" ".join(name.split()) for name in columns]
    for found, values in zip(table.columns.values(), columns.values(), strict=True):
        if found.dtype.kind != values.dtype.kind:  # a column of empty cells only
            assert set(found.tolist()) == {""} or np.isnan(found).all()
        else:
            np.testing.assert_array_equal(found, values)


PLAIN = st.text("abcxyz", min_size=1, max_size=8).filter(lambda word: word not in ("na", "nan"))


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), PLAIN), min_size=3, max_size=12),
    st.sampled_from([(",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ","), ("|", ".")]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]),
    st.booleans(),
)
def test_the_dialect_is_found_out(tmp_path_factory, rows, signs, line_end, encoding, named):
    path = tmp_path_factory.getbasetemp() / "found.csv"
    columns = {"Länge": np.array([0.5, *(r[0] for r in rows)]), "kind": np.array(["a", *(r[1] for r in rows)], object)}
    content = written(columns, *signs, csv.QUOTE_MINIMAL, line_end)
    if not named:
        content = content.partition(line_end)[2]
    path.write_bytes(content.encode(encoding))
    table = read(path)
    assert list(table.columns) == (["Länge", "kind"] if named else ["x0", "x1"])
    assert table.first_row == (2 if named else 1)
    for found, values in zip(table.columns.values(), columns.values(), strict=True):
        np.testing.assert_array_equal(found, values)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["a b", "1 2"], True),
        (["1 2", "3 4"], False),
        (["5.1 setosa", "4.9 setosa"], False),  # a value and a word that stands below
        (["5.1 first", "4.9 other"], False),  # a number is a value
        (["colour shape", "red round", "red flat"], True),
        (["red round", "red round", "blue flat"], False),
        (["? x", "1 2", "? 3"], True),
        (["? 5", "1 2", "? 3"], False),  # an empty cell in a column that has more of them
        (["2nd 1st", "1 2"], None),
        (["? 5", "1 2", "1 3"], None),
        (["a 5", "1 2", "1 3"], None),
    ],
)
def test_names_or_values(rows, expected):
    cells = [row.split() for row in rows]
    if expected is None:
        with pytest.raises(DbhwError, match="say --header yes or --header no"):
            has_names("a.csv", cells, ".")
    else:
        assert has_names("a.csv", cells, ".") is expected


def test_a_large_file_becomes_a_sample(tmp_path):
    path = tmp_path / "large.csv"
    path.write_text("a,kind\n" + "".join(f"{i},k{i % 2}\n" for i in range(50_000)))
    table = text.read(path, TableOptions(), cells_kept=4000)
    assert (len(table), table.seen) == (2000, 50_000)
    assert table.notes == (f"{path} has 50000 rows; a random sample of 2000 is used",)
    np.testing.assert_array_equal(table.columns["a"], table.rows - 2)  # rows keep their numbers and their order
    assert (np.diff(table.rows) > 0).all()
    assert abs(table.columns["a"].mean() - 25_000) < 1500
    np.testing.assert_array_equal(text.read(path, TableOptions(), cells_kept=4000).rows, table.rows)


def test_every_row_is_as_likely_as_any_other():
    chosen = np.zeros(40)
    for seed in range(300):
        sample = Sample("a", ["a"], cells=10)
        sample._random = np.random.default_rng(seed)
        for start in range(0, 40, 8):
            sample.add(np.arange(start, start + 8), [np.zeros(8)])
        chosen[sample.table().rows] += 1
    assert chosen.sum() == 3000
    assert 45 < chosen.min() <= chosen.max() < 110  # 75 are expected, and the standard deviation is 7.5


def test_a_wrong_cell_far_into_a_large_file_is_found(tmp_path):
    path = tmp_path / "large.csv"
    path.write_text("a,kind\n" + "".join(f"{i},k{i % 2}\n" for i in range(50_000)) + "x,k1\n")
    with pytest.raises(DbhwError, match=r"column a of .* must have numbers, but row 50002 has 'x'"):
        text.read(path, TableOptions(), cells_kept=4000)


def test_a_column_that_begins_with_empty_cells_may_become_words(tmp_path):
    path = tmp_path / "late.csv"
    path.write_text("a,b,kind\n" + "1,,r\n" * 40_000 + "2,late,w\n")
    assert read(path).columns["b"][-2:].tolist() == ["", "late"]


def understood(path):
    """The table, or what is wrong with it."""
    try:
        return prepare(read(path))
    except DbhwError as wrong:
        return str(wrong)


class Frame:
    """What of a pandas frame is used."""

    def __init__(self, **columns):
        self._columns, self.columns = columns, list(columns)

    def __getitem__(self, name):
        return self._columns[name]


class NAType:
    """What pandas puts into empty cells of whole numbers."""


def test_tables_from_python():
    frame = Frame(
        a=[1, 2], b=np.array([1, NAType()], object), c=np.array(["x", None], object), d=np.array([True, False])
    )
    columns = of_frame(frame, y=np.array([3, 4])).columns
    assert columns["a"].tolist() == [1, 2]
    assert columns["b"].tolist()[0] == 1
    assert np.isnan(columns["b"][1])
    assert columns["c"].tolist() == ["x", ""]
    assert columns["d"].tolist() == [1, 0]
    assert columns["y"].tolist() == [3, 4]


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([1, 2], "data must be a table of rows and columns, not of shape [2]"),
        ({"a": [1], "b": [1, 2]}, "column b of data must have 1 rows like the others, not 2"),
        ({"a": np.array(["2024-01-05"], "M8[D]")}, "column a must be numbers or words, not dates such as '2024-01-05'"),
        ({"a": [[1]]}, "column a must have one value for each row, not shape [1, 1]"),
        ({"a": [float("inf")]}, "column a must have finite numbers, but row 1 has inf"),
        ({1: [0], "1": [1]}, "names of columns of data must differ, but two are called '1'"),
    ],
)
def test_python_that_is_no_table(x, message):
    with pytest.raises(DbhwError) as told:
        of_frame(x)
    assert str(told.value).startswith(message)


def test_parquet(tmp_path):
    """Where pyarrow is installed a file is read back; where it is not, the error says so."""
    path = Path(tmp_path / "a.parquet")
    if find_spec("pyarrow"):
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.table({"a": [1.5, None], "kind": ["x", "y"]}), path)
        assert read(path).columns["a"].tolist()[0] == 1.5
        assert read(path).columns["kind"].tolist() == ["x", "y"]
    else:
        path.write_bytes(b"PAR1")
        with pytest.raises(DbhwError, match=r"needs pyarrow: pip install pyarrow, or save it as \.csv"):
            read(path)


def test_numpy_files_of_any_numbers(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.array([[0.5, 2], [1.5, 3]]), y=[0, 1], features=["a", "b"], classes=["no", "yes"])
    table = read(tmp_path / "a.npz")
    assert list(table.columns) == ["a", "b", "y"]
    assert table.columns["y"].tolist() == ["no", "yes"]
    np.savez(tmp_path / "b.npz", weight=[0.5, 1.5], kind=["red", "white"])
    assert read(tmp_path / "b.npz").columns["kind"].tolist() == ["red", "white"]


@settings(max_examples=150, deadline=None)
@given(
    st.binary(max_size=200)
    | st.lists(
        st.sampled_from(
            [b"a", b"1", b"1.5", b",", b";", b"\n", b"\r", b'"', b" ", b"-", b"\xe9", b"2024-01-05", b"=", b"1e9"]
        ),
        max_size=40,
    ).map(b"".join)
)
def test_any_bytes_are_a_table_or_one_line(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(content)
    found = understood(path)
    assert "\n" not in found if isinstance(found, str) else len(found.train.y) >= 1
