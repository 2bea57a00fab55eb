"""The classifier in scikit-learn's manner."""

import pickle

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from dbhw import Classifier
from dbhw.base.errors import DbhwError
from dbhw.tabular import budget

# It only runs where SciPy's array API is switched on by an environment variable, and skips itself elsewhere.
NEEDS_AN_ENVIRONMENT = ["check_array_api_input"]
CHECKS = [
    check
    for _, check in estimator_checks_generator(Classifier(budget="small"))
    if check.func.__name__ not in NEEDS_AN_ENVIRONMENT
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("check", CHECKS, ids=[f"{i}-{check.func.__name__}" for i, check in enumerate(CHECKS)])
def test_scikit_learns_own_checks(check):
    check(Classifier(budget="small"))


@pytest.fixture(scope="module")
def iris():
    return load_iris()


@pytest.fixture(scope="module")
def fitted(iris):
    return Classifier(budget="small").fit(iris.data[::2], iris.target_names[iris.target[::2]])


def test_it_learns_and_names_its_classes(iris, fitted):
    assert fitted.score(iris.data[1::2], iris.target_names[iris.target[1::2]]) > 0.9
    assert fitted.model_.classes == ("setosa", "versicolor", "virginica")


def test_answers_are_those_of_the_model(iris, fitted):
    labels = fitted.model_.predict(iris.data)
    np.testing.assert_array_equal(fitted.predict(iris.data), iris.target_names[labels])
    np.testing.assert_array_equal(fitted.decision_function(iris.data), fitted.model_.scores(iris.data))
    probabilities = fitted.predict_proba(iris.data)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(probabilities.argmax(axis=1), labels)


def test_a_frame_with_words_keeps_its_names():
    frame = pandas.DataFrame({"colour": ["red", "blue"] * 10, "size of it": np.arange(20) / 7})
    kinds = np.where(frame["colour"] == "red", "a", "b")
    fitted = Classifier(budget="small").fit(frame, kinds)
    assert [column.name for column in fitted.model_.columns] == ["colour", "size of it"]
    assert fitted.model_.columns[0].categories == ("blue", "red")
    assert (fitted.predict(frame) == kinds).all()
    assert "input wire colour" in fitted.to_verilog()
    with pytest.raises(DbhwError, match="column colour in row 1 must be one of blue, red, not 'green'"):
        fitted.predict(frame.assign(colour="green"))


def test_it_works_in_pipelines_and_searches(iris):
    pipeline = make_pipeline(StandardScaler(), Classifier())
    search = GridSearchCV(pipeline, {"classifier__budget": ["small"]}, cv=2).fit(iris.data[::2], iris.target[::2])
    assert search.best_score_ > 0.85
    assert clone(search.best_estimator_[-1]).get_params()["budget"] == "small"


def test_the_same_seed_gives_the_same_model(iris, fitted):
    again = Classifier(budget="small").fit(iris.data[::2], iris.target_names[iris.target[::2]])
    assert again.model_.digest() == fitted.model_.digest()
    assert pickle.loads(pickle.dumps(fitted)).model_.digest() == fitted.model_.digest()


def test_hardware_comes_from_it(fitted):
    assert fitted.explain().right
    assert fitted.synth("ice40").luts > 0
    assert all(step.proved for step in fitted.prove())


def test_hardware_needs_a_trained_net():
    for method in ("explain", "to_verilog", "synth", "prove"):
        with pytest.raises(NotFittedError):
            getattr(Classifier(), method)()


def test_the_best_net_within_a_number_of_luts(iris, monkeypatch):
    monkeypatch.setattr(budget, "_TRIES", 1)  # the search itself is tested in tests/tabular/
    monkeypatch.setattr(budget, "_DEALS", 1)
    fitted = Classifier(max_luts=60, target="ice40").fit(iris.data, iris.target)
    assert fitted.synth("ice40").luts <= 60
    assert fitted.score(iris.data, iris.target) > 0.85


def test_one_class_is_refused(iris):
    with pytest.raises(ValueError, match="y must have at least two classes, but it has 1 class, 0"):
        Classifier().fit(iris.data, np.zeros(150, int))
