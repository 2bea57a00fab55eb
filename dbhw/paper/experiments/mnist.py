"""MNIST on binarised pixels: one run."""

from dbhw.data.sets import mnist
from dbhw.paper.experiments import Experiment

EXPERIMENT = Experiment(
    recipes=("mnist-paper", "mnist-votes"),
    seeds=1,
    at_once=1,
    data=lambda _: mnist.load(),
    baselines=1,
    published=(
        ("2-layer NN, grey pixels", "98.6", "", "", "", ""),
        ("Tsetlin machine", "98.2", "", "", "", ""),
        ("nearest neighbours, grey pixels", "97.2", "", "", "", ""),
        ("∂B net", "94.0", "", "", "", ""),
        ("logistic regression", "91.5", "", "", "", ""),
        ("linear classifier, grey pixels", "88.0", "", "", "", ""),
        ("decision tree", "87.8", "", "", "", ""),
        ("naive Bayes", "83.2", "", "", "", ""),
    ),
)
