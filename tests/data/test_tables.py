"""From a table to examples: what columns are, how values become integers, empty cells, and tables for a model."""

from math import floor

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbhw.base.errors import DbhwError
from dbhw.data.load import load_file
from dbhw.data.tables.column import Column
from dbhw.data.tables.examples import inputs, load_for, prepare
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.quantise import columns
from dbhw.data.tables.read import read
from dbhw.data.tables.table import Table
from dbhw.data.tables.types import describe


def naive(column, value):
    """The integer of a value, written down anew."""
    lowest = -(2 ** (column.width - 1)) if column.signed else 0
    return floor(min(max((value - column.offset) / column.scale + 0.5, lowest), lowest + 2**column.width - 1))


def of(values, **said):
    """The one column of the hardware for the values of one column."""
    values = np.array(values, object if isinstance(values[0], str) else float)
    table = Table.of("t", {"a": values, "y": np.arange(len(values)) % 2.0})
    options = TableOptions(columns=("a",), label="y", **said)
    [column] = columns(table, describe(table, options).used, options)
    return column


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1, 1], ("bit", 1, False, 1, 0)),
        ([0, 3, 200], ("integer", 8, False, 1, 0)),
        ([-1, 3, 7], ("integer", 4, True, 1, 0)),
        ([-129, 3], ("integer", 9, True, 1, 0)),
        ([-128, 127], ("integer", 8, True, 1, 0)),
        ([1990, 2020], ("integer", 5, False, 1, 1990)),
        ([-2020, -1990], ("integer", 5, False, 1, -2020)),
        ([100, 200], ("integer", 8, False, 1, 0)),
        ([0, 65_535], ("integer", 16, False, 1, 0)),
        ([0, 100_000, 200_000], ("real", 2, False, 100_000, 0)),
        ([4.3, 5.1, 7.9], ("real", 7, False, 0.1, 0)),
        ([-0.05, 0.2], ("real", 6, True, 0.01, 0)),
        ([20.01, 20.33], ("real", 6, False, 0.01, 20.01)),
        (["b", "a", "c"], ("category", 2, False, 1, 0)),
        (["no", "yes"], ("category", 1, False, 1, 0)),
    ],
)
def test_a_column_takes_the_bits_it_needs(values, expected):
    column = of(values)
    assert (column.kind, column.width, column.signed, column.scale, column.offset) == expected


def test_a_real_column_keeps_most_values_apart():
    random = np.random.default_rng(0)
    even, skewed = random.random(5000), random.lognormal(0, 3, 5000)
    assert of(even).width == 8
    column = of(skewed)
    assert column.width == 12
    assert column.scale * column.highest < skewed.max()  # the tail is clipped, so that the rest is seen
    codes = column.integers(skewed)
    assert (codes == column.highest).mean() < 0.06
    assert len(np.unique(codes)) > 500


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"bits": {"a": (12, None)}}, (12, True)),
        ({"bits": {"a": (12, False)}}, (12, False)),
        ({"bits": {"a": (12, True)}, "scale": {"a": 0.25}}, (12, True, 0.25, 0)),
        ({"scale": {"a": 0.5}, "offset": {"a": -40}}, (9, False, 0.5, -40)),
        ({"scale": {"a": 0.5}}, (9, True, 0.5, 0)),
        ({"offset": {"a": 0.0}, "bits": {"a": (8, None)}}, (8, True, 0.692, 0)),
    ],
)
def test_what_the_user_says_of_a_column(said, expected):
    column = of([-40.25, 20.5, 87.7777777], **said)
    found = (column.width, column.signed, column.scale, column.offset)
    if len(expected) == 2:  # the range over so many bits
        assert found[0] == 12
        assert column.integers(np.array([-40.25, 87.7777777])).tolist() == pytest.approx(
            [column.lowest, column.highest], abs=20
        )
    else:
        assert found == expected


@settings(max_examples=200, deadline=None)
@example(values=[0.0, 1.1125369292536007e-308], others=[1.0])  # so small a scale that a quotient is infinite
@given(
    st.lists(st.floats(-1e9, 1e9) | st.integers(-300, 300).map(float), min_size=2, max_size=30),
    st.lists(st.floats(-1e10, 1e10), max_size=5),
)
def test_integers_are_those_of_the_naive_reference(values, others):
    column = of(values)
    both = np.array(values + others)
    assert column.integers(both).tolist() == [naive(column, float(v)) for v in both]
    nearest = column.offset + column.scale * column.integers(np.array(values))
    inside = [(n, v) for n, v in zip(nearest, values, strict=True) if column.lowest < naive(column, v) < column.highest]
    assert all(abs(n - v) <= column.scale * 0.5000001 + 1e-6 for n, v in inside)


BEANS = {
    "size": np.array([3, np.nan, 5, 7, 9, 4] * 10),
    "colour": np.array(["red", "white", "", "red", "red", "white"] * 10, object),
    "kind": np.array(["a", "b"] * 30, object),
}
TABLE = Table.of("beans.csv", BEANS, first_row=2)


def test_empty_cells_are_refused_by_row_and_column():
    with pytest.raises(DbhwError) as told:
        prepare(TABLE)
    assert str(told.value) == (
        "column size of beans.csv must have a value in row 3, but the cell is empty (20 rows have empty cells): "
        "say --missing drop, most or own-bit"
    )


def test_rows_with_empty_cells_are_dropped():
    ready = prepare(TABLE, TableOptions(missing="drop"))
    assert len(ready.train.y) + len(ready.validation.y) + len(ready.test.y) == 40
    assert "20 of 60 rows are left out: they have an empty cell" in ready.notes


