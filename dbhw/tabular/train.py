"""From a user's table to a model: what `dbhw train beans.csv` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dbhw.base.errors import DbhwError, whole
from dbhw.data.dataset import Data
from dbhw.data.tables.examples import Prepared
from dbhw.fpga import families
from dbhw.model.freeze import freeze
from dbhw.model.model import Model
from dbhw.tabular import own
from dbhw.tabular.budget import Found, within
from dbhw.tabular.choice import choose
from dbhw.tabular.fit import fit_table

_RARE = 0.3  # of the share that each class would have if all were equally frequent


@dataclass(frozen=True)
class Plan:
    """How large the net may be, and how long is searched for it.

    `max_luts` is the most look-up tables on `target` after synthesis; without it `budget` says the size. `tries` nets
    with other seeds are trained, and the best on the validation rows is kept.

    >>> Plan(budget="small").tries
    1
    """

    budget: str = "medium"
    max_luts: int | None = None
    target: str = "xilinx"
    tries: int = 1
    balance: float = 0.0  # from 0, every example counts the same, to 1, every class does
    seed: int = 0
    recipe: str | None = None  # a user's own Python file instead of the default net

    def __post_init__(self) -> None:
        whole("try", self.tries, 1)
        if self.recipe is not None and self.max_luts is not None:
            raise DbhwError("max luts must come without a recipe of your own, which decides the size itself")


@dataclass(frozen=True)
class Outcome:
    """A trained model, and the search within a number of look-up tables if there was one."""

    model: Model
    search: Found | None = None


def train_table(ready: Prepared, plan: Plan) -> Outcome:
    """Trains a net on the training rows of a table; of several seeds, the best on its validation rows is kept.

    With one seed the validation rows are trained on too; sizes within a number of look-up tables are judged by
    cross-validation. The test rows are not looked at.

    >>> from dbhw.data.tables.examples import prepare
    >>> from dbhw.data.tables.table import Table
    >>> weight = np.arange(40.0) / 10
    >>> beans = Table.of("beans", {"weight": weight, "kind": np.where(weight > 2, "red", "white").astype(object)})
    >>> model = train_table(prepare(beans), Plan(budget="small")).model
    >>> [model.classes[label] for label in model.predict([[0.3], [3.5]])]
    ['white', 'red']
    """
    judged = len(ready.validation.y) > 0
    every = joined([ready.train, ready.validation]) if judged else ready.train
    if plan.max_luts is not None:
        found = within(every, plan.max_luts, plan.target, balance=plan.balance, seed=plan.seed)
        return Outcome(_recorded(found.model, ready), found)
    if plan.tries == 1:
        return Outcome(_recorded(_fit(every, plan, plan.seed, "training"), ready))
    if not judged:
        raise DbhwError("try must have validation rows to judge by: say --validation-share above 0")
    seeds = range(plan.seed, plan.seed + plan.tries)
    models = [_fit(ready.train, plan, seed, f"training, try {i} of {plan.tries}") for i, seed in enumerate(seeds, 1)]
    best = max(models, key=lambda model: (model.predict(ready.validation.x) == ready.validation.y).mean())
    return Outcome(_recorded(best, ready))


def imbalance(ready: Prepared) -> str | None:
    """A note about a class that is rare, and what can be done for it; None where there is none.

    >>> from dbhw.data.tables.examples import prepare
    >>> from dbhw.data.tables.table import Table
    >>> kind = np.where(np.arange(100) % 20, "white", "red").astype(object)
    >>> imbalance(prepare(Table.of("beans", {"weight": np.arange(100.0) % 7, "kind": kind})))
    'class red has 5.0 % of the rows: --balance 1 makes every class count the same'
    """
    counts, classes = ready.description.counts, ready.description.classes
    rarest = min(range(len(counts)), key=counts.__getitem__)
    share = counts[rarest] / sum(counts)
    if share * len(counts) >= _RARE:
        return None
    return f"class {classes[rarest]} has {100 * share:.1f} % of the rows: --balance 1 makes every class count the same"


def joined(parts: Sequence[Data]) -> Data:
    """The examples of several parts of one table.

    >>> data = Data.of([[0], [1]], [0, 1])
    >>> joined([data, data]).y.tolist()
    [0, 1, 0, 1]
    """
    x, y = (np.concatenate([getattr(part, name) for part in parts]) for name in ("x", "y"))
    return replace(parts[0], x=x, y=y)


def _fit(data: Data, plan: Plan, seed: int, label: str) -> Model:
    if plan.recipe is not None:
        from dbhw.train.policy import Watch, fit_recipe  # JAX, which reading a table does without

        return freeze(fit_recipe(own.load(plan.recipe, data, seed), Watch(label)))
    lut_inputs = families.find(plan.target).lut_inputs
    sizes = (len(data.y), len(data.classes), len(data.columns), plan.budget)
    return fit_table(data, choose(*sizes, lut_inputs=lut_inputs, balance=plan.balance, seed=seed), label)


def _recorded(model: Model, ready: Prepared) -> Model:
    """The model with how its rows were split, so that the same test rows can be found again."""
    label = ready.description.label
    return replace(model, provenance={**model.provenance, "split": ready.split, "label": label})
