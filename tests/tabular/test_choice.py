"""The default net of a table: it learns, fits the budget, and grows with what there is to learn."""

import numpy as np
import pytest

from dbhw import Data, Net, fit
from dbhw.base.errors import DbhwError
from dbhw.data.tables.column import Column, to_bits
from dbhw.tabular import choice
from dbhw.tabular.thresholds import encoder

COLUMNS = (Column("a", "integer", 5), Column("b", "integer", 5))


def votes(chosen: choice.Choice) -> int:
    _, connect, lookup, buckets = chosen.layers
    return connect.width // lookup.fan_in // buckets.buckets


def table(rows: int, seed: int) -> Data:
    integers = np.random.default_rng(seed).integers(0, 32, (rows, 2))
    return Data.of(to_bits(COLUMNS, integers), (integers > 15).sum(axis=1), columns=COLUMNS)


def test_the_default_net_learns_what_no_single_column_says():
    train, test = table(300, 0), table(300, 1)
    chosen = choice.choose(len(train.y), 3, len(train.columns), "small")
    first = encoder(COLUMNS, train, chosen.thresholds, chosen.way)
    model = fit(Net(first.inputs, [first, *chosen.layers]), train, chosen.settings)
    assert (model.predict(test.x) == test.y).mean() > 0.93


@pytest.mark.parametrize("examples", [2, 100, 20_000, 3_000_000])
@pytest.mark.parametrize("lut_inputs", [4, 6])
def test_larger_budgets_are_larger_nets(examples, lut_inputs):
    sizes = [votes(choice.choose(examples, 3, 9, budget, lut_inputs=lut_inputs)) for budget in choice.BUDGETS]
    assert sizes == sorted(set(sizes))
    settings = choice.choose(examples, 3, 9).settings
    assert settings.batch_size <= examples
    assert settings.epochs >= 2


@pytest.mark.parametrize("lut_inputs", [4, 6])
@pytest.mark.parametrize(("classes", "columns"), [(2, 30), (20, 32), (10, 64)])
def test_a_net_within_luts_is_the_largest_that_is_expected_to_fit(classes, columns, lut_inputs):
    for luts in (300, 1000):
        found = choice.within(luts, 1000, classes, columns, lut_inputs=lut_inputs)
        thresholds = columns * found.thresholds
        assert choice.estimate(votes(found), classes, thresholds, lut_inputs) <= luts
        larger = choice.estimate(votes(found) + 1, classes, thresholds, lut_inputs)
        most = votes(choice.choose(1000, classes, columns, "large", lut_inputs=lut_inputs))
        assert larger > luts or votes(found) == most


def test_wrong_wishes_are_refused():
    with pytest.raises(DbhwError, match="budget must be one of small, medium, large, not 'tiny'"):
        choice.choose(100, 2, 5, "tiny")
    with pytest.raises(DbhwError, match=r"LUTs must be at least [0-9]+ for 20 classes and 9 columns, not 30"):
        choice.within(30, 100, 20, 9)
    with pytest.raises(DbhwError, match="inputs of a LUT must be one of 4, 6, not 5"):
        choice.choose(100, 2, 9, lut_inputs=5)
