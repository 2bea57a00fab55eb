"""A classifier in scikit-learn's manner: numbers in, classes out, and hardware from it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from dbhw.base.errors import DbhwError
from dbhw.data.dataset import Data
from dbhw.data.tables import examples, quantise, types
from dbhw.data.tables.column import Column
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.read import of_frame
from dbhw.data.tables.table import Table
from dbhw.model.model import Model

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as missing:
    raise DbhwError("dbhw.Classifier must have scikit-learn: pip install scikit-learn") from missing

if TYPE_CHECKING:
    from dbhw.boards.flow.build import Built
    from dbhw.fpga.synth import Area
    from dbhw.prove.workshop import Step
    from dbhw.report.explanation import Explanation

_SEEDS = 1 << 30


class Classifier(ClassifierMixin, BaseEstimator):
    """Trains a net of look-up tables on a table of numbers; the hard net answers, as the hardware does, bit for bit.

    `budget` is small, medium or large; `max_luts` asks for the best net of at most that many look-up tables on
    `target`, after synthesis. `balance` from 0 to 1 gives rare classes more weight. `random_state` decides all random
    choices. `model_` is the trained model.

    >>> x, y = [[1.0, 5.0], [2.0, 4.0], [8.0, 5.0], [9.0, 4.0]] * 5, ["low", "low", "high", "high"] * 5
    >>> classifier = Classifier(budget="small").fit(x, y)
    >>> classifier.predict([[1.5, 4.0], [8.5, 4.0]]).tolist()
    ['low', 'high']
    """

    model_: Model
    classes_: np.ndarray

    def __init__(
        self,
        budget: str = "medium",
        max_luts: int | None = None,
        target: str = "xilinx",
        balance: float = 0.0,
        random_state: Any = 0,
    ) -> None:
        self.budget = budget
        self.max_luts = max_luts
        self.target = target
        self.balance = balance
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Trains on examples (rows, columns), an array or a frame, and their classes."""
        from dbhw.fpga import families
        from dbhw.tabular.budget import within
        from dbhw.tabular.choice import choose
        from dbhw.tabular.fit import fit_table

        table, labels = self._for_training(X, y)
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise DbhwError(f"y must have at least two classes, but it has 1 class, {self.classes_.tolist()[0]!r}")
        data = _data(table, codes, [str(name) for name in self.classes_.tolist()])
        settled: dict[str, Any] = {"balance": self.balance, "seed": self._seed()}
        if self.max_luts is None:
            lut_inputs = families.find(self.target).lut_inputs
            sizes = (len(codes), len(self.classes_), len(data.columns), self.budget)
            chosen = choose(*sizes, lut_inputs=lut_inputs, **settled)
            self.model_ = fit_table(data, chosen)
        else:
            self.model_ = within(data, self.max_luts, self.target, **settled).model
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The classes of examples."""
        best = self._scores(X).argmax(axis=1)
        return self.classes_[best]

    def decision_function(self, X: Any) -> np.ndarray:
        """The scores of the hard net (rows, classes); for two classes, how much the second one is ahead (rows)."""
        scores = self._scores(X).astype(np.float64)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities as the loss of training sees them: the softmax of the scores divided by the temperature."""
        scores = self._scores(X) / self.model_.provenance["settings"]["temperature"]
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        return raised / raised.sum(axis=1, keepdims=True)

    def explain(self) -> Explanation:
        """The learned function as a program and in words."""
        from dbhw.report.explanation import explain

        check_is_fitted(self)
        return explain(self.model_)

    def to_verilog(self) -> str:
        """The combinational core as Verilog."""
        from dbhw.rtl.verilog.emit import to_verilog

        check_is_fitted(self)
        return to_verilog(self.model_)

    def synth(self, target: str = "xilinx") -> Area:
        """The area on a family of FPGAs, encoder and argmax included."""
        from dbhw.report.area import of_model

        check_is_fitted(self)
        return of_model(self.model_, target)

    def prove(self, target: str = "xilinx") -> list[Step]:
        """Proves that the Verilog, and what Yosys synthesises from it, is the net."""
        from dbhw.prove.equivalence import prove_model

        check_is_fitted(self)
        return prove_model(self.model_, target)

    def build(self, board: str, folder: str | Path) -> Built:
        """Builds a bitstream for a board into a folder."""
        from dbhw.boards.flow.build import build

        check_is_fitted(self)
        return build(self.model_, board, folder)

    def _scores(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self.model_.scores(examples.inputs(self._for_answers(X), self.model_.columns))

    def _for_training(self, X: Any, y: Any) -> tuple[Table, np.ndarray]:
        """The examples as a table, and the labels; words of a frame are checked here, all else by scikit-learn."""
        if _has_words(X):
            X, y = validate_data(self, X, y, skip_check_array=True)
            return of_frame(X), np.asarray(y)
        numbers, y = validate_data(self, X, y, dtype=np.float64)
        return self._table(numbers), y

    def _for_answers(self, X: Any) -> Table:
        if _has_words(X):
            return of_frame(validate_data(self, X, reset=False, skip_check_array=True))
        return self._table(validate_data(self, X, dtype=np.float64, reset=False))

    def _table(self, numbers: np.ndarray) -> Table:
        default = [f"x{i}" for i in range(self.n_features_in_)]
        names = getattr(self, "feature_names_in_", default)
        return of_frame(dict(zip(names, numbers.T, strict=True)))

    def _seed(self) -> int:
        state = self.random_state
        return state if isinstance(state, int) else int(check_random_state(state).randint(_SEEDS))


def _has_words(x: Any) -> bool:
    """Whether a frame has a column that is not of numbers."""
    return hasattr(x, "columns") and any(getattr(kind, "kind", "O") not in "biuf" for kind in x.dtypes)


def _data(table: Table, codes: np.ndarray, classes: list[str]) -> Data:
    """The examples of a table whose columns are all used: scikit-learn's pipelines decide which there are."""
    label = "y"
    while label in table.columns:
        label += "_"
    options = TableOptions(label=label, columns=tuple(table.columns))
    labelled = Table.of(table.name, {**table.columns, label: np.array(classes, object)[codes]})
    features = types.describe(labelled, options).used
    columns: tuple[Column, ...] = quantise.columns(labelled, features, options)
    return Data.of(examples.inputs(labelled, columns), codes, name=table.name, classes=classes, columns=columns)
