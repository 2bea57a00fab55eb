"""Thresholds chosen on data."""

import numpy as np
import pytest

from dbhw.base.errors import DbhwError
from dbhw.tabular import thresholds


@pytest.fixture
def skewed():
    random = np.random.default_rng(0)
    values = np.round(np.exp(random.normal(3, 1, 2000))).astype(int)
    return values, (values > 37).astype(int) + (values > 90)


@pytest.mark.parametrize("way", thresholds.WAYS)
@pytest.mark.parametrize("most", [1, 3, 10])
def test_every_threshold_splits_the_examples(way, most, skewed):
    found = thresholds.choose(*skewed, most, way)
    assert found == tuple(sorted(set(found)))
    assert all(0 < (skewed[0] >= t).sum() < len(skewed[0]) for t in found)
    assert way == "learned" or 1 <= len(found) <= most


def test_information_finds_where_the_class_changes(skewed):
    assert set(thresholds.choose(*skewed, 2, "information")) == {38, 91}


def test_information_stops_where_nothing_is_gained(skewed):
    assert len(thresholds.choose(*skewed, 30, "information")) == 2


def test_quantiles_share_the_examples_evenly(skewed):
    values, labels = skewed
    cuts = thresholds.choose(values, labels, 3, "quantiles")
    np.testing.assert_allclose([(values >= t).mean() for t in cuts], [0.75, 0.5, 0.25], atol=0.03)


def test_powers_are_multiples_of_one_power_of_two():
    assert thresholds.choose(np.arange(256), np.zeros(256, int), 7, "powers") == tuple(range(32, 256, 32))
    assert thresholds.choose(np.arange(-100, 100), np.zeros(200, int), 3, "powers") == (-64, 0, 64)


@pytest.mark.parametrize("way", thresholds.WAYS)
def test_a_constant_column_has_no_thresholds(way):
    assert thresholds.choose(np.full(9, 7), np.arange(9) % 2, 4, way) == ()


def test_an_unknown_way_is_refused(skewed):
    with pytest.raises(DbhwError, match="must be one of quantiles, even, information, powers, learned, not 'best'"):
        thresholds.choose(*skewed, 3, "best")