def test_empty_cells_become_the_most_frequent_value():
    size, colour = prepare(TABLE, TableOptions(missing="most")).columns
    assert size.fill == 5
    assert colour.categories[colour.fill] == "red"


def test_empty_cells_get_a_bit_of_their_own():
    ready = prepare(TABLE, TableOptions(missing="own-bit"))
    assert [(c.name, c.kind, c.width, c.source) for c in ready.columns] == [
        ("size", "integer", 4, None),
        ("size_missing", "missing", 1, "size"),
        ("colour", "category", 1, None),
        ("colour_missing", "missing", 1, "colour"),
    ]
    bits = inputs(TABLE, ready.columns).astype(int)
    assert bits[:3, 4].tolist() == [0, 1, 0]
    assert bits[:3, 6].tolist() == [0, 0, 1]


def test_the_name_of_a_missing_bit_is_free():
    table = Table.of("t", {**BEANS, "size_missing": np.arange(60.0) % 7})
    names = [c.name for c in prepare(table, TableOptions(missing="own-bit", label="kind")).columns]
    assert len(set(names)) == len(names)


def test_columns_are_fitted_to_the_training_rows_only():
    part = np.array(["train", "train", "validation", "test"] * 10, object)
    size = np.where(part == "train", np.arange(40) % 7, 100 + np.arange(40) % 7).astype(float)
    colour = np.where(part == "train", "red", "white").astype(object)
    table = Table.of("t", {"size": size, "colour": colour, "kind": np.arange(40) % 2.0, "part": part})
    ready = prepare(table, TableOptions(split_column="part", label="kind"))
    assert ready.columns[0].highest == 7
    assert ready.columns[1].categories == ("red", "white")  # a word that training lacks is still a word
    assert ready.test.x[:, :3].all()
    assert "column size: 20 of 40 values are outside 0 to 7 and become the nearer end" in ready.notes


@pytest.fixture
def trained(tmp_path):
    path = tmp_path / "beans.csv"
    path.write_text("id,size,colour,code,kind\n" + "".join(BEAN.format(i=i, w="rw"[i % 2], c=i % 3) for i in range(40)))
    return prepare(read(path, TableOptions(types={"code": "category"})), TableOptions(types={"code": "category"}))


BEAN = "{i},{i}.5,{w},0{c},{w}\n"


def data_for(ready, path):
    return load_for(path, ready.columns, ready.train.classes, "kind")


def test_the_table_of_a_model_may_have_other_columns(trained, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("kind;note;code;colour;size\nw;x;01;w;3,5\nr;y;02;r;4,5\n")
    data = data_for(trained, path)
    assert data.y.tolist() == [1, 0]
    size = [int("".join(str(int(bit)) for bit in row[::-1]), 2) for row in data.x[:, : trained.columns[0].width]]
    assert size == [naive(trained.columns[0], 3.5), naive(trained.columns[0], 4.5)]


def test_the_table_of_a_model_may_have_no_names(trained, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("3.5,w,01,w\n4.5,r,02,r\n")
    named = tmp_path / "named.csv"
    named.write_text("size,colour,code,kind\n3.5,w,01,w\n4.5,r,02,r\n")
    options = TableOptions(types={"x2": "category"})
    found = load_for(path, trained.columns, trained.train.classes, "kind", options)
    np.testing.assert_array_equal(found.x, data_for(trained, named).x)
    assert found.y.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("size,kind\n3.5,w\n", "must have the model's columns, but it lacks colour, code; it has size, kind"),
        ("size,colour,code,kind\n3.5,blue,01,w\n", "column colour in row 2 must be one of r, w, not 'blue'"),
        ("size,colour,code,kind\n,r,01,w\n", "column size must have a number in row 2, but the cell is empty"),
        ("size,colour,code,kind\nbig,r,01,w\n", "must have numbers, but row 2 has 'big'"),
        ("size,colour,code,kind\n1,r,01,x\n", "in row 2 must be one of r, w, not 'x'"),
        ("1,2\n4,5\n", "has no names, so it must have the model's 3 columns in their order and then the label"),
    ],
)
def test_a_table_that_does_not_fit_the_model(trained, tmp_path, text, message):
    path = tmp_path / "other.csv"
    path.write_text(text)
    with pytest.raises(DbhwError) as told:
        data_for(trained, path)
    assert message in str(told.value)


def test_labels_may_be_indices_of_classes(trained, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("size,colour,code,kind\n1,r,01,1\n1,r,01,0\n")
    assert data_for(trained, path).y.tolist() == [1, 0]


def test_the_test_rows_may_be_a_file_of_their_own(tmp_path):
    path = tmp_path / "test.csv"
    path.write_text("size,colour,kind\n1,red,a\n2,white,b\n")
    ready = prepare(TABLE, TableOptions(missing="drop"), test=read(path))
    assert ready.test.y.tolist() == [0, 1]
    assert len(ready.train.y) + len(ready.validation.y) == 40
    assert ready.split["test_file"] == str(path)


def test_a_file_of_bits_may_name_its_classes(tmp_path):
    path = tmp_path / "bits.csv"
    path.write_text("label,a,b\nyes,0,1\nno,1,1\n")
    data = load_file(path)
    assert (data.features, data.classes, data.y.tolist()) == (("a", "b"), ("no", "yes"), [1, 0])


def test_numbers_of_any_python_type_become_integers():
    column = Column("a", "category", 2, categories=("1", "2", "XL"))
    assert column.of_any(np.array([1, 2])).tolist() == column.of_any(np.array(["1", "2"])).tolist() == [0, 1]
