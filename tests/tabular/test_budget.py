"""The search within a number of look-up tables: nets are judged on rows that they were not trained on."""

import numpy as np
import pytest

from dbhw.data.dataset import Data
from dbhw.data.tables.column import Column
from dbhw.tabular import budget
from dbhw.tabular.choice import with_votes
from dbhw.tabular.fit import fit_table


@pytest.mark.parametrize("rows", [2, 9, 10, 53, 6000])
def test_folds_have_one_size_share_no_row_and_have_their_part_of_each_class(rows):
    y = np.random.default_rng(1).permutation(np.arange(rows) % 3 == 0)
    folds = budget._folds(y)
    assert len(folds) == (1 if rows == 6000 else 3 * min(rows, 5))
    assert {int(fold.sum()) for fold in folds} == {rows // min(rows, 5)}
    assert np.sum(folds[: min(rows, 5)], axis=0).max() == 1
    positive = [int(y[fold].sum()) for fold in folds]
    assert max(positive) - min(positive) <= 1


def test_what_is_learnt_by_heart_does_not_count(monkeypatch):
    monkeypatch.setattr(budget, "_DEALS", 1)
    random = np.random.default_rng(2)
    x, y = random.integers(0, 2, (200, 16)), random.integers(0, 2, 200)
    data = Data.of(x, y, columns=tuple(Column(f"x{i}", "bit", 1) for i in range(16)))
    chosen = with_votes(40, 200, 2, 1)
    model = fit_table(data, chosen)
    assert (model.predict(x) == y).mean() > 0.8
    assert budget._validated(data, chosen, "training") < 0.65
