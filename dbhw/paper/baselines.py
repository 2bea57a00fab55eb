"""Classifiers of scikit-learn with their default settings, on the data that the nets are trained on."""

from __future__ import annotations

import warnings
from typing import Protocol

import numpy as np

from dbhw.base.errors import DbhwError, one_of
from dbhw.data.dataset import Split


class Classifier(Protocol):
    """What is used of scikit-learn's classifiers."""

    def fit(self, x: np.ndarray, y: np.ndarray) -> object: ...

    def predict(self, x: np.ndarray) -> np.ndarray: ...


NAMES = ("logistic regression", "naive Bayes", "SVM", "decision tree", "neural network")


def accuracy(name: str, split: Split, seed: int) -> float:
    """The test accuracy of a baseline.

    >>> from dbhw.data.dataset import Data
    >>> data = Data.of([[0, 1], [1, 0]] * 5, [0, 1] * 5)
    >>> accuracy("decision tree", Split(data, data), seed=0)
    1.0
    """
    classifier = _classifier(name, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a reached iteration limit is part of the default settings
        classifier.fit(split.train.x, split.train.y)
    return float((classifier.predict(split.test.x) == split.test.y).mean())


def _classifier(name: str, seed: int) -> Classifier:
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.naive_bayes import BernoulliNB
        from sklearn.neural_network import MLPClassifier
        from sklearn.svm import SVC
        from sklearn.tree import DecisionTreeClassifier
    except ImportError as wrong:
        raise DbhwError("scikit-learn must be installed for the baselines: pip install 'dbhw[paper]'") from wrong

    if name not in NAMES:
        raise one_of("baseline", name, NAMES)
    return {
        "logistic regression": LogisticRegression(),
        "naive Bayes": BernoulliNB(),
        "SVM": SVC(random_state=seed),
        "decision tree": DecisionTreeClassifier(random_state=seed),
        "neural network": MLPClassifier(random_state=seed),
    }[name]
