"""Splits: shares, classes, groups, columns; always the same for the same seed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbhw.base.errors import DbhwError
from dbhw.data.tables.split import by_column, split


def all_rows(parts):
    return np.concatenate([parts.train, parts.validation, parts.test])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=200), st.integers(0, 99))
def test_every_row_is_in_one_part_and_every_class_is_trained_on(y, seed):
    y = np.array(y)
    parts = split(y, seed=seed)
    assert sorted(all_rows(parts)) == list(range(len(y)))
    assert set(y[parts.train]) == set(y)
    for one in set(y):
        rows = (y == one).sum()
        assert abs((y[parts.test] == one).sum() - 0.2 * rows) <= 1
        assert abs((y[parts.validation] == one).sum() - 0.15 * rows) <= 1
    again = split(y, seed=seed)
    assert all(np.array_equal(a, b) for a, b in zip(vars(parts).values(), vars(again).values(), strict=True))


def test_another_seed_is_another_split():
    y = np.arange(100) % 3
    assert not np.array_equal(split(y, seed=0).test, split(y, seed=1).test)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 20)), min_size=30, max_size=300), st.integers(0, 99))
def test_no_group_is_in_two_parts(rows, seed):
    y, groups = np.array(rows).T
    groups[:3] = [0, 1, 2]
    parts = split(y, groups, seed)
    assert sorted(all_rows(parts)) == list(range(len(y)))
    assert not set(groups[parts.train]) & set(groups[parts.test])
    assert not set(groups[parts.train]) & set(groups[parts.validation])
    assert not set(groups[parts.validation]) & set(groups[parts.test])


def test_groups_keep_the_shares_of_rows_and_classes():
    random = np.random.default_rng(0)
    groups = random.integers(0, 100, 3000)
    y = (random.random(3000) < 0.3).astype(int)
    parts = split(y, groups)
    assert abs(len(parts.test) - 600) < 60
    assert abs(len(parts.validation) - 450) < 60
    assert abs(y[parts.test].mean() - 0.3) < 0.05


def test_a_part_may_be_empty():
    parts = split(np.arange(50) % 2, validation=0, test=0)
    assert len(parts.train) == 50


def test_a_column_may_say_the_parts():
    words = np.array(["Train", "test", "train", "TEST", *["train"] * 20], object)
    parts = by_column(words, np.zeros(24), np.arange(24), "part", 0, 0.15)
    assert parts.test.tolist() == [1, 3]
    assert len(parts.validation) == 3  # of the training rows, since the column names none
    with pytest.raises(DbhwError, match="column part must have rows with the word test, but it has none"):
        by_column(np.array(["train"], object), np.zeros(1), np.arange(1), "part", 0, 0.15)
