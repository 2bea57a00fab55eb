"""Rules that compare the columns of a table with values."""

from operator import eq, ge, gt, le, lt, ne

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbhw.base.errors import DbhwError
from dbhw.data.tables.column import Column, pins
from dbhw.prove.properties.rules import parse

SIGNS = {">=": ge, ">": gt, "<": lt, "<=": le, "==": eq, "!=": ne}


def holds(rule, columns, integers):
    bits = [bool(i >> j & 1) for c, i in zip(columns, integers, strict=True) for j in range(c.width)]
    return rule.value(bits, [False], lambda a: not a, lambda a, b: a and b)


@given(st.sampled_from(list(SIGNS)), st.integers(1, 5), st.booleans(), st.integers(-40, 40), st.integers(-3, 3))
def test_a_comparison_speaks_of_the_values_that_integers_stand_for(sign, width, signed, halves, offset):
    """The values are multiples of 1/4, so floating point is exact and the comparison is Python's own."""
    columns = [Column("first", "bit", 1), Column("a b", "real", width, signed, scale=0.25, offset=offset)]
    value = halves / 8
    rule = parse(f"'a b' {sign} {value}", pins(columns), ["yes"], columns)
    lowest = -(2 ** (width - 1)) if signed else 0
    for integer in range(lowest, lowest + 2**width):
        assert holds(rule, columns, [1, integer]) == SIGNS[sign](offset + integer / 4, value)


def test_categories_and_bits_are_named():
    columns = [Column("colour", "category", 2, categories=("blue", "deep red")), Column("old", "bit", 1)]
    rule = parse("colour == 'deep red' and not old", pins(columns), ["yes"], columns)
    assert [holds(rule, columns, [c, o]) for c in (0, 1) for o in (0, 1)] == [False, False, True, False]


def test_a_decimal_value_means_the_integer_it_stands_for():
    columns = [Column("a", "real", 8, scale=0.1)]
    assert [holds(parse("a == 0.3", pins(columns), ["y"], columns), columns, [i]) for i in (2, 3, 4)] == [0, 1, 0]


def test_a_bit_may_have_a_comparison_in_its_name():
    assert parse("age>=30", ["age>=30"], ["yes"]).kind == "feature"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a >= b", "must compare a with a number at position 6, not 'b'"),
        ("a >=", "must compare a with a number at position 5, not the end"),
        ("a >= inf", "must compare a with a number"),
        ("c == green", "must compare c with one of blue, red, at position 6, not 'green'"),
        ("d >= 3", "must name a feature or a class, one of a, c, yes, at position 1, not 'd'"),
        ("a 3", "must have and, or, -> or its end"),
    ],
)
def test_a_wrong_comparison_is_refused(text, message):
    columns = [Column("a", "integer", 1), Column("c", "category", 1, categories=("blue", "red"))]
    with pytest.raises(DbhwError) as wrong:
        parse(text, pins(columns), ["yes"], columns)
    assert message in str(wrong.value)


def test_the_range_of_bits_is_not_mixed_up():
    columns = [Column("a", "integer", 3, signed=True), Column("b", "integer", 4)]
    rule = parse("a < 0 and b >= 9", pins(columns), ["yes"], columns)
    found = [(a, b) for a in range(-4, 4) for b in range(16) if holds(rule, columns, [a, b])]
    assert found == [(a, b) for a in range(-4, 0) for b in range(9, 16)]
    assert np.array(found).shape == (28, 2)
