"""Training on a table: thresholds, net, training, and the model frozen and pruned."""

from __future__ import annotations

from dataclasses import replace

from dbhw.data.dataset import Data, Split
from dbhw.model.model import Model
from dbhw.nn.net import Net
from dbhw.tabular import thresholds
from dbhw.tabular.choice import Choice, choose
from dbhw.train.recipe import Recipe


def fit_table(data: Data, choice: Choice | None = None, label: str = "training") -> Model:
    """A model trained on the examples of a table; `label` stands in front of the progress bar.

    >>> from dbhw.data.tables.column import Column
    >>> data = Data.of([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 0, 1, 1], columns=(Column("a", "integer", 2),))
    >>> fit_table(data, choose(4, 2, 1, "small")).predict([[0], [3]]).tolist()
    [0, 1]
    """
    from dbhw.train.policy import Watch, fit_recipe  # JAX, which choosing does without

    choice = choose(len(data.y), len(data.classes), len(data.columns)) if choice is None else choice
    encode = thresholds.encoder(data.columns, data, choice.thresholds, choice.way)
    net = Net(data.x.shape[1], [encode, *choice.layers])
    model = fit_recipe(Recipe(net, Split(data, data), choice.settings, compact=True), Watch(label))
    kept = {"thresholds": choice.thresholds, "way": choice.way}
    return replace(model, provenance={**model.provenance, "table": kept})
